// SPDX-License-Identifier: Apache-2.0

/// A calendar date without a place: proleptic Gregorian, years 1 to 9999. Every value is a valid date.
public struct CivilDate: Hashable, Sendable {
  private let storedYear: Int16
  private let storedMonth: UInt8
  private let storedDay: UInt8

  /// The supported years, those with four digits.
  public static let years = 1...9999
  /// The first supported date, 0001-01-01.
  public static let first = CivilDate(unchecked: 1, 1, 1)
  /// The last supported date, 9999-12-31.
  public static let last = CivilDate(unchecked: 9999, 12, 31)

  /// 1 to 9999.
  public var year: Int { Int(storedYear) }
  /// 1 to 12.
  public var month: Int { Int(storedMonth) }
  /// 1 to 31.
  public var day: Int { Int(storedDay) }

  /// Nil for a date that does not exist, such as 29 February in most years.
  public init?(year: Int, month: Int, day: Int) {
    guard Self.years.contains(year), 1...12 ~= month, day >= 1, day <= Gregorian.days(inMonth: month, of: year)
    else { return nil }
    self.init(unchecked: year, month, day)
  }

  /// The date that many days after 1970-01-01; nil outside the years 1 to 9999.
  public init?(dayNumber: Int) {
    guard Self.dayNumbers.contains(dayNumber) else { return nil }
    self.init(uncheckedDayNumber: dayNumber)
  }

  /// The date from its day of the year, 1 to 366; nil if the year has no such day.
  public init?(year: Int, dayOfYear: Int) {
    guard Self.years.contains(year), dayOfYear >= 1, dayOfYear <= Gregorian.days(inYear: year) else { return nil }
    self.init(uncheckedDayNumber: Gregorian.dayNumber(year, 1, 1) + dayOfYear - 1)
  }

  /// The first (1), second … fifth, or last (-1), second to last … such weekday of a month; nil if the month has too
  /// few.
  public init?(year: Int, month: Int, ordinal: Int, _ weekday: Weekday) {
    guard let first = CivilDate(year: year, month: month, day: 1), -5...5 ~= ordinal, ordinal != 0 else { return nil }
    let day =
      if ordinal > 0 {
        1 + first.weekday.days(until: weekday) + 7 * (ordinal - 1)
      } else {
        first.daysInMonth - weekday.days(until: first.lastOfMonth.weekday) + 7 * (ordinal + 1)
      }
    self.init(year: year, month: month, day: day)
  }

  /// For values that are already checked.
  @inline(__always)
  init(unchecked year: Int, _ month: Int, _ day: Int) {
    storedYear = Int16(truncatingIfNeeded: year)
    storedMonth = UInt8(truncatingIfNeeded: month)
    storedDay = UInt8(truncatingIfNeeded: day)
  }

  /// For a number within ``dayNumbers``.
  @inline(__always)
  init(uncheckedDayNumber number: Int) {
    let (year, month, day) = Gregorian.date(number)
    self.init(unchecked: year, month, day)
  }

  static let dayNumbers = Gregorian.dayNumber(1, 1, 1)...Gregorian.dayNumber(9999, 12, 31)
}

extension CivilDate {
  /// Days from 1970-01-01, negative before.
  public var dayNumber: Int { Gregorian.dayNumber(year, month, day) }
  /// The day of the week.
  public var weekday: Weekday { Weekday(dayNumber: dayNumber) }
  /// 1 for 1 January, to 365 or 366.
  public var dayOfYear: Int { dayNumber - Gregorian.dayNumber(year, 1, 1) + 1 }
  /// The number of days in the month.
  public var daysInMonth: Int { Gregorian.days(inMonth: month, of: year) }
  /// The number of days in the year.
  public var daysInYear: Int { Gregorian.days(inYear: year) }
  /// The first day of the month.
  public var firstOfMonth: CivilDate { CivilDate(unchecked: year, month, 1) }
  /// The last day of the month.
  var lastOfMonth: CivilDate { CivilDate(unchecked: year, month, daysInMonth) }

  /// The date that many days later, or earlier if negative; nil outside the years 1 to 9999.
  public func adding(days: Int) -> CivilDate? {
    let (number, overflowed) = dayNumber.addingReportingOverflow(days)
    return overflowed ? nil : CivilDate(dayNumber: number)
  }

  /// The same day that many months later; nil if that month has no such day.
  public func adding(months: Int) -> CivilDate? {
    let (count, overflowed) = (year * 12 + month - 1).addingReportingOverflow(months)
    guard !overflowed, count >= 0 else { return nil }
    return CivilDate(year: count / 12, month: count % 12 + 1, day: day)
  }

  /// The same day that many years later; nil if that year has no such day, as for 29 February.
  public func adding(years: Int) -> CivilDate? {
    let (year, overflowed) = year.addingReportingOverflow(years)
    return overflowed ? nil : CivilDate(year: year, month: month, day: day)
  }

  /// The number of days from another date to this one.
  public func days(since other: CivilDate) -> Int { dayNumber - other.dayNumber }
}

extension CivilDate: Comparable {
  @inline(__always)
  private var order: Int { year << 16 | month << 8 | day }

  /// Whether the left date is earlier.
  public static func < (left: CivilDate, right: CivilDate) -> Bool { left.order < right.order }
}

extension CivilDate: LosslessStringConvertible {
  /// In ISO 8601 form: `2026-11-21`.
  public var description: String { CivilText.string { $0.append(self) } }

  /// Parses `2026-11-21` only.
  public init?(_ text: String) {
    var text = CivilText.Reader(text)
    guard let date = text.date(), text.isAtEnd else { return nil }
    self = date
  }
}
