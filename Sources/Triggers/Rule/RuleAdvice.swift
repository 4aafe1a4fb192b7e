// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

/// What to write instead of parts of a rule in another form: `BYHOUR=9:30`, `BYDAY=LASTFR`, `TZID=Europe/Paris`.
enum RuleAdvice {
  /// The parts for hours that are times: `BYHOUR=9;BYMINUTE=30` for `9:30`. Times with different minutes are no rule.
  static func numbers(_ name: String, _ value: String) -> String? {
    if name == "BYMONTH" {
      let months = value.split(separator: ",").map { HumanTimeReader.month($0.lowercased()) ?? Int($0) }
      guard months.allSatisfy({ $0.map { 1...12 ~= $0 } ?? false }) else { return nil }
      return "BYMONTH=" + months.compactMap { $0.map(String.init) }.joined(separator: ",")
    }
    if name == "BYMONTHDAY" {
      let days = value.lowercased().split(separator: ",").map { part -> Int? in
        if part == "last" { return -1 }
        return Int(["st", "nd", "rd", "th"].contains(part.suffix(2)) ? part.dropLast(2) : part)
      }
      guard days.allSatisfy({ $0.map { $0 != 0 && -31...31 ~= $0 } ?? false }) else { return nil }
      return "BYMONTHDAY=" + days.compactMap { $0.map(String.init) }.joined(separator: ",")
    }
    guard name == "BYHOUR" else { return nil }
    let times = value.split(separator: ",").map { part -> CivilTime? in
      if let hour = Int(part) { return CivilTime(hour: hour, minute: 0) }
      return HumanTimeReader.clock(part.lowercased())
    }
    var hours: [String] = []
    for time in times {
      guard let time, time.second == 0, time.minute == times[0]?.minute else { return nil }
      hours.append("\(time.hour)")
    }
    guard let minute = times.first??.minute else { return nil }
    return "BYHOUR=" + hours.joined(separator: ",") + (minute == 0 ? "" : ";BYMINUTE=\(minute)")
  }

  /// The weekdays that a text may mean: `-1FR` for `LASTFR`, `1MO` for `1STMO` and `MO1`, `MO,TU,WE` for `MO-WE`.
  static func days(_ text: String) -> String? {
    let text = text.uppercased().filter { !" _".contains($0) }
    if ["WEEKDAY", "WEEKDAYS"].contains(text) { return "MO,TU,WE,TH,FR" }
    if ["WEEKEND", "WEEKENDS"].contains(text) { return "SA,SU" }
    let ends = text.replacing("..", with: "-").split(separator: "-", omittingEmptySubsequences: false)
    if ends.count == 2, let first = Weekday(misspelt: ends[0]), let last = Weekday(misspelt: ends[1]) {
      let days = Weekdays(first, through: last)
      let all = Weekday.allCases.filter { !days.isDisjoint(with: Weekdays($0)) }
      return all.map { $0.code }.joined(separator: ",")
    }
    let ordinals: KeyValuePairs = [
      "LAST": "-1", "FIRST": "1", "1ST": "1", "SECOND": "2", "2ND": "2", "THIRD": "3", "3RD": "3", "FOURTH": "4",
      "4TH": "4", "FIFTH": "5", "5TH": "5",
    ]
    for (word, number) in ordinals where text.hasPrefix(word) {
      if let day = Weekday(misspelt: text.dropFirst(word.count)) { return number + day.code }
    }
    // The number behind the weekday.
    let name = text.prefix { $0.isLetter }
    guard let number = Int(text.dropFirst(name.count)), number != 0, -5...5 ~= number, let day = Weekday(misspelt: name)
    else { return nil }
    return "\(number)\(day.code)"
  }

  /// The error about a part that is no NAME=VALUE; nil if it is not known what is meant.
  static func error(aboutPart part: Scanner, isFirst: Bool) -> TriggerError? {
    let text = part.rest
    func error(_ advice: String) -> TriggerError {
      TriggerError(.invalid, "\(text.inQuotes) is not NAME=VALUE", column: part.column, advice: advice)
    }
    if let days = days(text) { return error("did you mean 'BYDAY=\(days)'?") }
    let upper = text.uppercased()
    if upper.hasPrefix("DTSTART") || upper.hasPrefix("EXDATE") || upper.hasPrefix("VTIMEZONE") {
      return advice(onPart: String(upper.prefix { $0.isLetter }), text).map(error)
    }
    let frequencies = RecurrenceRule.Frequency.allCases.map(\.rawValue)
    if isFirst, frequencies.contains(upper) { return error("did you mean 'FREQ=\(upper)'?") }
    if isFirst, upper.hasPrefix("FREQ:") { return error("did you mean 'FREQ=\(upper.dropFirst(5))'?") }
    return nil
  }

  /// What to do with a part of calendar files that belongs to another key.
  static func advice(onPart name: String, _ value: String) -> String? {
    switch name {
    case "TZID", "ZONE", "TZ":
      let zone = value.prefix { $0 != ":" && $0 != ";" }
      return "give a time zone by 'zone: \(zone)'"
    case "DTSTART":
      let digits = value.split(separator: ":").last ?? ""
      guard var reader = try? Scanner(String(digits), example: ""), let date = reader.compactDate() else {
        return "give the start by 'from'"
      }
      guard reader.takeWord("T"), let time = reader.compactTime() else { return "give the start by 'from: \(date)'" }
      let clock = "\(time)".dropLast(time.second == 0 ? 3 : 0)
      return "give the start by 'from: \(reader.takeWord("Z") ? "\(date)T\(clock)Z" : "\(date) \(clock)")'"
    case "BYTIME", "TIME", "AT": return numbers("BYHOUR", value).map { "write '\($0)'" }
    default: return nil
    }
  }
}
