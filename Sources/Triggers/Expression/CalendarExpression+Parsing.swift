// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

extension CalendarExpression {
  private static let usual = "Mon..Fri 07:30"

  /// Parses the calendar form; errors name the column.
  public static func parse(_ text: String) throws(TriggerError) -> CalendarExpression {
    var search = DateSearch()
    return try parse(text, &search)
  }

  static func parse(_ text: String, _ search: inout DateSearch) throws(TriggerError) -> CalendarExpression {
    let words = try Scanner(text, example: usual).words()
    guard !words.isEmpty else { throw TriggerError(.invalid, "the expression is empty", example: usual) }
    do throws(TriggerError) { return try parse(words, &search) } catch {
      throw ExpressionAdvice(words).improve(words.count == 1 ? error.withoutFirstColumn : error)
    }
  }

  /// The same without advice in errors.
  static func parseAsWritten(_ text: String, _ search: inout DateSearch) throws(TriggerError) -> CalendarExpression {
    try parse(try Scanner(text, example: usual).words(), &search)
  }

  private static func parse(
    _ words: [Scanner.Word], _ search: inout DateSearch
  ) throws(TriggerError) -> CalendarExpression {
    var words = words
    var fields = Fields()
    if words.count > 1, let zone = try zone(words[words.count - 1]) {
      fields.zone = zone
      words.removeLast()
    }
    if words.count == 1, fields.take(shorthand: words[0].text) { return try CalendarExpression(fields, &search) }
    var rest = words[...]
    if let first = rest.first, first.startsWithLetter {
      fields.weekdays = try weekdays(rest.removeFirst())
    }
    if fields.weekdays != .all, let more = rest.first, Weekday(name: more.text) != nil {
      throw TriggerError(
        .invalid, "weekdays are separated by ',' or joined by '..'", column: more.column, example: "Mon..Wed,Fri 07:30")
    }
    if let time = rest.first, let right = HumanTimeReader.timeWithPoint(time.text) {
      throw TriggerError(
        .invalid, "\(time.text.inQuotes) is not a time: write \(right.inQuotes)", column: time.column)
    }
    if let date = rest.first, !date.text.contains(":") || date.text.contains(where: { "-~@".contains($0) }) {
      if let time = try fields.take(date: rest.removeFirst()) { try fields.take(time: time) }
      if let time = rest.popFirst() { try fields.take(time: time) }
    } else if let time = rest.popFirst() {
      try fields.take(time: time)
    }
    if let more = rest.first {
      if let sign = more.text.first, "+-".contains(sign), more.text.dropFirst().first?.isNumber == true {
        throw TriggerError(
          .invalid, "\(more.text.inQuotes) is an offset, and an expression ends with a zone", column: more.column,
          example: "\(usual) Europe/Paris")
      }
      throw TriggerError(
        .invalid, "unexpected \(more.text.inQuotes): an expression has weekdays, a date, a time and a zone",
        column: more.column, example: usual)
    }
    return try CalendarExpression(fields, &search)
  }

  /// A last word that begins with a letter is a zone, unless it can only be something else.
  private static func zone(_ word: Scanner.Word) throws(TriggerError) -> String? {
    guard word.startsWithLetter else { return nil }
    if Weekday(name: word.text) != nil {
      throw TriggerError(
        .invalid, "\(word.text.inQuotes) is not a zone; weekdays come first, separated by commas",
        column: word.column, example: "Mon,Tue 07:30")
    }
    if ExpressionAdvice.isPartOfDay(word.text) {
      throw TriggerError(.invalid, "\(word.text.inQuotes) is not a time", column: word.column, example: usual)
    }
    guard !ExpressionAdvice.isNoZone(word.text), word.text.utf8.allSatisfy({ Scanner.isZoneCharacter($0) })
    else {
      throw TriggerError(
        .invalid, "\(word.text.inQuotes) is not a time zone", column: word.column, example: "\(usual) Europe/Paris")
    }
    return word.text.lowercased() == "utc" ? "UTC" : word.text
  }

