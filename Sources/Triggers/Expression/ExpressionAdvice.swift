// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Zoneinfo

/// Advice about an expression that is written in another form: `every day`, `daily 07:30`, `Tues 7:30 am`.
struct ExpressionAdvice {
  private let words: [String]

  init(_ words: [Scanner.Word]) { self.words = words.map(\.text) }

  /// The words in the order of an expression: days come first, and cron's `*` before a time means every day.
  private var ordered: [String] {
    guard words.count == 2, words[1].contains(":") || words[0].contains(":") else { return words }
    if words[0] == "*" { return ["*-*-*", words[1]] }
    let isReversed = HumanTimeReader.clock(words[0]) != nil && Self.weekdays(words[1].lowercased()) != nil
    return isReversed ? [words[1], words[0]] : words
  }

  /// The error with the text to write instead, if the expression can be understood.
  func improve(_ error: TriggerError) -> TriggerError {
    guard error.code == .invalid, error.advice == nil, words.count <= 12 else { return error }
    if let line = CronLine(words.joined(separator: " ")) { return line.error.about(error.key) }
    if let spoken = SpokenTime(in: words) { return spoken.error }
    if let rule = OrdinalWeekday(words)?.rule ?? Self.everyOther(words) {
      return TriggerError(
        .invalid, "\(words.joined(separator: " ").inQuotes) needs a rule", advice: "use the rule '\(rule)'")
    }
    let better = rewritten.map { "write '\($0)'" }
    if words.count > 1, let shorthand = words.first(where: { Self.shorthands.contains($0.lowercased()) }) {
      return TriggerError(.invalid, "\(shorthand.inQuotes) stands alone", advice: better ?? "leave out the rest")
    }
    guard let better else { return error }
    if words.first?.lowercased() == "every" { return TriggerError(.invalid, "'every' is not needed", advice: better) }
    // What the parser expected says nothing beside the right form.
    let isOfParser =
      error.problem.hasPrefix("expected ") || error.problem.contains(" must follow ")
      || error.problem.contains(": write '")
    guard isOfParser else { return error.advising(better) }
    return TriggerError(
      .invalid, "\(words.joined(separator: " ").inQuotes) is not a schedule", key: error.key, advice: better)
  }

  /// The same schedule in the right form; nil if there is none.
  private var rewritten: String? {
    let ordered = ordered
    var words = ordered.map { $0.lowercased() }[...]
    if words.first == "every" || words.first == "each" { words.removeFirst() }
    if let text = Self.interval(words) { return text }
    var parts: [String] = []
    if let day = Self.dayOfMonth(&words) { parts.append(day) }
    while let word = words.popFirst() {
      if word == "at", let next = words.first, let hour = Int(next), 0...23 ~= hour {
        words.removeFirst()
        parts.append(hour < 10 ? "0\(hour):00" : "\(hour):00")
      } else if let next = words.first, let time = HumanTimeReader.clock(word + next), next.first?.isLetter == true {
        words.removeFirst()
        parts.append(Self.text(of: time))
      } else if let text = Self.part(word, isAlone: parts.isEmpty && words.isEmpty) {
        if !text.isEmpty { Self.add(text, to: &parts) }
      } else {
        // A zone, and the forms that are right already.
        parts.append(ordered[ordered.count - words.count - 1])
      }
    }
    if parts == [Self.lastDay] { parts.append("09:00") }
    let text = parts.joined(separator: " ")
    guard !text.isEmpty, text != self.words.joined(separator: " ") else { return nil }
    var search = DateSearch()
    return (try? CalendarExpression.parseAsWritten(text, &search)) == nil ? nil : text
  }

  /// The rule for `every other day` and `every second week`.
  private static func everyOther(_ words: [String]) -> String? {
    let words = words.map { $0.lowercased() }
    if words == ["bimonthly"] { return "FREQ=MONTHLY;INTERVAL=2;BYHOUR=9" }
    if words == ["biweekly"] || words == ["fortnightly"] { return "FREQ=WEEKLY;INTERVAL=2;BYHOUR=9" }
    guard words.count >= 3, ["every", "each"].contains(words[0]), let unit = units[words[2]],
      let number = ["other": 2, "second": 2, "2nd": 2, "third": 3, "3rd": 3][words[1]]
    else { return nil }
    let rule = "FREQ=\(unit);INTERVAL=\(number)"
    let rest = words.dropFirst(3).drop { $0 == "at" }
    if rest.isEmpty { return rule + (unit == "HOURLY" ? "" : ";BYHOUR=9") }
    guard unit != "HOURLY", let time = HumanTimeReader.clock(rest.joined()), time.second == 0 else { return nil }
    return rule + ";BYHOUR=\(time.hour)" + (time.minute == 0 ? "" : ";BYMINUTE=\(time.minute)")
  }

  private static let units = [
    "hour": "HOURLY", "day": "DAILY", "week": "WEEKLY", "month": "MONTHLY", "year": "YEARLY",
  ]

