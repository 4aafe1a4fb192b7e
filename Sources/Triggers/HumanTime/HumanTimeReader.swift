// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Zoneinfo

/// Collects the parts of a time from its words, each part at most once, in any order.
struct HumanTimeReader {
  private let today: CivilDate
  private let acceptsToday: Bool
  private var date: CivilDate?
  private var weekday: Weekday?
  private var isNext = false
  private var month: Int?
  private var day: Int?
  private var year: Int?
  private var time: CivilTime?
  /// The word that stands for today; nil if there is none.
  private var todayWord: String?
  private var first: Scanner.Word?
  /// All words.
  private var text = ""

  init(today: CivilDate, acceptsToday: Bool) { (self.today, self.acceptsToday) = (today, acceptsToday) }

  mutating func read(_ words: [Scanner.Word]) throws(TriggerError) {
    first = words.first
    text = words.map(\.text).joined(separator: " ")
    var rest = words[...]
    while let word = rest.popFirst() {
      let text = word.text.lowercased()
      if text == "day", rest.prefix(2).map({ $0.text.lowercased() }) == ["after", "tomorrow"] {
        rest = rest.dropFirst(2)
        guard let day = today.adding(days: 2) else { throw problem(word) }
        try Self.set(&date, day, word, "date")
        continue
      }
      // The second word of '7 pm'.
      if let half = rest.first?.text.lowercased(), half.first == "a" || half.first == "p",
        let clock = Self.clock(text + half)
      {
        rest.removeFirst()
        try Self.set(&time, clock, word, "time")
      } else {
        try read(text, word)
      }
    }
  }

  private mutating func read(_ text: String, _ word: Scanner.Word) throws(TriggerError) {
    switch text {
    case "at", "on", "the", "of", "this": return
    case "next": isNext = true
    case "yesterday", "last", "ago":
      throw TriggerError(
        .inThePast, "\(word.text.inQuotes) means a past date", column: word.column,
        example: text == "last" ? "next fri 09:00" : HumanTime.usual)
    case "today", "tonight":
      todayWord = word.text
      try Self.set(&date, today, word, "date")
    case "tomorrow":
      guard let tomorrow = today.adding(days: 1) else { throw problem(word) }
      try Self.set(&date, tomorrow, word, "date")
    case "noon", "midday": try Self.set(&time, CivilTime(hour: 12, minute: 0), word, "time")
    case "midnight": try Self.set(&time, .midnight, word, "time")
    default: try readNumbersAndNames(text, word)
    }
  }

  private mutating func readNumbersAndNames(_ text: String, _ word: Scanner.Word) throws(TriggerError) {
    if let named = Weekday(name: text) {
      try Self.set(&weekday, named, word, "weekday")
    } else if let named = Self.month(text) {
      try Self.set(&month, named, word, "month")
    } else if let clock = Self.clock(text) {
      try Self.set(&time, clock, word, "time")
    } else if let both = CivilDateTime(word.text) {
      try Self.set(&date, both.date, word, "date")
      try Self.set(&time, both.time, word, "time")
    } else if let iso = CivilDate(text) {
      try Self.set(&date, iso, word, "date")
    } else if let dotted = Self.dotted(text) {
      guard 1...12 ~= dotted.month else { throw Self.noMonth(dotted.month, word, dotted) }
      try Self.set(&day, dotted.day, word, "day")
      try Self.set(&month, dotted.month, word, "month")
      if let dottedYear = dotted.year { try Self.set(&year, dottedYear, word, "year") }
    } else if let number = Self.number(text) {
      if number >= 1000 { try Self.set(&year, number, word, "year") } else { try Self.set(&day, number, word, "day") }
    } else {
      throw problem(word)
    }
  }

  private static func set<Value>(
    _ place: inout Value?, _ value: Value?, _ word: Scanner.Word, _ name: String
  ) throws(TriggerError) {
    guard place == nil else {
      throw TriggerError(
        .invalid, "duplicate \(name) \(word.text.inQuotes)", column: word.column, example: HumanTime.usual)
    }
    place = value
  }

