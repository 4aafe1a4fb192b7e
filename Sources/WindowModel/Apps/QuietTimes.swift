// SPDX-License-Identifier: Apache-2.0
internal import Triggers
package import Zoneinfo

/// Quiet hours that repeat on some weekdays: from one time of day to another, also past midnight.
package struct QuietTimes: Hashable, Sendable {
  package var days: Set<Weekday>
  package var start: CivilTime
  package var end: CivilTime

  package init(_ days: Set<Weekday>, from start: CivilTime, to end: CivilTime) {
    (self.days, self.start, self.end) = (days, start, end)
  }

  /// Reads such a text: `Mon..Fri 22:00..07:00`; nil for quiet hours of another form.
  package init?(_ text: String) {
    // Long ones are none, and would take long to read.
    guard text.utf8.count <= 100 else { return nil }
    let words = text.split(separator: " ")
    guard 1...2 ~= words.count, let dots = words.last?.firstRange(of: ".."), let times = words.last,
      let end = CivilTime(String(times[dots.upperBound...])), end.second == 0
    else { return nil }
    let first = (words.count == 2 ? words[0] + " " : "") + times[..<dots.lowerBound]
    guard let weekly = (try? CalendarExpression.parse(first))?.weekly, weekly.time != end else { return nil }
    self.init(Set(weekly.days), from: weekly.time, to: end)
  }

  /// The text for the center.
  package var text: String { CalendarExpression.weekly(on: days, at: start) + "..\(Self.clock(end))" }

  /// What is wrong with them, in a sentence; nil if nothing is.
  package var problem: String? {
    if days.isEmpty { return "Choose at least one day" }
    return start == end ? "Choose two times that differ" : nil
  }

  /// `Monday to Friday, 22:00 to 07:00`
  package var words: String { "\(WeekdayText.text(days)), \(Self.clock(start)) to \(Self.clock(end))" }

  /// Quiet hours in words; those of another form are shown as they are written.
  package static func words(_ text: String) -> String {
    guard let words = QuietTimes(text)?.words, let first = words.first else { return ShownText.line(text) }
    return first.uppercased() + words.dropFirst()
  }

  private static func clock(_ time: CivilTime) -> String { String("\(time)".prefix(5)) }
}
