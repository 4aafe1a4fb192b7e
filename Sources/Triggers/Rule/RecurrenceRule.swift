// SPDX-License-Identifier: Apache-2.0
public import Zoneinfo

/// A repetition as calendars exchange it, [RFC 5545](https://www.rfc-editor.org/rfc/rfc5545#section-3.3.10):
/// `FREQ=WEEKLY;BYDAY=MO,TU,TH;BYHOUR=7;BYMINUTE=30`. What it leaves open is that of its start: see ``Recurrence``.
public struct RecurrenceRule: Hashable, Sendable {
  /// How long a period is: each has a set of dates, and every `interval`th period counts.
  public enum Frequency: String, CaseIterable, Sendable {
    /// One second each.
    case secondly = "SECONDLY"
    /// One minute each.
    case minutely = "MINUTELY"
    /// One hour each.
    case hourly = "HOURLY"
    /// One day each.
    case daily = "DAILY"
    /// One week each, which starts on `weekStart`.
    case weekly = "WEEKLY"
    /// One month each.
    case monthly = "MONTHLY"
    /// One year each.
    case yearly = "YEARLY"
  }

  /// The last date that may be.
  public enum Until: Hashable, Sendable {
    /// That whole day.
    case date(CivilDate)
    /// Up to and with this, on the wall clock.
    case wall(CivilDateTime)
    /// Up to and with this moment, wherever it is.
    case instant(Instant)
  }

  /// A weekday; with an ordinal, only the first (1), second …, or last (-1) … of its month or year.
  public struct Day: Hashable, Sendable {
    /// Nil for each.
    public let ordinal: Int?
    /// Which day of the week.
    public let weekday: Weekday
  }

  /// `FREQ`.
  public internal(set) var frequency: Frequency
  /// `INTERVAL`: every so many periods.
  public internal(set) var interval = 1
  /// `COUNT`: so many dates, and no more.
  public internal(set) var count: Int?
  /// `UNTIL`; never together with a count.
  public internal(set) var until: Until?
  /// `WKST`: what weeks start on, which matters for `weekly` and for `weekNumbers`.
  package internal(set) var weekStart = Weekday.monday
  /// `BYMONTH`, 1 to 12.
  public internal(set) var months: [Int] = []
  /// `BYWEEKNO`, 1 to 53 or -53 to -1.
  var weekNumbers: [Int] = []
  /// `BYYEARDAY`, 1 to 366 or -366 to -1.
  var yearDays: [Int] = []
  /// `BYMONTHDAY`, 1 to 31 or -31 to -1.
  public internal(set) var monthDays: [Int] = []
  /// `BYDAY`.
  public internal(set) var days: [Day] = []
  /// `BYHOUR`, 0 to 23.
  public internal(set) var hours: [Int] = []
  /// `BYMINUTE`, 0 to 59.
  public internal(set) var minutes: [Int] = []
  /// `BYSECOND`, 0 to 59: a leap second, 60, is read as the second before it, as RFC 5545, 3.3.12, says.
  public internal(set) var seconds: [Int] = []
  /// `BYSETPOS`: the first (1), second …, or last (-1) … of each period's dates.
  var positions: [Int] = []

  init(_ frequency: Frequency) { self.frequency = frequency }
}

extension RecurrenceRule: CustomStringConvertible {
  /// The rule in the form it is read in, with its parts in a fixed order.
  public var description: String {
    var parts = ["FREQ=\(frequency.rawValue)"]
    if interval != 1 { parts.append("INTERVAL=\(interval)") }
    if let count { parts.append("COUNT=\(count)") }
    if let until { parts.append("UNTIL=\(until)") }
    if weekStart != .monday { parts.append("WKST=\(weekStart.code)") }
    func add(_ name: String, _ numbers: [Int]) {
      if !numbers.isEmpty { parts.append("\(name)=\(numbers.map(String.init).joined(separator: ","))") }
    }
    add("BYMONTH", months)
    add("BYWEEKNO", weekNumbers)
    add("BYYEARDAY", yearDays)
    add("BYMONTHDAY", monthDays)
    if !days.isEmpty { parts.append("BYDAY=\(days.map(\.description).joined(separator: ","))") }
    add("BYHOUR", hours)
    add("BYMINUTE", minutes)
    add("BYSECOND", seconds)
    add("BYSETPOS", positions)
    return parts.joined(separator: ";")
  }
}

extension RecurrenceRule.Day: CustomStringConvertible {
  /// `MO`, `-1SU`.
  public var description: String { (ordinal.map(String.init) ?? "") + weekday.code }
}

extension RecurrenceRule.Until: CustomStringConvertible {
  /// `20261224`, `20261224T180000`, `20261224T170000Z`.
  public var description: String {
    func digits(_ text: some CustomStringConvertible) -> String { text.description.filter { $0 != "-" && $0 != ":" } }
    return switch self {
    case .date(let date): digits(date)
    case .wall(let wall): digits(wall)
    case .instant(let instant): digits(instant)
    }
  }
}

extension Weekday {
  /// RFC 5545's two letters.
  var code: String { String(longName.prefix(2)).uppercased() }

  init?(code: String) {
    guard let day = Self.allCases.first(where: { $0.code == code.uppercased() }) else { return nil }
    self = day
  }
}
