// SPDX-License-Identifier: Apache-2.0

/// A time of day on a local clock, to the second; without 24:00 and leap seconds.
public struct CivilTime: Hashable, Sendable {
  private let storedHour: UInt8
  private let storedMinute: UInt8
  private let storedSecond: UInt8

  /// 00:00:00, the start of a date.
  public static let midnight = CivilTime(unchecked: 0)
  static let secondsPerDay = 86_400

  /// 0 to 23.
  public var hour: Int { Int(storedHour) }
  /// 0 to 59.
  public var minute: Int { Int(storedMinute) }
  /// 0 to 59.
  public var second: Int { Int(storedSecond) }

  /// Nil if the time does not exist.
  public init?(hour: Int, minute: Int, second: Int = 0) {
    guard 0...23 ~= hour, 0...59 ~= minute, 0...59 ~= second else { return nil }
    self.init(unchecked: (hour * 60 + minute) * 60 + second)
  }

  /// From seconds after 00:00:00, 0 to 86,399.
  public init?(secondOfDay: Int) {
    guard 0..<Self.secondsPerDay ~= secondOfDay else { return nil }
    self.init(unchecked: secondOfDay)
  }

  /// For a value that is already checked.
  @inline(__always)
  init(unchecked secondOfDay: Int) {
    let seconds = UInt32(truncatingIfNeeded: secondOfDay)
    storedHour = UInt8(truncatingIfNeeded: seconds / 3600)
    storedMinute = UInt8(truncatingIfNeeded: seconds / 60 % 60)
    storedSecond = UInt8(truncatingIfNeeded: seconds % 60)
  }

  /// Clock seconds since 00:00:00; daylight saving can make them differ from the elapsed seconds.
  public var secondOfDay: Int { (hour * 60 + minute) * 60 + second }
}

extension CivilTime: Comparable {
  /// Whether the left time is earlier in the day.
  public static func < (left: CivilTime, right: CivilTime) -> Bool { left.secondOfDay < right.secondOfDay }
}

extension CivilTime: LosslessStringConvertible {
  /// In ISO 8601 form: `07:30:00`.
  public var description: String { CivilText.string { $0.append(self) } }

  /// Parses `07:30` or `07:30:00` only.
  public init?(_ text: String) {
    var text = CivilText.Reader(text)
    guard let time = text.time(secondsMayLack: true), text.isAtEnd else { return nil }
    self = time
  }
}