  private func problem(_ word: Scanner.Word?) -> TriggerError {
    let text = word?.text ?? ""
    if let length = Self.lengthOfMonth(text) {
      return TriggerError(
        .impossible, "\(text.inQuotes) does not exist: \(text.prefix(7)) has \(length) days", column: word?.column)
    }
    if let month = Self.monthOutOfRange(text) {
      return TriggerError(
        .impossible, "\(text.inQuotes) does not exist: there is no month \(month)", column: word?.column)
    }
    if let wrong = Self.partOutOfRange(Self.timeOfBoth(text) ?? text) {
      return TriggerError(.invalid, wrong, column: word?.column)
    }
    if let time = Self.timeWithPoint(text) {
      return TriggerError(.invalid, "\(text.inQuotes) is not a time: write \(time.inQuotes)", column: word?.column)
    }
    if let slashed = SlashedDate(text) { return slashed.error(column: word?.column) }
    if isNext, ["week", "month", "year"].contains(text.lowercased()) {
      return TriggerError(
        .invalid, "'next \(text.lowercased())' names no day",
        advice: text.lowercased() == "week"
          ? "write 'next mon 09:00' or 'in 1w'" : "write a date such as '24 dec 09:00'")
    }
    let error = TriggerError(
      .invalid, "\(text.inQuotes) is not a date or time", column: word?.column, example: HumanTime.usual)
    return Self.advice(on: text).map { error.advising($0) } ?? error
  }

  /// What to write instead of a word.
  private static func advice(on text: String) -> String? {
    if let duration = Duration.worded(text), duration.text != text { return "write '\(duration.text)'" }
    if let minutes = minutesOfOneDigit(text) { return minutes }
    let isZone = text.utf8.first.map(Scanner.isLetter) == true && text.utf8.allSatisfy(Scanner.isZoneCharacter)
    if isZone, text.contains("/") || ["UTC", "GMT"].contains(text.uppercased()) {
      return "give a time zone by 'zone: \(text)'"
    }
    let known = ["tonight", "tomorrow", "midnight"] + monthNames
    let near = text.misspelling(ofOneOf: known) ?? Weekday(misspelt: text)?.shortName
    return near.map { "did you mean '\($0)'?" }
  }

  /// `7:3` may be 07:03 or 07:30.
  private static func minutesOfOneDigit(_ text: String) -> String? {
    guard var reader = try? Scanner(text, example: ""), let hour = reader.number(digits: 2), hour < 24,
      reader.take(":"),
      let digit = reader.number(exactly: 1), reader.isAtEnd
    else { return nil }
    let start = hour < 10 ? "0\(hour)" : "\(hour)"
    return "write '\(start):0\(digit)'" + (digit < 6 ? " or '\(start):\(digit)0'" : "")
  }

  /// `25:00:00` for `2026-11-23T25:00:00`, with or without an offset; nil if the text is no date and time.
  private static func timeOfBoth(_ text: String) -> String? {
    let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { "Tt".contains($0) }
    guard parts.count == 2, CivilDate(String(parts[0])) != nil else { return nil }
    return String(parts[1].prefix { $0.isNumber || $0 == ":" })
  }

  /// The part of a text such as `25:00` that no time has.
  private static func partOutOfRange(_ text: String) -> String? {
    let half = text.lowercased().drop { $0.isNumber || $0 == ":" }
    let isHalf = ["am", "pm", "a.m.", "p.m."].contains(half)
    let parts = text.dropLast(half.count).split(separator: ":", omittingEmptySubsequences: false)
    guard half.isEmpty ? parts.count > 1 : isHalf, parts.count <= 3, parts.dropFirst().allSatisfy({ $0.count == 2 })
    else {
      return nil
    }
    let limits = [("hour", isHalf ? 1...12 : 0...23), ("minute", 0...59), ("second", 0...59)]
    for (part, (name, range)) in zip(parts, limits) {
      guard let number = Int(part), part.utf8.count <= 2 else { return nil }
      if range.contains(number) { continue }
      // '13pm' is a time of 24 hours with a half of the day that it does not need.
      if name == "hour", half.first == "p", 13...23 ~= number,
        let clock = Self.clock(String(text.dropLast(half.count)) + (parts.count == 1 ? ":00" : ""))
      {
        return "\(text.inQuotes) is not a time: write '\("\(clock)".prefix(5))'"
      }
      return "\(text.inQuotes) is not a time: the \(name) must be \(range.lowerBound) to \(range.upperBound)"
    }
    return nil
  }

