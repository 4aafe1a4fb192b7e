// SPDX-License-Identifier: Apache-2.0
public import Zoneinfo

/// A repetition in systemd's calendar form: `Mon,Tue,Thu 07:30`, `*-*~1 18:00` (the last day of every month),
/// `Sat *-*-1..7 09:00` (the first Saturday), `*:0/15`, `hourly`.
///
/// The syntax is that of
/// [systemd.time](https://www.freedesktop.org/software/systemd/man/latest/systemd.time.html#Calendar%20Events) with
/// extensions: weekdays may wrap around the end of the week (`Fri..Mon`), `*/2` is every other, and a `T` may separate
/// date and time. More than one date per second is an error; fractions of a second are cut off.
public struct CalendarExpression: Hashable, Sendable {
  /// The zone in the expression, an IANA name or `UTC`; nil if there is none.
  public let zone: String?
  /// The weekdays, empty for all; or those of the shorthand.
  let weekdays: Weekdays
  let years, months, days, hours, minutes, seconds: CalendarField
  /// Whether `days` count from the month's end.
  let daysAreFromEnd: Bool
  private let pattern: CalendarPattern<Days>

  /// Creates an expression from individually checked fields; throws if no date matches all of them.
  init(_ fields: Fields, _ search: inout DateSearch) throws(TriggerError) {
    zone = fields.zone
    weekdays = fields.weekdays
    (years, months, days) = (fields.years, fields.months, fields.days)
    (hours, minutes, seconds) = (fields.hours, fields.minutes, fields.seconds)
    daysAreFromEnd = fields.daysAreFromEnd && !fields.days.isEverything
    pattern = CalendarPattern(
      days: Days(fields),
      times: TimesOfDay(
        hours: hours.values(in: 0...23), minutes: minutes.values(in: 0...59), seconds: seconds.values(in: 0...59)),
      namesHours: !hours.isEverything)
    guard try pattern.first(from: .first, &search) != nil else {
      throw TriggerError(
        .impossible, "\(description.inQuotes) never occurs: no month of any of these years has such a day",
        advice: "write \(lastDay.inQuotes) for the last day of that month")
    }
  }

  /// The last day of its months.
  private var lastDay: String { "*-\(months.text(digits: 2))~1" }

  /// The value of each field, before it is known whether any date matches.
  struct Fields {
    var zone: String?
    var weekdays = Weekdays.all
    var years = CalendarField()
    var months = CalendarField()
    var days = CalendarField()
    var hours = CalendarField(spans: [.init(start: 0)])
    var minutes = CalendarField(spans: [.init(start: 0)])
    var seconds = CalendarField(spans: [.init(start: 0)])
    var daysAreFromEnd = false
  }
}

extension CalendarExpression: WallDates {
  /// Whether an hour is given; `*:30` fires in every hour.
  public var namesHours: Bool { pattern.namesHours }
  /// Returns the first date that is not before `moment`.
  public func first(from moment: CivilDateTime, _ search: inout DateSearch) throws(TriggerError) -> CivilDateTime? {
    try pattern.first(from: moment, &search)
  }
  /// Counts the dates from `start` on and before `end`.
  public func count(
    from start: CivilDateTime, before end: CivilDateTime, _ search: inout DateSearch
  ) throws(TriggerError) -> Int {
    try pattern.count(from: start, before: end, &search)
  }
}

extension CalendarExpression {
  /// The days of an expression. Those of a month depend only on its number, its length and its first weekday.
  struct Days: DayPattern, Hashable {
    private let years: CalendarField
    private let months: BitSet
    private let weekdays: Weekdays
    /// For months of 28, 29, 30 and 31 days.
    private let daysByLength: [BitSet]

    init(_ fields: Fields) {
      years = fields.years
      weekdays = fields.weekdays
      daysByLength = (28...31).map { length in
        fields.daysAreFromEnd && !fields.days.isEverything
          ? fields.days.valuesFromEnd(ofMonthWith: length) : fields.days.values(in: 1...length)
      }
      // Skips months that are too short in every year.
      let longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      let daysByLength = daysByLength
      months = BitSet(
        fields.months.values(in: 1...12).filter { !daysByLength[longest[$0 - 1] - 28].isEmpty })
    }

    /// Searches the years span by span.
    var steps: Int { 1 + years.spans.count / 8 }
    var cycle: Int { years.isEverything ? 4800 + 12 : .max }
    var isSameAfter400Years: Bool { years.isEverything }

    func days(of month: Month) -> BitSet {
      guard months.contains(month.number), years.first(from: month.year, upTo: month.year) != nil else { return .none }
      let days = daysByLength[month.length - 28]
      return weekdays == .all ? days : days & month.days(on: weekdays)
    }

    func candidate(from month: Month) -> Month? {
      guard !months.isEmpty, let year = years.first(from: month.year, upTo: CivilDate.years.upperBound)
      else { return nil }
      if year == month.year, let number = months.first(from: month.number) {
        return number == month.number ? month : Month(year: year, number: number)
      }
      let later = year == month.year ? years.first(from: year + 1, upTo: CivilDate.years.upperBound) : year
      return later.flatMap { Month(year: $0, number: months.first) }
    }
  }
}

extension CalendarExpression: CustomStringConvertible {
  /// The expression in full, as `systemd-analyze calendar` normalizes it: `Mon,Tue,Thu *-*-* 07:30:00`.
  public var description: String {
    var text = weekdays == .all ? "" : weekdays.text + " "
    text += date + " "
    text += "\(hours.text(digits: 2)):\(minutes.text(digits: 2)):\(seconds.text(digits: 2))"
    return zone.map { "\(text) \($0)" } ?? text
  }

  /// Its years, months and days: `*-*-01`.
  var date: String {
    "\(years.text(digits: 4))-\(months.text(digits: 2))\(daysAreFromEnd ? "~" : "-")\(days.text(digits: 2))"
  }
}

extension Weekdays {
  /// `Mon..Wed,Fri`: three or more consecutive days form a range.
  var text: String {
    let names = Weekday.allCases.map(\.shortName)
    var parts: [String] = []
    var day = 0
    while day < 7 {
      guard rawValue & 1 << day != 0 else {
        day += 1
        continue
      }
      var last = day
      while last < 6, rawValue & 1 << (last + 1) != 0 { last += 1 }
      parts += last - day >= 2 ? ["\(names[day])..\(names[last])"] : names[day...last]
      day = last + 1
    }
    return parts.joined(separator: ",")
  }
}

extension Weekday {
  /// `Mon` to `Sun`.
  var shortName: String { ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][rawValue - 1] }
  /// `Monday` to `Sunday`.
  var longName: String {
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][rawValue - 1]
  }

  /// Parses an English name, in full or its first three letters, in any case.
  init?(name: some StringProtocol) {
    let name = name.lowercased()
    guard
      let day = Self.allCases.first(where: { $0.longName.lowercased() == name || $0.shortName.lowercased() == name })
    else { return nil }
    self = day
  }
}
