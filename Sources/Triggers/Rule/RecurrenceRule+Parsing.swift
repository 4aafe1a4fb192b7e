// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Zoneinfo

extension RecurrenceRule {
  private static let usual = "FREQ=WEEKLY;BYDAY=MO,TU,TH;BYHOUR=7;BYMINUTE=30"

  /// Parses a rule, with or without `RRULE:` before it; errors name the column.
  public static func parse(_ text: String) throws(TriggerError) -> RecurrenceRule {
    var reader = try Scanner(text, example: usual)
    reader.skipBlanks()
    _ = reader.takeWord("RRULE:")
    var rule: RecurrenceRule?
    var parts: [(name: String, value: Scanner)] = []
    var names: Set<String> = []
    for part in reader.split(";") {
      var value = part
      let name = value.letters().uppercased()
      guard value.take("="), !name.isEmpty else {
        if let error = RuleAdvice.error(aboutPart: part, isFirst: rule == nil && parts.isEmpty) { throw error }
        if part.isAtEnd, parts.count + (rule == nil ? 0 : 1) == names.count, reader.endsWith(";") { continue }
        throw part.problem("parts are NAME=VALUE, separated by ';'", example: usual)
      }
      guard names.insert(name).inserted else { throw part.problem("duplicate \(name)") }
      if name == "FREQ" { rule = RecurrenceRule(try frequency(value)) } else { parts.append((name, value)) }
    }
    guard var rule else {
      // A misspelt name of the part that every rule has is the better error.
      for part in parts where !known.contains(part.name) { throw unknownPart(part.name, part.value) }
      throw TriggerError(.invalid, "FREQ= is missing", example: usual)
    }
    for part in parts { try rule.take(part.name, part.value) }
    try rule.checkTogether()
    return rule
  }

  private static func frequency(_ value: Scanner) throws(TriggerError) -> Frequency {
    guard let frequency = Frequency(rawValue: value.rest.uppercased()) else {
      let known = Frequency.allCases.map(\.rawValue).joined(separator: ", ")
      let error = value.problem("FREQ must be one of \(known)", example: usual)
      if value.rest.contains("=") { throw error.advising("separate the parts by ';'") }
      throw units[value.rest.uppercased()].map { error.advising("did you mean '\($0)'?") }
        ?? error.suggesting(value.rest, among: Frequency.allCases.map(\.rawValue))
    }
    return frequency
  }

  private static let units = [
    "SECOND": "SECONDLY", "MINUTE": "MINUTELY", "HOUR": "HOURLY", "DAY": "DAILY", "WEEK": "WEEKLY",
    "MONTH": "MONTHLY", "YEAR": "YEARLY", "ANNUALLY": "YEARLY",
  ]

  /// The names of the parts.
  private static let known = [
    "FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY", "BYMONTHDAY",
    "BYYEARDAY", "BYWEEKNO", "BYMONTH", "BYSETPOS",
  ]

  private static func unknownPart(_ name: String) -> TriggerError {
    TriggerError(.invalid, "unknown part \(name.inQuotes)", example: usual).suggesting(name, among: known)
  }

  /// The error about a part that other programs know.
  private static func unknownPart(_ name: String, _ value: Scanner) -> TriggerError {
    RuleAdvice.advice(onPart: name, value.rest).map {
      TriggerError(.invalid, "\(name.inQuotes) is not part of a rule", advice: $0)
    } ?? unknownPart(name)
  }

  private mutating func take(_ name: String, _ value: Scanner) throws(TriggerError) {
    switch name {
    case "INTERVAL": interval = try value.single(name, 1...1_000_000_000)
    case "COUNT": count = try value.single(name, 1...1_000_000_000)
    case "UNTIL": until = try Until(value)
    case "WKST":
      guard let day = Weekday(code: value.rest) else {
        throw value.problem("WKST must be one of MO, TU, WE, TH, FR, SA, SU").suggesting(weekday: value.rest)
      }
      weekStart = day
    case "BYSECOND": seconds = try value.numbers(name, 0...60).map { min($0, 59) }.sortedUnique
    case "BYMINUTE": minutes = try value.numbers(name, 0...59)
    case "BYHOUR": hours = try value.numbers(name, 0...23)
    case "BYDAY": days = try value.days()
    case "BYMONTHDAY": monthDays = try value.numbers(name, -31...31)
    case "BYYEARDAY": yearDays = try value.numbers(name, -366...366)
    case "BYWEEKNO": weekNumbers = try value.numbers(name, -53...53)
    case "BYMONTH": months = try value.numbers(name, 1...12)
    case "BYSETPOS": positions = try value.numbers(name, -366...366)
    default: throw Self.unknownPart(name, value)
    }
  }

