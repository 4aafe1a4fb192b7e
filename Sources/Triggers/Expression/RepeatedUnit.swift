// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

/// Every so many days, weeks, months or years in words: `every other week`, `3 months`, `every 2 weeks on monday 9:00`.
/// Only a rule can express it.
struct RepeatedUnit {
  /// The rule to use instead, with an hour for the user to change if the text has no time.
  let rule: String

  /// Returns nil if the text is something else, or a duration says the same.
  init?(_ words: [String]) {
    let words = words.map { $0.lowercased() }
    if words == ["bimonthly"] || words == ["biweekly"] || words == ["fortnightly"] {
      rule = "FREQ=\(words[0] == "bimonthly" ? "MONTHLY" : "WEEKLY");INTERVAL=2;BYHOUR=9"
      return
    }
    var rest = words[...]
    let isEvery = rest.first == "every" || rest.first == "each"
    if isEvery { rest.removeFirst() }
    guard let (count, unit, isNumber) = Self.head(&rest, isEvery: isEvery), count > 1 else { return nil }
    let isUnit = rest.allSatisfy { $0 == "at" }
    // A number of hours, days or weeks is a duration.
    if isNumber, isUnit, !["MONTHLY", "YEARLY"].contains(unit) { return nil }
    var rule = "FREQ=\(unit);INTERVAL=\(count)"
    if isUnit {
      self.rule = rule + (unit == "HOURLY" ? "" : ";BYHOUR=9")
      return
    }
    guard unit != "HOURLY" else { return nil }
    var days: [String] = []
    while let word = rest.first, HumanTimeReader.clock(word) == nil,
      !(word.first?.isNumber ?? false) || unit == "MONTHLY"
    {
      rest.removeFirst()
      if ["on", "the", "at", "and"].contains(word) { continue }
      if unit == "WEEKLY", let day = Weekday(misspelt: word) {
        days.append(day.shortName.prefix(2).uppercased())
      } else if unit == "MONTHLY", ["st", "nd", "rd", "th"].contains(word.suffix(2)), let day = Int(word.dropLast(2)),
        1...31 ~= day
      {
        days.append("\(day)")
      } else {
        return nil
      }
    }
    if !days.isEmpty { rule += (unit == "WEEKLY" ? ";BYDAY=" : ";BYMONTHDAY=") + days.joined(separator: ",") }
    guard !rest.isEmpty else {
      self.rule = rule + ";BYHOUR=9"
      return
    }
    guard let time = HumanTimeReader.clock(rest.joined()), time.second == 0 else { return nil }
    self.rule = rule + ";BYHOUR=\(time.hour)" + (time.minute == 0 ? "" : ";BYMINUTE=\(time.minute)")
  }

  /// `other week`, `3 months`, `3months`, `three months`.
  private static func head(
    _ rest: inout ArraySlice<String>, isEvery: Bool
  ) -> (count: Int, unit: String, isNumber: Bool)? {
    guard let first = rest.popFirst() else { return nil }
    if isEvery, let count = ["other": 2, "second": 2, "2nd": 2, "third": 3, "3rd": 3][first] {
      guard let unit = rest.popFirst().flatMap({ units[$0] }) else { return nil }
      return (count, unit, false)
    }
    let digits = first.prefix { $0.isASCII && $0.isNumber }
    let name = first.dropFirst(digits.count)
    guard let count = Int(digits) ?? ["two": 2, "three": 3, "four": 4, "six": 6][first], count <= 1000 else {
      return nil
    }
    let word = digits.isEmpty || name.isEmpty ? rest.popFirst() : String(name)
    guard let word else { return nil }
    let singular = word.last == "s" && word.count > 3 ? String(word.dropLast()) : word
    let short = ["mo": "MONTHLY", "mon": "MONTHLY", "y": "YEARLY", "yr": "YEARLY"]
    guard let unit = units[singular] ?? short[singular] else { return nil }
    return (count, unit, true)
  }

  private static let units = [
    "hour": "HOURLY", "day": "DAILY", "week": "WEEKLY", "month": "MONTHLY", "year": "YEARLY",
  ]
}
