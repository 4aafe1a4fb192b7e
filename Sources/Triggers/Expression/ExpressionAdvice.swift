// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Zoneinfo

/// Advice about an expression that is written in another form: `every day`, `daily 07:30`, `Tues 7:30 am`.
struct ExpressionAdvice {
  private let words: [String]

  init(_ words: [Scanner.Word]) { self.words = words.map(\.text) }

  /// The words in the order of an expression: days come first, and cron's `*` before a time means every day.
  private var ordered: [String] {
    var words = HourRange.joined(words)
    // A shorthand behind the time says the same as in front.
    let shorthands = ["daily", "weekly", "monthly", "yearly", "annually"]
    if words.count > 1, let last = words.last, shorthands.contains(last.lowercased()) {
      words = [last] + words.dropLast()
    }
    guard words.count == 2, words[1].contains(":") || words[0].contains(":") else { return words }
    if words[0] == "*" { return ["*-*-*", words[1]] }
    let isReversed = HumanTimeReader.clock(words[0]) != nil && Self.days(words[1].lowercased()) != nil
    return isReversed ? [words[1], words[0]] : words
  }

  /// The error with the text to write instead, if the expression can be understood.
  func improve(_ error: TriggerError) -> TriggerError {
    guard error.code == .invalid, error.advice == nil, words.count <= 12 else { return error }
    if let line = CronLine(words.joined(separator: " ")) { return line.error.about(error.key) }
    let ranged = HourRange.joined(words)
    if ranged == words, let spoken = SpokenTime(in: words) { return spoken.error.about(error.key) }
    if let several = SeveralTimes(words) {
      return TriggerError(
        .invalid, "\(words.joined(separator: " ").inQuotes) has several times", key: error.key, advice: several.advice)
    }
    if let rule = OrdinalWeekday(words)?.rule ?? RepeatedUnit(words)?.rule {
      return TriggerError(
        .invalid, "\(words.joined(separator: " ").inQuotes) needs a rule", key: error.key,
        advice: "use the rule '\(rule)'")
    }
    if let dates = datesWithSlash {
      return TriggerError(
        .invalid, "\(words[0].inQuotes) is ambiguous", key: error.key,
        advice: "write \(dates.joined(separator: " or "))")
    }
    let better = rewritten.map { "write '\($0)'" }
    if words.count > 1, let shorthand = words.first(where: { Self.shorthands.contains($0.lowercased()) }) {
      return TriggerError(.invalid, "\(shorthand.inQuotes) stands alone", advice: better ?? "leave out the rest")
    }
    guard let better else { return error }
    if words.first?.lowercased() == "every" { return TriggerError(.invalid, "'every' is not needed", advice: better) }
    // What the parser expected says nothing beside the right form.
    let isOfParser =
      error.problem.hasPrefix("expected ") || error.problem.hasPrefix("unexpected ")
      || error.problem.contains(" must follow ")
      || error.problem.contains(": write '") || error.problem.contains(" is not a valid month")
      || error.problem.hasSuffix(" is not a time zone") || error.problem.hasSuffix(" is not a time")
      || words.count == 1 && Self.interval(words.map { $0.lowercased() }[...]) != nil
    guard isOfParser else { return error.advising(better) }
    return TriggerError(
      .invalid, "\(words.joined(separator: " ").inQuotes) is not a schedule", key: error.key, advice: better)
  }