  /// Checks combinations that RFC 5545 forbids because they are ambiguous.
  private func checkTogether() throws(TriggerError) {
    func refuse(_ reason: String, _ example: String) -> TriggerError {
      TriggerError(.invalid, reason, example: example)
    }
    if count != nil && until != nil { throw refuse("COUNT and UNTIL cannot be combined", "FREQ=DAILY;COUNT=10") }
    if !weekNumbers.isEmpty && frequency != .yearly {
      throw refuse("BYWEEKNO requires FREQ=YEARLY", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO")
    }
    if !yearDays.isEmpty && [.daily, .weekly, .monthly].contains(frequency) {
      throw refuse("BYYEARDAY cannot be combined with FREQ=\(frequency.rawValue)", "FREQ=YEARLY;BYYEARDAY=100")
    }
    if !monthDays.isEmpty && frequency == .weekly {
      throw refuse("BYMONTHDAY cannot be combined with FREQ=WEEKLY", "FREQ=DAILY;BYMONTHDAY=13;BYDAY=FR")
    }
    if days.contains(where: { $0.ordinal != nil }) {
      if frequency != .monthly && frequency != .yearly {
        throw refuse("a number before a weekday requires FREQ=MONTHLY or YEARLY", "FREQ=MONTHLY;BYDAY=1MO")
      }
      if !weekNumbers.isEmpty {
        throw refuse("a number before a weekday cannot be combined with BYWEEKNO", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO")
      }
    }
    let others = [months, weekNumbers, yearDays, monthDays, hours, minutes, seconds]
    if !positions.isEmpty && days.isEmpty && others.allSatisfy(\.isEmpty) {
      throw refuse("BYSETPOS requires another BY… part", "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1")
    }
  }
}

extension RecurrenceRule.Until {
  fileprivate init(_ value: Scanner) throws(TriggerError) {
    var reader = value
    guard let date = reader.compactDate() else { throw Self.problem(value) }
    if reader.isAtEnd {
      self = .date(date)
      return
    }
    guard reader.takeWord("T"), let time = reader.compactTime() else { throw Self.problem(value) }
    let wall = CivilDateTime(date, time)
    let isUTC = reader.takeWord("Z")
    guard reader.isAtEnd else { throw Self.problem(value) }
    self = isUTC ? .instant(Instant(wall, at: .utc)) : .wall(wall)
  }

  private static func problem(_ value: Scanner) -> TriggerError {
    let error = value.problem(
      "UNTIL must be a date, a date and time, or a date and time in UTC", example: "UNTIL=20261224T170000Z")
    // `2026-12-24` has the dashes of other dates.
    guard let date = CivilDate(value.rest) else { return error }
    return error.advising("did you mean 'UNTIL=\(RecurrenceRule.Until.date(date))'?")
  }
}

extension Scanner {
  /// Parses RFC 5545's `20261224`.
  mutating func compactDate() -> CivilDate? {
    guard let date = number(exactly: 8) else { return nil }
    return CivilDate(year: date / 10_000, month: date / 100 % 100, day: date % 100)
  }

  /// Parses RFC 5545's `180000`; a leap second becomes the second before it.
  mutating func compactTime() -> CivilTime? {
    guard let time = number(exactly: 6), time % 100 <= 60 else { return nil }
    return CivilTime(hour: time / 10_000, minute: time / 100 % 100, second: min(time % 100, 59))
  }

  fileprivate func single(_ name: String, _ range: ClosedRange<Int>) throws(TriggerError) -> Int {
    var reader = self
    guard let number = reader.number(digits: 10), reader.isAtEnd, range.contains(number) else {
      throw problem("\(name) must be a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Parses a list of numbers and sorts them; if negative ones count from the end, 0 is not allowed.
  fileprivate func numbers(_ name: String, _ range: ClosedRange<Int>) throws(TriggerError) -> [Int] {
    let fromEnd = range.lowerBound < 0
    return try split(",").map { part throws(TriggerError) in
      var reader = part
      let isNegative = fromEnd && reader.take("-")
      if !isNegative { _ = reader.take("+") }
      guard let number = reader.number(digits: 3).map({ isNegative ? -$0 : $0 }), reader.isAtEnd,
        range.contains(number), number != 0 || !fromEnd
      else {
        let bounds =
          fromEnd ? "1 to \(range.upperBound), or negative from the end" : "\(range.lowerBound) to \(range.upperBound)"
        let error = part.problem("\(name) takes numbers, \(bounds), separated by ','")
        throw RuleAdvice.numbers(name, rest).map { error.advising("did you mean '\($0)'?") } ?? error
      }
      return number
    }.sortedUnique
  }

  fileprivate func days() throws(TriggerError) -> [RecurrenceRule.Day] {
    var days: [RecurrenceRule.Day] = []
    var known: Set<RecurrenceRule.Day> = []
    for part in split(",") {
      var reader = part
      let isNegative = reader.take("-")
      let isSigned = isNegative || reader.take("+")
      let ordinal = reader.number(digits: 2).map { isNegative ? -$0 : $0 }
      guard let weekday = Weekday(code: reader.letters()), reader.isAtEnd, !isSigned || ordinal != nil,
        ordinal.map({ $0 != 0 && -53...53 ~= $0 }) ?? true
      else {
        throw part.problem("BYDAY takes MO, TU, WE, TH, FR, SA, SU, or forms such as 1MO and -1SU")
          .suggesting(weekday: part.rest, of: rest)
      }
      let day = RecurrenceRule.Day(ordinal: ordinal, weekday: weekday)
      if known.insert(day).inserted { days.append(day) }
    }
    return days
  }
}

extension Sequence<Int> {
  /// Used for both formatting and parsing.
  var sortedUnique: [Int] { Set(self).sorted() }
}

extension TriggerError {
  /// The error with the known word that the user may have meant.
  fileprivate func suggesting(_ word: String, among known: [String]) -> TriggerError {
    word.misspelling(ofOneOf: known).map { advising("did you mean '\($0)'?") } ?? self
  }

  /// The error with the code of the weekday that the text names: `MO` for `Mon`, `-1FR` for `-1Friday`.
  ///
  /// - Parameter days: all weekdays of the part.
  fileprivate func suggesting(weekday text: String, of days: String = "") -> TriggerError {
    if let better = RuleAdvice.days(text) {
      return advising("did you mean '\(text == days ? "BYDAY=" + better : better)'?")
    }
    let number = text.prefix { !$0.isLetter }
    guard number.allSatisfy({ $0.isASCII && ($0.isNumber || "+-".contains($0)) }),
      let day = Weekday(misspelt: text.dropFirst(number.count))
    else { return self }
    return advising("did you mean '\(number)\(day.code)'?")
  }
}