  /// The days of the month of a text such as `2026-02-30`, whose day the month does not have.
  private static func lengthOfMonth(_ text: String) -> Int? {
    guard var reader = try? Scanner(text, example: ""), let year = reader.number(exactly: 4), reader.take("-"),
      let month = reader.number(exactly: 2), reader.take("-"), let day = reader.number(exactly: 2),
      reader.isAtEnd || reader.take("T"), CivilDate(year: year, month: month, day: 1) != nil, day > 28
    else { return nil }
    let length = (28...31).last { CivilDate(year: year, month: month, day: $0) != nil }
    return length.flatMap { day > $0 ? $0 : nil }
  }

  /// The month of a text such as `2026-13-01`, which no year has.
  private static func monthOutOfRange(_ text: String) -> Int? {
    guard var reader = try? Scanner(text, example: ""), reader.number(exactly: 4) != nil, reader.take("-"),
      let month = reader.number(exactly: 2), reader.take("-"), reader.number(exactly: 2) != nil,
      reader.isAtEnd || reader.take("T")
    else { return nil }
    return 1...12 ~= month ? nil : month
  }

  /// `7:30` for `7.30`.
  static func timeWithPoint(_ text: String) -> String? {
    guard var reader = try? Scanner(text, example: ""), let hour = reader.number(digits: 2), reader.take("."),
      let minute = reader.number(exactly: 2), reader.isAtEnd, CivilTime(hour: hour, minute: minute) != nil
    else { return nil }
    return text.replacing(".", with: ":")
  }

  /// `isAhead` tells whether a date is in the future.
  func meaning(isAhead: (CivilDateTime) -> Bool) throws(TriggerError) -> HumanTime.Meaning {
    guard let date = try wholeDate(isAhead) else {
      guard let time, !isNext else { throw problem(first) }
      // The next time at which the clocks show it.
      if isAhead(CivilDateTime(today, time)) { return .wall(CivilDateTime(today, time)) }
      guard let tomorrow = today.adding(days: 1) else { throw problem(first) }
      return .wall(CivilDateTime(tomorrow, time))
    }
    guard let time else {
      if let todayWord, !acceptsToday {
        throw TriggerError(.invalid, "\(todayWord.inQuotes) needs a time", example: "today 18:00")
      }
      return .day(date)
    }
    return .wall(CivilDateTime(date, time))
  }

  private func wholeDate(_ isAhead: (CivilDateTime) -> Bool) throws(TriggerError) -> CivilDate? {
    let named = month != nil || day != nil || year != nil ? try monthDay(isAhead) : nil
    guard date == nil || named == nil else {
      throw TriggerError(.invalid, "two dates are given", example: HumanTime.usual)
    }
    guard let weekday else {
      if isNext { throw TriggerError(.invalid, "'next' requires a weekday", example: "next fri 09:00") }
      return date ?? named
    }
    if let date = date ?? named {
      guard date.weekday == weekday else {
        throw TriggerError(
          .invalid, "\(date) is a \(date.weekday.longName), not a \(weekday.longName)", example: HumanTime.usual)
      }
      return date
    }
    let days = today.weekday.days(until: weekday)
    let isLater = days == 0 && (isNext || !(time.map { isAhead(CivilDateTime(today, $0)) } ?? false))
    return today.adding(days: isLater ? 7 : days)
  }