  /// The same schedule in the right form; nil if there is none.
  private var rewritten: String? {
    let ordered = ordered
    var words = ordered.map { $0.lowercased() }[...]
    let isEvery = words.first == "every" || words.first == "each"
    if isEvery { words.removeFirst() }
    if let text = Self.interval(words) { return text }
    // The unit of '1 month' stands alone as well.
    if words.first == "1", let next = words.dropFirst().first, ["month", "year"].contains(next) { words.removeFirst() }
    // A weekday, or a date, says more than the shorthand in front of it.
    let shorthand = words.first.map { ["daily", "weekly", "week"].contains($0) } ?? false
    if shorthand, words.dropFirst().contains(where: { $0.first?.isLetter == true && Self.weekdays($0) != nil }) {
      words.removeFirst()
    }
    // 'every hour from 9 to 17' is that range of hours.
    if words.contains(where: { $0.contains("..") && $0.contains(":") }) {
      words.removeAll { ["hour", "hourly"].contains($0) }
    }
    let hasOneDays = words.count == 2 && Self.days(words[words.startIndex]) != nil
    if hasOneDays, let last = words.last, let time = Self.hour(last) { words[words.endIndex - 1] = time }
    var parts: [String] = []
    if let day = Self.dayOfMonth(&words, isYearly: isEvery) { parts.append(day) }
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
        parts.append(ordered.last { $0.lowercased() == word } ?? word)
      }
    }
    if parts == [Self.lastDay] { parts.append("09:00") }
    let text = parts.joined(separator: " ")
    guard !text.isEmpty, text != self.words.joined(separator: " ") else { return nil }
    var search = DateSearch()
    return (try? CalendarExpression.parseAsWritten(text, &search)) == nil ? nil : text
  }

  /// The days of each year that `3/4 18:00` may mean; nil if there is no such date.
  private var datesWithSlash: [String]? {
    guard let first = words.first, let days = SlashedDate(first)?.daysOfYear, days.count > 1 else { return nil }
    return days.map { day, month in
      "'" + (["*-\(Self.twoDigits(month))-\(Self.twoDigits(day))"] + words.dropFirst()).joined(separator: " ") + "'"
    }
  }

  /// Adds a part; weekdays form one part, even if blanks separate them.
  private static func add(_ part: String, to parts: inout [String]) {
    guard weekdays(part) != nil || part == "..", let last = parts.last, weekdays(last) != nil || last.hasSuffix("..")
    else { return parts.append(part) }
    if last == part { return }
    parts[parts.count - 1] += (last.hasSuffix("..") || part == ".." ? "" : ",") + part
  }

  private static let lastDay = "*-*~01"

  /// `*-*-15` for `the 15th of the month` and for `15 7:30`, `*-*~01` for its last day, and `*-12-24` for `24/12`;
  /// removes these words.
  private static func dayOfMonth(_ words: inout ArraySlice<String>, isYearly: Bool) -> String? {
    var rest = words
    let isYear = isYearly || ["yearly", "annually", "year"].contains(rest.first)
    if ["monthly", "yearly", "annually", "month", "year"].contains(rest.first) { rest.removeFirst() }
    rest = rest.drop { ["on", "the"].contains($0) }
    if rest.prefix(2) == ["last", "day"] {
      words = rest.dropFirst(2).drop { ["of", "the", "each", "every", "month", "a"].contains($0) }
      return lastDay
    }
    if let date = dayOfYear(&rest, isYear: isYear) {
      words = rest
      return date
    }
    var days: [Int] = []
    var isOrdinal = true
    while let word = rest.first {
      if !days.isEmpty, ["and", "&", "the"].contains(word) {
        rest.removeFirst()
        continue
      }
      guard let numbers = daysOfMonth(word) else { break }
      rest.removeFirst()
      days += numbers
      isOrdinal = isOrdinal && word.last?.isNumber == false
    }
    let hasTime = rest.first == "at" || rest.first.flatMap(HumanTimeReader.clock) != nil
    guard isOrdinal || hasTime || rest.first == "of", !days.isEmpty else { return nil }
    words = rest.drop { ["of", "the", "each", "every", "month"].contains($0) }
    return "*-*-" + days.map(twoDigits).joined(separator: ",")
  }

  /// The days of `15th`, `15.`, `15` and `1,15`; nil for another word.
  private static func daysOfMonth(_ word: String) -> [Int]? {
    let days = word.split(separator: ",").map { part -> Int? in
      let name = part.drop { $0.isNumber }
      guard ["", ".", "st", "nd", "rd", "th"].contains(name) else { return nil }
      return Int(part.dropLast(name.count)).flatMap { 1...31 ~= $0 ? $0 : nil }
    }
    return days.isEmpty || days.contains(nil) ? nil : days.compactMap(\.self)
  }

  /// `*-12-24` for `24/12`, and for `24 dec` if that is meant each year; removes these words.
  private static func dayOfYear(_ words: inout ArraySlice<String>, isYear: Bool) -> String? {
    if let first = words.first, let slashed = SlashedDate(first), slashed.daysOfYear.count == 1 {
      words.removeFirst()
      return "*-\(twoDigits(slashed.daysOfYear[0].month))-\(twoDigits(slashed.daysOfYear[0].day))"
    }
    guard isYear, words.count > 1 else { return nil }
    let pair = words.prefix(2).map(\.self)
    let rest = words.dropFirst(2)
    for (month, day) in [(pair[0], pair[1]), (pair[1], pair[0])] {
      let number = Int(["st", "nd", "rd", "th"].contains(day.suffix(2)) ? String(day.dropLast(2)) : day)
      guard let month = HumanTimeReader.month(month), let number, 1...31 ~= number else { continue }
      words = rest
      return "*-\(twoDigits(month))-\(twoDigits(number))"
    }
    return nil
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// `15m` for `15 minutes`, `2h` for `2 hours`.
  private static func interval(_ words: ArraySlice<String>) -> String? {
    // Also in the form of ISO 8601, 'P1D'.
    guard words.first?.first?.isNumber == true || words.count == 1 && words.first?.first == "p" else { return nil }
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
    case "weekday", "weekdays", "workday", "workdays", "weekend", "weekends": return days(word)
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
    return weekdays(word) ?? HourRange(word)?.text
  }

  /// The weekdays of a word, such as `mo-fr` or `weekdays`.
  static func days(_ word: String) -> String? {
    switch word {
    case "weekday", "weekdays", "workday", "workdays": "Mon..Fri"
    case "weekend", "weekends": "Sat,Sun"
    default: weekdays(word)
    }
  }

  /// The time of an hour behind weekdays: `08:00` for `8` and `8h`, `08:30` for `8h30`, `9,17:00` for `9,17`.
  private static func hour(_ word: String) -> String? {
    let parts = word.split(separator: "h", omittingEmptySubsequences: false)
    if parts.count == 2, let hour = Int(parts[0]), 0...23 ~= hour, parts[1].isEmpty || parts[1].utf8.count == 2 {
      return HumanTimeReader.clock("\(hour):" + (parts[1].isEmpty ? "00" : parts[1])).map(text)
    }
    let hours = word.split(separator: ",").map { Int($0) }
    guard !hours.isEmpty, hours.allSatisfy({ $0.map { 0...23 ~= $0 } ?? false }) else { return nil }
    return (hours.count == 1 ? twoDigits(hours[0] ?? 0) : word) + ":00"
  }

  /// Whether a last word can be no zone, because it says when in another form.
  static func isNoZone(_ word: String) -> Bool {
    let word = word.lowercased()
    let others = ["am", "pm", "noon", "midday", "midnight", "semiannually"]
    return others.contains(word) || shorthands.contains(word)
      || ["day", "week", "month", "year", "hour", "minute", "weekday", "weekend", "workday"].contains {
        word == $0 || word == $0 + "s"
      }
  }

  /// Whether a word names a part of the day, whose hour is not known.
  static func isPartOfDay(_ word: String) -> Bool {
    ["morning", "afternoon", "evening", "night", "tonight"].contains(word.lowercased())
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
