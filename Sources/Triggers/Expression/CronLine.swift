// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

/// A schedule as cron writes it: five fields (`30 7 * * 1-5`), the first field alone (`*/15`), or a name such as
/// `@daily`. It is only recognized, to say what to write instead.
public struct CronLine {
  /// The line as it was written.
  private let text: String
  /// The same dates as an expression or a duration; nil if one request cannot have them.
  public let translation: String?
  /// The command behind the five fields or the name; nil if there is none.
  public let command: String?
  /// What to do instead if there is no translation.
  private let remedy: String

  /// Returns nil if the text is no such line.
  public init?(_ text: String) {
    let typed = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
    var words = typed.map { $0.lowercased() }
    // A line of a crontab has its command behind the dates.
    let count = words.first?.first == "@" ? 1 : 5
    command = words.count > count ? typed.dropFirst(count).joined(separator: " ") : nil
    words = Array(words.prefix(count))
    if command != nil, count == 1, Self.names[String(words[0].dropFirst())] == nil { return nil }
    self.text = words.joined(separator: " ")
    if words.count == 1, let name = words[0].first == "@" ? words[0].dropFirst() : nil, name.first?.isLetter == true {
      guard let translation = Self.names[String(name)] else { return nil }
      self.translation = translation
      remedy = "start 'suzu notify' where the desktop starts its programs"
      return
    }
    remedy = "write days and a time such as 'Mon..Fri 07:30'"
    if words.count == 1, let step = Self.step(words[0]) {
      translation = Self.minutes(step)
      return
    }
    guard words.count == 5, let minutes = Field(words[0], of: .minute), let hours = Field(words[1], of: .hour),
      let days = Field(words[2], of: .day), let months = Field(words[3], of: .month),
      let weekdays = Field(words[4], of: .weekday)
    else { return nil }
    translation = Self.translation(minutes, hours, days, months, weekdays)
  }

  /// What to write or do instead. A step of minutes can be elapsed time as well.
  public var advice: String {
    guard let translation else { return remedy }
    if translation.hasPrefix("*:0/") { return "write '\(translation.dropFirst(4))m' or '\(translation)'" }
    return "write '\(translation)'"
  }

  /// The error about an expression in this form.
  var error: TriggerError { TriggerError(.invalid, "\(text.inQuotes) is a line for cron", advice: advice) }

  // MARK: Translating

  /// cron's names; `@reboot` has no dates.
  private static let names: [String: String?] = [
    "yearly": "yearly", "annually": "yearly", "monthly": "monthly", "weekly": "Sun 00:00", "daily": "daily",
    "midnight": "daily", "hourly": "hourly", "reboot": nil,
  ]

  /// The minutes of `*/15`.
  private static func step(_ field: String) -> Int? {
    guard field.hasPrefix("*/"), let step = Int(field.dropFirst(2)), 1...59 ~= step else { return nil }
    return step
  }

  private static func minutes(_ step: Int) -> String { step == 1 ? "minutely" : "*:0/\(step)" }

  private static func translation(
    _ minutes: Field, _ hours: Field, _ days: Field, _ months: Field, _ weekdays: Field
  ) -> String? {
    let isDaily = days.isAny && months.isAny && weekdays.isAny
    if isDaily, hours.isAny {
      if minutes.isAny { return "minutely" }
      if minutes.values == [0] { return "hourly" }
    }
    // cron shows it on the days of either field, and an expression only on those of both.
    if !days.isAny, !weekdays.isAny { return nil }
    let time = "\(hours.text):\(minutes.text)"
    let date = days.isAny && months.isAny ? "" : "*-\(months.text)-\(days.text) "
    let text =
      if !weekdays.isAny { "\(weekdays.text) \(date)\(time)" } else {
        // A time alone would do, but `suzu edit` takes that for a change of the time.
        date.isEmpty && !hours.isAny ? "*-*-* \(time)" : date + time
      }
    var search = DateSearch()
    return (try? CalendarExpression.parseAsWritten(text, &search)) == nil ? nil : text
  }
}

/// One field of a line for cron.
private struct Field {
  enum Kind {
    case minute, hour, day, month, weekday

    var range: ClosedRange<Int> {
      switch self {
      case .minute: 0...59
      case .hour: 0...23
      case .day: 1...31
      case .month: 1...12
      // Sunday is 0 and 7.
      case .weekday: 0...7
      }
    }

    var names: [String] {
      switch self {
      case .month: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
      case .weekday: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
      case .minute, .hour, .day: []
      }
    }
  }

  let values: [Int]
  let isAny: Bool
  private let kind: Kind
  /// The field as an expression writes it, unless it is of weekdays.
  private var parts: [String] = []

  init?(_ text: String, of kind: Kind) {
    self.kind = kind
    isAny = text == "*" || text == "?"
    var values: Set<Int> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let halves = part.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard let span = Self.span(halves[0], kind) else { return nil }
      guard halves.count == 2 else {
        values.formUnion(span)
        parts.append(span.count == 1 ? Self.digits(span.lowerBound) : Self.range(span))
        continue
      }
      guard let step = Int(halves[1]), step > 0 else { return nil }
      values.formUnion(stride(from: span.lowerBound, through: span.upperBound, by: step))
      let isOpen = span.upperBound == kind.range.upperBound
      parts.append(
        (isOpen ? "\(span.lowerBound)" : Self.range(span))
          + (step > span.upperBound - span.lowerBound ? "" : "/\(step)"))
    }
    self.values = values.sorted()
  }

  /// `*`, `1`, `1-5`, `mon-fri`; nil for other texts.
  private static func span(_ text: Substring, _ kind: Kind) -> ClosedRange<Int>? {
    if text == "*" || text == "?" { return kind == .weekday ? 0...6 : kind.range }
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { number($0, kind) }
    guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1] else { return nil }
    // 'fri-mon' is no range of cron either.
    guard first <= last else { return nil }
    return first...last
  }

  private static func number(_ text: Substring, _ kind: Kind) -> Int? {
    if let index = kind.names.firstIndex(where: { $0 == text }) { return index + kind.range.lowerBound }
    guard text.utf8.count <= 2, let number = Int(text), kind.range.contains(number) else { return nil }
    return number
  }

  private static func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func range(_ span: ClosedRange<Int>) -> String {
    "\(digits(span.lowerBound))..\(digits(span.upperBound))"
  }

  /// In an expression.
  var text: String {
    if kind == .weekday { return weekdays }
    return isAny ? "*" : parts.joined(separator: ",")
  }

  /// `Mon..Fri` for `1-5`: three or more days in a row are a range.
  private var weekdays: String {
    // From Monday to Sunday.
    let days = Set(values.map { ($0 + 6) % 7 }).sorted()
    let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    var runs: [ClosedRange<Int>] = []
    for day in days {
      if let last = runs.last, last.upperBound == day - 1 {
        runs[runs.count - 1] = last.lowerBound...day
      } else {
        runs.append(day...day)
      }
    }
    return runs.map { run in
      run.count > 2
        ? "\(names[run.lowerBound])..\(names[run.upperBound])" : run.map { names[$0] }.joined(separator: ",")
    }.joined(separator: ",")
  }
}
