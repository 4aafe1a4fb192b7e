// SPDX-License-Identifier: Apache-2.0

/// A date and time as a local clock shows it; only a zone or an offset makes it an instant.
public struct CivilDateTime: Hashable, Sendable {
  /// The date.
  public let date: CivilDate
  /// The time of day.
  public let time: CivilTime

  /// Combines a date and a time.
  @inline(__always)
  public init(_ date: CivilDate, _ time: CivilTime) {
    self.date = date
    self.time = time
  }

  /// Nil if the date or time does not exist.
  public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    guard let date = CivilDate(year: year, month: month, day: day),
      let time = CivilTime(hour: hour, minute: minute, second: second)
    else { return nil }
    self.init(date, time)
  }

  /// 0001-01-01T00:00:00.
  public static let first = CivilDateTime(.first, .midnight)
  /// 9999-12-31T23:59:59.
  public static let last = CivilDateTime(.last, CivilTime(unchecked: CivilTime.secondsPerDay - 1))

  /// The date and time that many clock seconds later; nil outside the years 1 to 9999.
  public func adding(seconds: Int) -> CivilDateTime? {
    let (clock, overflowed) = clockSeconds.addingReportingOverflow(Int64(seconds))
    return overflowed ? nil : CivilDateTime(clockSeconds: clock)
  }

  /// Clock seconds from 1970-01-01T00:00:00, as if the offset had never changed.
  @inline(__always)
  var clockSeconds: Int64 {
    Int64(date.dayNumber * CivilTime.secondsPerDay + time.secondOfDay)
  }

  @inline(__always)
  init?(clockSeconds: Int64) {
    let seconds = Int(clockSeconds)
    guard seconds > Int.min + CivilTime.secondsPerDay else { return nil }
    let day = Gregorian.floorDivide(seconds, CivilTime.secondsPerDay)
    guard let date = CivilDate(dayNumber: day) else { return nil }
    self.init(date, CivilTime(unchecked: seconds - day * CivilTime.secondsPerDay))
  }
}

extension CivilDateTime: Comparable {
  /// Whether the left value is earlier on a clock that is never adjusted.
  public static func < (left: CivilDateTime, right: CivilDateTime) -> Bool {
    left.date == right.date ? left.time < right.time : left.date < right.date
  }
}

extension CivilDateTime: LosslessStringConvertible {
  /// In ISO 8601 form without an offset: `2026-11-21T07:30:00`.
  public var description: String { CivilText.string { $0.append(self) } }

  /// Parses `2026-11-21T07:30:00`; seconds are optional, and the `T` may be a space.
  public init?(_ text: String) {
    var text = CivilText.Reader(text)
    guard let both = text.dateTime(secondsMayLack: true), text.isAtEnd else { return nil }
    self = both
  }
}
