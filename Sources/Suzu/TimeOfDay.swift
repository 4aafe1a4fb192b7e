// SPDX-License-Identifier: Apache-2.0
public import NotificationModel

/// A time on the clock: `"07:30"`.
public struct TimeOfDay: Hashable, Sendable, Comparable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// 0 to 23.
  public let hour: Int
  /// 0 to 59.
  public let minute: Int
  /// 0 to 59.
  public let second: Int

  /// Creates a time; nil if there is no such time.
  public init?(hour: Int, minute: Int, second: Int = 0) {
    guard 0...23 ~= hour, 0...59 ~= minute, 0...59 ~= second else { return nil }
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// Parses `7:30`, `07:30` and `07:30:15`.
  public init(_ text: String) throws(RequestError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      1...2 ~= part.utf8.count && part.utf8.allSatisfy { 48...57 ~= $0 } ? Int(part) : nil
    }
    guard 2...3 ~= parts.count, numbers.count == parts.count,
      let time = TimeOfDay(hour: numbers[0], minute: numbers[1], second: numbers.count > 2 ? numbers[2] : 0)
    else { throw RequestError("", "must be a time of day such as '07:30', not '\(text.prefix(60))'") }
    self = time
  }

  /// Creates a time from a literal, which must be one.
  public init(stringLiteral text: String) {
    do throws(RequestError) { try self.init(text) } catch { preconditionFailure(error.description) }
  }

  /// Whether it is earlier on the same day.
  public static func < (left: TimeOfDay, right: TimeOfDay) -> Bool {
    (left.hour, left.minute, left.second) < (right.hour, right.minute, right.second)
  }

  /// `07:30`, or `07:30:15`.
  public var description: String {
    func digits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    return digits(hour) + ":" + digits(minute) + (second == 0 ? "" : ":" + digits(second))
  }
}
