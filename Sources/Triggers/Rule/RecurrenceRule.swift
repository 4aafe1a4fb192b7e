// SPDX-License-Identifier: Apache-2.0
public import Zoneinfo

/// A recurrence rule of calendars, [RFC 5545](https://www.rfc-editor.org/rfc/rfc5545#section-3.3.10):
/// `FREQ=WEEKLY;BYDAY=MO,TU,TH;BYHOUR=7;BYMINUTE=30`. Parts that it leaves open come from its start: see
/// ``Recurrence``.
public struct RecurrenceRule: Hashable, Sendable {
  /// The length of a period: each has a set of dates, and every `interval`th period counts.
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

  /// The end of the rule.
  public enum Until: Hashable, Sendable {
    /// The end of that day.
    case date(CivilDate)
    /// A wall clock time, inclusive.
    case wall(CivilDateTime)
    /// A moment, inclusive, the same in all zones.
    case instant(Instant)
  }

  /// A weekday; with an ordinal, only the first (1), second …, or last (-1) … of its month or year.
  public struct Day: Hashable, Sendable {
    /// The ordinal; nil for every such weekday.
    public let ordinal: Int?
    /// The day of the week.
    public let weekday: Weekday
  }

  /// `FREQ`.
  public internal(set) var frequency: Frequency
  /// `INTERVAL`: the number of periods from one that counts to the next.
  public internal(set) var interval = 1
  /// `COUNT`: the number of dates.
  public internal(set) var count: Int?
  /// `UNTIL`; never combined with a count.
  public internal(set) var until: Until?
  /// `WKST`: the first day of a week, which matters for `weekly` and for `weekNumbers`.
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
  /// The rule as text, with its parts in a fixed order.
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
