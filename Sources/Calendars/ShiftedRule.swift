// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

/// A recurrence rule shifted by a constant time, for an alarm before a repeating event.
///
/// Within a day, only the start changes. If the alarm is on another day, the rule's days change too: the evening before
/// every Monday is every Sunday. Not every rule can be shifted: the day before the last day of a month can be
/// expressed, the day before the first Tuesday cannot.
struct ShiftedRule {
  /// The rule in iCalendar notation.
  private(set) var text: String
  /// The number of days that the dates moved.
  let days: Int

  struct Unsupported: Error {}

  /// - Parameters:
  ///   - until: the new value of `UNTIL`, if the rule has one.
  init(_ rule: String, from start: CivilDateTime, by seconds: Int, until: String?) throws(Unsupported) {
    var parts = rule.split(separator: ";").map { part in
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return (name: pair[0].uppercased(), value: pair.count > 1 ? pair[1].uppercased() : "")
    }
    if let until, let index = parts.firstIndex(where: { $0.name == "UNTIL" }) { parts[index].value = until }
    let known = Dictionary(parts.map { ($0.name, $0.value) }) { first, _ in first }
    var shift = Shift(known, start: start, seconds: seconds)
    if seconds != 0 { try shift.apply() }
    days = shift.days
    let names = parts.map(\.name) + shift.parts.keys.filter { known[$0] == nil }.sorted()
    text = names.compactMap { name in shift.parts[name].map { "\(name)=\($0)" } }.joined(separator: ";")
  }
}

private struct Shift {
  var parts: [String: String]
  let start: CivilDateTime
  let seconds: Int
  private(set) var days = 0

  init(_ parts: [String: String], start: CivilDateTime, seconds: Int) {
    (self.parts, self.start, self.seconds) = (parts, start, seconds)
    days = Self.floor(start.time.secondOfDay + seconds, 86_400)
  }

  private static func floor(_ number: Int, _ divisor: Int) -> Int {
    (number - (number % divisor + divisor) % divisor) / divisor
  }

  private func numbers(_ name: String) throws(ShiftedRule.Unsupported) -> [Int]? {
    guard let text = parts[name] else { return nil }
    let numbers = text.split(separator: ",").map { Int($0) }
    // No part of a rule has larger numbers, and their sums and products fit.
    guard !numbers.isEmpty, numbers.allSatisfy({ $0.map { -10_000...10_000 ~= $0 } ?? false }) else {
      throw ShiftedRule.Unsupported()
    }
    return numbers.compactMap(\.self)
  }

  private func has(_ names: String...) -> Bool { names.contains { parts[$0] != nil } }

  mutating func apply() throws(ShiftedRule.Unsupported) {
    let frequency = parts["FREQ"] ?? ""
    if ["SECONDLY", "MINUTELY", "HOURLY"].contains(frequency) {
      // Elapsed time: only the start changes.
      guard !parts.keys.contains(where: { $0.hasPrefix("BY") }) else { throw ShiftedRule.Unsupported() }
      return
    }
    try shiftTimes()
    guard days != 0 else { return }
    switch frequency {
    case "DAILY":
      guard !has("BYMONTH", "BYMONTHDAY", "BYYEARDAY", "BYSETPOS") else { throw ShiftedRule.Unsupported() }
      try shiftWeekdays()
    case "WEEKLY":
      guard !has("BYMONTH") else { throw ShiftedRule.Unsupported() }
      try shiftWeekdays()
      // Shift the week start as well; otherwise `INTERVAL=2` could select the other weeks.
      parts["WKST"] = try Self.weekday(parts["WKST"] ?? "MO", days)
    case "MONTHLY":
      guard !has("BYMONTH", "BYSETPOS") else { throw ShiftedRule.Unsupported() }
      try shiftMonthDays()
    case "YEARLY": try shiftYear()
    default: throw ShiftedRule.Unsupported()
    }
  }

  private mutating func shiftTimes() throws(ShiftedRule.Unsupported) {
    guard has("BYHOUR", "BYMINUTE", "BYSECOND") else { return }
    let hours = try numbers("BYHOUR") ?? [start.time.hour]
    let minutes = try numbers("BYMINUTE") ?? [start.time.minute]
    let secs = try numbers("BYSECOND") ?? [start.time.second]
    if hours.count == 1, minutes.count == 1, secs.count == 1 {
      let moved = (hours[0] * 60 + minutes[0]) * 60 + secs[0] + seconds
      days = Self.floor(moved, 86_400)
      let time = moved - days * 86_400
      parts["BYHOUR"] = "\(time / 3600)"
      parts["BYMINUTE"] = "\(time / 60 % 60)"
      parts["BYSECOND"] = "\(time % 60)"
      return
    }
    guard seconds % 3600 == 0 else { throw ShiftedRule.Unsupported() }
    let moved = hours.map { $0 + seconds / 3600 }
    let shifts = Set(moved.map { Self.floor($0, 24) })
    guard shifts.count == 1, let shift = shifts.first else { throw ShiftedRule.Unsupported() }
    days = shift
    parts["BYHOUR"] = moved.map { "\($0 - shift * 24)" }.joined(separator: ",")
  }