  private func monthDay(_ isAhead: (CivilDateTime) -> Bool) throws(TriggerError) -> CivilDate {
    if month == nil, year == nil, time == nil, let day, 0...23 ~= day {
      throw TriggerError(
        .invalid, "\(day) could be an hour or a day", column: first?.column,
        advice: "write '\(day):00', or a month after the day")
    }
    guard let month, 1...12 ~= month, let day else {
      throw TriggerError(
        .invalid, day != nil ? "\(day ?? 0) could be an hour or a day" : "a day is missing", column: first?.column,
        example: "24 dec 18:00")
    }
    // The next leap year is at most eight years away.
    for candidate in year.map({ $0...$0 }) ?? today.year...today.year + 8 {
      guard let date = CivilDate(year: candidate, month: month, day: day) else { continue }
      if year != nil || isAhead(CivilDateTime(date, time ?? .midnight)) { return date }
    }
    let last = (28...31).last { CivilDate(year: year ?? 2000, month: month, day: $0) != nil } ?? 31
    let name = Self.monthNames[month - 1] + (year.map { " \($0)" } ?? "")
    throw TriggerError(
      .impossible, "\(text.inQuotes) does not exist: \(name) has \(last) days", example: "24 dec 18:00")
  }
}

extension HumanTimeReader {
  /// `7:30`, `07:30:15`, `7:30pm`, `7pm`.
  static func clock(_ text: String) -> CivilTime? {
    guard var reader = try? Scanner(text, example: ""), let hour = reader.number(digits: 2) else { return nil }
    var (minute, second) = (Int?.none, 0)
    if reader.take(":") {
      guard let value = reader.number(exactly: 2) else { return nil }
      minute = value
      if reader.take(":") {
        guard let value = reader.number(exactly: 2) else { return nil }
        second = value
      }
    }
    switch reader.rest {
    case "": return minute.flatMap { CivilTime(hour: hour, minute: $0, second: second) }
    case "am", "a.m.": return 1...12 ~= hour ? CivilTime(hour: hour % 12, minute: minute ?? 0, second: second) : nil
    case "pm", "p.m.":
      return 1...12 ~= hour ? CivilTime(hour: hour % 12 + 12, minute: minute ?? 0, second: second) : nil
    default: return nil
    }
  }

  /// `24`, `24th`, `24.`.
  private static func number(_ text: String) -> Int? {
    guard var reader = try? Scanner(text, example: ""), let number = reader.number(digits: 4) else { return nil }
    return ["", "st", "nd", "rd", "th", "."].contains(reader.rest) ? number : nil
  }

  /// `24.12.2026`, `24.12.`: with dots, the order is always day, month, year.
  private static func dotted(_ text: String) -> (day: Int, month: Int, year: Int?)? {
    guard var reader = try? Scanner(text, example: ""), let day = reader.number(digits: 2), reader.take("."),
      let month = reader.number(digits: 2), reader.take(".")
    else { return nil }
    if reader.isAtEnd { return (day, month, nil) }
    guard let year = reader.number(exactly: 4), reader.isAtEnd else { return nil }
    return (day, month, year)
  }

  /// The error for a date such as `12.24.2035`.
  private static func noMonth(
    _ month: Int, _ word: Scanner.Word, _ dotted: (day: Int, month: Int, year: Int?)
  ) -> TriggerError {
    let error = TriggerError(
      .impossible, "\(word.text.inQuotes) does not exist: there is no month \(month)", column: word.column)
    guard CivilDate(year: dotted.year ?? 2000, month: dotted.day, day: dotted.month) != nil else { return error }
    let date = dotted.year.flatMap { CivilDate(year: $0, month: dotted.day, day: dotted.month)?.description }
    return error.advising(
      "write \(date ?? "'\(dotted.month) \(monthNames[dotted.day - 1])'"): the day comes before the month")
  }

  /// The name in full, or its first three letters.
  static func month(_ text: String) -> Int? {
    monthNames.firstIndex { $0 == text || $0.prefix(3) == text || text == "sept" && $0 == "september" }.map { $0 + 1 }
  }

  static let monthNames = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]
}