  /// Adds a part; weekdays form one part, even if blanks separate them.
  private static func add(_ part: String, to parts: inout [String]) {
    guard weekdays(part) != nil || part == "..", let last = parts.last, weekdays(last) != nil || last.hasSuffix("..")
    else { return parts.append(part) }
    parts[parts.count - 1] += (last.hasSuffix("..") || part == ".." ? "" : ",") + part
  }

  private static let lastDay = "*-*~01"

  /// `*-*-15` for `the 15th of the month`, and `*-*~01` for its last day; removes these words.
  private static func dayOfMonth(_ words: inout ArraySlice<String>) -> String? {
    var rest = words.drop { ["on", "the"].contains($0) }
    if rest.prefix(2) == ["last", "day"] {
      words = rest.dropFirst(2).drop { ["of", "the", "each", "every", "month", "a"].contains($0) }
      return lastDay
    }
    guard let word = rest.popFirst(), ["st", "nd", "rd", "th"].contains(word.suffix(2)),
      let day = Int(word.dropLast(2)), 1...31 ~= day
    else { return nil }
    words = rest.drop { ["of", "the", "each", "every", "month"].contains($0) }
    return day < 10 ? "*-*-0\(day)" : "*-*-\(day)"
  }

  /// `15m` for `15 minutes`, `2h` for `2 hours`.
  private static func interval(_ words: ArraySlice<String>) -> String? {
    guard words.first?.first?.isNumber == true else { return nil }
    let duration = Duration.worded(words.joined(separator: " "))
    return duration.flatMap { $0.components.attoseconds == 0 ? $0.text : nil }
  }

  /// The right form of a word; nil if it has none, and empty if it is not needed.
  private static func part(_ word: String, isAlone: Bool) -> String? {
    switch word {
    case "at", "on", "the", "every", "and", "&", "+": return ""
    case "to", "through", "till", "-", "..": return ".."
    case "noon", "midday": return "12:00"
    case "midnight": return "00:00"
    case "day": return isAlone ? "daily" : ""
    case "minute", "hour", "week", "month", "year": return isAlone ? word + "ly" : nil
    case "weekday", "weekdays", "workday", "workdays": return "Mon..Fri"
    case "weekend", "weekends": return "Sat,Sun"
    default: break
    }
    if !isAlone, let parts = parts(ofShorthand: word) { return parts }
    if let shorthand = word.misspelling(ofOneOf: shorthands) { return shorthand }
    if let clock = HumanTimeReader.clock(word), word.last?.isLetter == true { return text(of: clock) }
    if let time = HumanTimeReader.timeWithPoint(word) { return time.count == 4 ? "0" + time : time }
    if word.utf8.count == 4, word.utf8.allSatisfy(Scanner.isDigit), !isAlone {
      let time = word.prefix(2) + ":" + word.suffix(2)
      return HumanTimeReader.clock(String(time)).map(text)
    }
    return weekdays(word) ?? hours(word)
  }

  /// `9..17:00` for `9-17:00`.
  private static func hours(_ word: String) -> String? {
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, word.contains(":"), let first = Int(parts[0]), 0...23 ~= first else { return nil }
    return parts.joined(separator: "..")
  }

  /// `Mon,Tue` for `mo,tues`, and `Mon..Fri` for `Mo-Fr`; nil if there are other words, or only right ones.
  private static func weekdays(_ word: String) -> String? {
    guard word.first?.isLetter == true, !word.hasSuffix("..") else { return nil }
    var text = ""
    for list in word.split(whereSeparator: { ",;/&".contains($0) }) {
      var range: [String] = []
      for name in list.replacing("..", with: "-").split(separator: "-") {
        guard let day = Weekday(misspelt: name) else { return nil }
        range.append(day.shortName)
      }
      text += (text.isEmpty ? "" : ",") + range.joined(separator: "..")
    }
    return text
  }

  private static func text(of time: CivilTime) -> String {
    let text = "\(time)"
    return time.second == 0 ? String(text.dropLast(3)) : text
  }

  private static let shorthands = [
    "minutely", "hourly", "daily", "weekly", "monthly", "quarterly", "yearly", "annually",
  ]

  /// The days of a shorthand, to be followed by a time; empty for all, and nil if another word is no such shorthand.
  private static func parts(ofShorthand word: String) -> String? {
    switch word {
    case "daily": ""
    case "weekly": "Mon"
    case "monthly": "*-*-01"
    case "quarterly": "*-01,04,07,10-01"
    case "yearly", "annually": "*-01-01"
    default: nil
    }
  }
}

extension Weekday {
  /// The weekday that begins with these letters, at least two: `mo`, `tues`; or a misspelling of its name.
  init?(misspelt name: some StringProtocol) {
    let name = String(name.lowercased())
    let singular = name.count > 3 && name.last == "s" ? String(name.dropLast()) : name
    let days = Self.allCases.map { (day: $0, name: $0.longName.lowercased()) }
    if name.count > 1, let day = days.first(where: { $0.name.hasPrefix(name) || $0.name.hasPrefix(singular) }) {
      self = day.day
      return
    }
    guard let near = name.misspelling(ofOneOf: days.map(\.name)), let day = days.first(where: { $0.name == near })
    else { return nil }
    self = day.day
  }
}
