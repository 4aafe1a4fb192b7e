// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

/// A month of a year, for queries about its days. Days are searched by month: the matching days of a month are the bits
/// of one number.
struct Month: Sendable {
  let year: Int
  /// 1 to 12.
  let number: Int
  /// 28 to 31.
  let length: Int
  /// The day number of the 1st.
  let start: Int
  /// The weekday of the 1st.
  let firstWeekday: Weekday

  init(containing date: CivilDate) {
    let first = date.firstOfMonth
    self.init(date.year, date.month, length: date.daysInMonth, start: first.dayNumber, first.weekday)
  }

  init?(year: Int, number: Int) {
    guard let first = CivilDate(year: year, month: number, day: 1) else { return nil }
    self.init(containing: first)
  }

  private init(_ year: Int, _ number: Int, length: Int, start: Int, _ firstWeekday: Weekday) {
    self.year = year
    self.number = number
    self.length = length
    self.start = start
    self.firstWeekday = firstWeekday
  }

  /// The next month; nil after December 9999.
  var next: Month? {
    guard let first = CivilDate(dayNumber: start + length) else { return nil }
    return Month(
      first.year, first.month, length: first.daysInMonth, start: start + length, firstWeekday.adding(days: length))
  }

  /// Months since the year 0.
  var index: Int { year * 12 + number - 1 }
  var days: BitSet { BitSet(1...length) }
  var end: Int { start + length - 1 }

  /// The number of days of the year before it.
  var daysBefore: Int { start - (CivilDate(year: year, dayOfYear: 1)?.dayNumber ?? start) }
  var daysInYear: Int { CivilDate(dayNumber: start)?.daysInYear ?? 365 }

  /// The days on those weekdays.
  func days(on weekdays: Weekdays) -> BitSet {
    let week = weekdays.bits(startingOn: firstWeekday)
    let weeks = week | week << 7 | week << 14 | week << 21 | week << 28
    return BitSet(bits: weeks << 1) & days
  }

  /// The first such weekday, which every month has.
  func first(_ weekday: Weekday) -> Int { 1 + firstWeekday.days(until: weekday) }
}

/// A set of weekdays.
struct Weekdays: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  static let all = Weekdays(rawValue: 0b111_1111)

  init(rawValue: UInt8) { self.rawValue = rawValue }
  init(_ weekday: Weekday) { rawValue = 1 << UInt8(weekday.rawValue - 1) }

  /// From one day to another, possibly across the end of the week.
  init(_ first: Weekday, through last: Weekday) {
    self = []
    for days in 0...first.days(until: last) { insert(Weekdays(first.adding(days: days))) }
  }

  /// Bit 0 is that day, bit 6 the day before it.
  func bits(startingOn first: Weekday) -> UInt64 {
    let shift = UInt64(first.rawValue - 1)
    let bits = UInt64(rawValue)
    return (bits >> shift | bits << (7 - shift)) & 0b111_1111
  }
}
