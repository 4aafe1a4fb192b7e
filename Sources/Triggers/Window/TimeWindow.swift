// SPDX-License-Identifier: Apache-2.0
public import Zoneinfo

/// The weekdays and times of day in which something counts: `Mon..Fri 08:00..18:00`, `Sat,Sun`, `22:00..06:00`.
///
/// A span that ends before it begins goes on after midnight, and belongs to the day on which it begins.
public struct TimeWindow: Hashable, Sendable {
  private let weekdays: Weekdays
  /// Pairs of seconds since midnight; the second is not in the span.
  private let spans: [Range<Int>]

  private static let usual = "Mon..Fri 08:00..18:00"
  private static let day = 86_400

  /// Parses such a text; errors name the column.
  public static func parse(_ text: String) throws(TriggerError) -> TimeWindow {
    var words = try Scanner(text, example: usual).words()[...]
    guard !words.isEmpty else { throw TriggerError(.invalid, "the text is empty", key: "during", example: usual) }
    var weekdays = Weekdays.all
    if let first = words.first, first.startsWithLetter {
      let name = first.text
      var search = DateSearch()
      do throws(TriggerError) {
        let expression = try CalendarExpression.parse(name + " 00:00", &search)
        guard expression.zone == nil else {
          throw TriggerError(.invalid, "\(name.inQuotes) is no weekday", example: usual)
        }
        weekdays = expression.weekdays
      } catch {
        throw TriggerError(
          .invalid, "\(name.inQuotes) is neither a weekday nor a list of weekdays", key: "during", column: first.column,
          example: usual)
      }
      words.removeFirst()
    }
    var spans: [Range<Int>] = []
    if let times = words.popFirst() {
      for part in times.text.split(separator: ",", omittingEmptySubsequences: false) {
        spans.append(try span(String(part), at: times.column))
      }
    }
    if let more = words.first {
      throw TriggerError(
        .invalid, "unexpected \(more.text.inQuotes): weekdays and times are two words", key: "during",
        column: more.column, example: "Mon..Fri 08:00..12:00,13:00..18:00")
    }
    return TimeWindow(weekdays: weekdays, spans: spans.isEmpty ? [0..<day] : spans)
  }

  private static func span(_ text: String, at column: Int) throws(TriggerError) -> Range<Int> {
    guard let dots = text.firstRange(of: ".."), let start = CivilTime(String(text[..<dots.lowerBound])),
      let end = endOfDay(String(text[dots.upperBound...]))
    else {
      // `08:00-18:00`, as many write it.
      let parts = text.split { "-–".contains($0) }.map(String.init)
      let better =
        parts.count == 2 && parts.allSatisfy { CivilTime($0) != nil } ? "write '\(parts[0])..\(parts[1])'" : nil
      throw TriggerError(
        .invalid, "\(text.inQuotes) is not a span of time", key: "during", column: column, example: "08:00..18:00",
        advice: better)
    }
    guard start.secondOfDay != end else {
      throw TriggerError(
        .invalid, "\(text.inQuotes) has no length", key: "during", column: column, example: "08:00..18:00")
    }
    return start.secondOfDay..<(end < start.secondOfDay ? end + day : end)
  }

  private static func endOfDay(_ text: String) -> Int? { text == "24:00" ? day : CivilTime(text)?.secondOfDay }

  /// Whether a moment is within it.
  public func contains(_ moment: Instant, in rules: ZoneRules) -> Bool {
    guard let wall = rules.civil(at: moment) else { return false }
    let second = wall.time.secondOfDay
    let (today, yesterday) = (wall.date.weekday, wall.date.weekday.adding(days: -1))
    return spans.contains { span in
      weekdays.contains(Weekdays(today)) && span.contains(second)
        || weekdays.contains(Weekdays(yesterday)) && span.contains(second + Self.day)
    }
  }

  /// The end of the span that contains a moment; nil if none does. A span begins with its first moment and ends with
  /// its last one, whatever the clocks do in between: a time that they skip is the end of the gap.
  func end(of moment: Instant, in rules: ZoneRules) -> Instant? {
    guard let wall = rules.civil(at: moment) else { return nil }
    var end: Instant?
    let days = [wall.date.adding(days: -1), wall.date].compactMap(\.self)
    for day in days where weekdays.contains(Weekdays(day.weekday)) {
      let midnight = CivilDateTime(day, .midnight)
      for span in spans {
        guard let first = midnight.adding(seconds: span.lowerBound),
          let last = midnight.adding(seconds: span.upperBound)
        else { continue }
        let (start, stop) = (rules.first(first), rules.last(last))
        if start <= moment, moment < stop { end = max(end ?? stop, stop) }
      }
    }
    return end
  }
}

extension ZoneRules {
  /// When the clocks show a time for the first time, or skip it.
  fileprivate func first(_ civil: CivilDateTime) -> Instant {
    switch instants(of: civil) {
    case .once(let instant), .overlap(let instant, _), .gap(_, _, let instant): instant
    }
  }

  /// When the clocks show a time for the last time, or skip it.
  fileprivate func last(_ civil: CivilDateTime) -> Instant {
    switch instants(of: civil) {
    case .once(let instant), .overlap(_, let instant), .gap(_, _, let instant): instant
    }
  }
}
