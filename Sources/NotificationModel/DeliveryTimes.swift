// SPDX-License-Identifier: Apache-2.0

/// The times of day at which the `passive` notifications of an app come together, instead of one by one.
public struct DeliveryTimes: Hashable, Sendable {
  /// In minutes after midnight, in ascending order.
  public let minutes: [Int]
  /// The most times of a day.
  private static let most = 24

  /// Times of day in the form `12:30`, at least one; their order does not matter.
  public init(_ texts: [String]) throws(RequestError) {
    let minutes = try Set(texts.map { text throws(RequestError) in try Self.minute(text) })
    guard 1...Self.most ~= minutes.count else {
      throw RequestError("deliver", "must be 1 to \(Self.most) times of day, such as '12:30'")
    }
    self.minutes = minutes.sorted()
  }

  private static func minute(_ text: String) throws(RequestError) -> Int {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, 1...2 ~= parts[0].utf8.count, parts[1].utf8.count == 2,
      parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }), let hour = Int(parts[0]),
      let minute = Int(parts[1]), hour < 24, minute < 60
    else { throw RequestError("deliver", "must be times of day such as '12:30', not \(text.quoted)") }
    return hour * 60 + minute
  }

  /// The times in the form `12:30`.
  public var texts: [String] {
    minutes.map { minute in
      func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
      return "\(two(minute / 60)):\(two(minute % 60))"
    }
  }
}