  private static func weekdays(_ word: Scanner.Word) throws(TriggerError) -> Weekdays {
    var days: Weekdays = []
    var reader = word.scanner
    repeat {
      let first = try weekday(&reader)
      if reader.take("..") || reader.take("-") {
        days.formUnion(Weekdays(first, through: try weekday(&reader)))
      } else {
        days.insert(Weekdays(first))
      }
      // systemd accepts a trailing comma as well.
    } while reader.take(",") && !reader.isAtEnd
    guard reader.isAtEnd else {
      throw reader.problem("weekdays are separated by ',' or joined by '..'", example: "Mon..Wed,Fri 07:30")
    }
    return days
  }

  private static func weekday(_ reader: inout Scanner) throws(TriggerError) -> Weekday {
    let column = reader.column
    let name = reader.letters()
    guard let day = Weekday(name: name) else {
      throw TriggerError(
        .invalid, name.isEmpty ? "a weekday is missing" : "\(name.inQuotes) is neither a weekday nor a shorthand",
        column: column, example: usual)
    }
    return day
  }
}

extension CalendarExpression.Fields {
  /// `minutely` to `yearly`.
  fileprivate mutating func take(shorthand word: String) -> Bool {
    func only(_ values: Int...) -> CalendarField { CalendarField(spans: values.map { .init(start: $0) }) }
    switch word.lowercased() {
    case "minutely": (hours, minutes) = (CalendarField(), CalendarField())
    case "hourly": hours = CalendarField()
    case "daily": break
    case "weekly": weekdays = Weekdays(.monday)
    case "monthly": days = only(1)
    case "quarterly": (months, days) = (only(1, 4, 7, 10), only(1))
    case "semiannually", "semi-annually", "biannually", "bi-annually": (months, days) = (only(1, 7), only(1))
    case "yearly", "annually", "anually": (months, days) = (only(1), only(1))
    default: return false
    }
    return true
  }

  /// Parses `2026-11-21`, `11-21`, `*-*~1`, `@1795000000`. Returns the text after a `T`.
  fileprivate mutating func take(date word: Scanner.Word) throws(TriggerError) -> Scanner.Word? {
    var reader = word.scanner
    if reader.take("@") {
      try take(moment: &reader)
      return nil
    }
    let start = reader
    _ = try CalendarFieldReader.year.read(&reader)
    let isShort = !reader.skipToSecondDash()
    reader = start
    if !isShort {
      years = try CalendarFieldReader.year.read(&reader)
      guard reader.take("-") else { throw reader.problem("'-' must follow the year", example: "*-*-1 09:00") }
    }
    months = try CalendarFieldReader.month.read(&reader)
    daysAreFromEnd = reader.take("~")
    guard daysAreFromEnd || reader.take("-") else {
      throw reader.problem("'-' and a day must follow the month", example: "*-*-1 09:00")
    }
    days = try (daysAreFromEnd ? CalendarFieldReader.dayFromEnd : .day).read(&reader)
    if reader.take("T") { return reader.restAsWord() }
    guard reader.isAtEnd else { throw reader.problem("expected the end of the date", example: "2026-11-21 07:30") }
    return nil
  }

  /// `7:30`, `*:0/15`, `07:30:15`.
  fileprivate mutating func take(time word: Scanner.Word) throws(TriggerError) {
    var reader = word.scanner
    hours = try CalendarFieldReader.hour.read(&reader)
    guard reader.take(":") else {
      throw reader.problem("':' and minutes must follow the hour", example: "Mon..Fri 07:30")
    }
    minutes = try CalendarFieldReader.minute.read(&reader)
    seconds = CalendarField(spans: [.init(start: 0)])
    if reader.take(":") { seconds = try CalendarFieldReader.readSeconds(&reader) }
    guard reader.isAtEnd else { throw reader.problem("expected the end of the time", example: "07:30:00") }
  }
}

extension CalendarExpression.Fields {
  /// `@1795000000`: seconds since 1970, once.
  fileprivate mutating func take(moment reader: inout Scanner) throws(TriggerError) {
    guard let seconds = reader.number(digits: 12), reader.isAtEnd, let moment = CivilDateTime(clock: seconds) else {
      throw reader.problem("expected seconds since 1970", example: "@1795000000")
    }
    func only(_ value: Int) -> CalendarField { CalendarField(spans: [.init(start: value)]) }
    (years, months, days) = (only(moment.date.year), only(moment.date.month), only(moment.date.day))
    (hours, minutes, self.seconds) = (only(moment.time.hour), only(moment.time.minute), only(moment.time.second))
    zone = "UTC"
  }
}