  // MARK: Days

  private static let weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

  private static func weekday(_ code: String, _ days: Int) throws(ShiftedRule.Unsupported) -> String {
    guard let index = weekdays.firstIndex(of: code) else { throw ShiftedRule.Unsupported() }
    return weekdays[((index + days) % 7 + 7) % 7]
  }

  private mutating func shiftWeekdays() throws(ShiftedRule.Unsupported) {
    guard let text = parts["BYDAY"] else { return }
    var codes: [String] = []
    for code in text.split(separator: ",") { codes.append(try Self.weekday(String(code), days)) }
    parts["BYDAY"] = codes.joined(separator: ",")
  }

  private mutating func shiftMonthDays() throws(ShiftedRule.Unsupported) {
    if has("BYDAY") {
      guard !has("BYMONTHDAY") else { throw ShiftedRule.Unsupported() }
      return try shiftOrdinal()
    }
    let named = try numbers("BYMONTHDAY") ?? [start.date.day]
    // If only some days move into the previous month, `INTERVAL` would select different months for them.
    let crossing = named.count { $0 > 0 && $0 + days < 1 }
    guard crossing == 0 || crossing == named.count || (parts["INTERVAL"] ?? "1") == "1" else {
      throw ShiftedRule.Unsupported()
    }
    parts["BYMONTHDAY"] = try named.map { day throws(ShiftedRule.Unsupported) in "\(try moved(day))" }
      .joined(separator: ",")
  }

  /// A shifted day of the month, counted from its beginning or end; only days that every month has.
  private func moved(_ day: Int) throws(ShiftedRule.Unsupported) -> Int {
    let moved = day + days
    if (1...28).contains(day) {
      if (1...28).contains(moved) { return moved }
      // The day before the first is the last day of the previous month, whatever its length.
      if moved <= 0 && moved >= -27 { return moved - 1 }
    } else if (-28 ... -1).contains(day), (-28 ... -1).contains(moved) {
      return moved
    }
    throw ShiftedRule.Unsupported()
  }

  /// `2TU` is the Tuesday among days 8 to 14; one day earlier is the Monday among days 7 to 13.
  private mutating func shiftOrdinal() throws(ShiftedRule.Unsupported) {
    let text = parts["BYDAY"] ?? ""
    guard let ordinal = Int(text.dropLast(2)), ordinal != 0, abs(ordinal) <= 4 else { throw ShiftedRule.Unsupported() }
    let first = ordinal > 0 ? 7 * ordinal - 6 : 7 * ordinal
    let range = (first + days)...(first + 6 + days)
    guard range.lowerBound >= 1 && range.upperBound <= 28 || range.lowerBound >= -28 && range.upperBound <= -1 else {
      throw ShiftedRule.Unsupported()
    }
    parts["BYDAY"] = try Self.weekday(String(text.suffix(2)), days)
    parts["BYMONTHDAY"] = range.map(String.init).joined(separator: ",")
  }

  /// Supports only the yearly date of the start, unless the shift crosses 29 February.
  private mutating func shiftYear() throws(ShiftedRule.Unsupported) {
    guard !has("BYDAY", "BYWEEKNO", "BYYEARDAY", "BYSETPOS") else { throw ShiftedRule.Unsupported() }
    let (months, monthDays) = (try numbers("BYMONTH"), try numbers("BYMONTHDAY"))
    guard months == nil || months == [start.date.month], monthDays == nil || monthDays == [start.date.day],
      monthDays == nil || months != nil
    else { throw ShiftedRule.Unsupported() }
    func date(_ year: Int) -> CivilDate? {
      CivilDate(year: year, month: start.date.month, day: start.date.day)?.adding(days: days)
    }
    guard let common = date(2026), let leap = date(2024), common.month == leap.month, common.day == leap.day,
      let afterLeap = date(2025), afterLeap.month == leap.month, afterLeap.day == leap.day
    else { throw ShiftedRule.Unsupported() }
    parts["BYMONTH"] = "\(common.month)"
    parts["BYMONTHDAY"] = "\(common.day)"
  }
}
