// SPDX-License-Identifier: Apache-2.0
package import NotificationModel
internal import Triggers
package import Zoneinfo

/// An alarm of a clock: a time of day on some weekdays. It is an ordinary request of the command's app that repeats
/// with `every`, also one that another program made; its other keys are kept.
package struct WeeklyAlarm: Hashable, Sendable {
  package var days: Set<Weekday>
  package var time: CivilTime
  package var title: String
  package var sound: AlarmSound
  /// Whether it rings: an alarm that is switched off is muted.
  package var isOn: Bool
  /// Its id; nil as long as it is not stored.
  package private(set) var id: String?
  /// When it rings next.
  package private(set) var next: Instant?
  /// The time of day of that date on the clocks of the center.
  private var nextTime: CivilTime?
  /// The request as it is stored.
  private var stored: [String: PlainValue] = [:]

  /// A new one.
  package init(at time: CivilTime, on days: Set<Weekday> = Set(Weekday.allCases)) {
    (self.time, self.days) = (time, days)
    (title, sound, isOn) = ("Alarm", .alarm, true)
  }

  /// Returns nil for a request that is no such alarm.
  package init?(_ row: ListedRequest, muted: Set<RequestName>) {
    guard row.app == NotificationRequest.defaultApp, row.state == .pending, let every = row.text(of: "every"),
      row.words["count"] == nil, row.words["zone"] == nil, row.words["until"] == nil, row.words["on"] == nil,
      let pattern = Self.pattern(of: every)
    else { return nil }
    (days, time) = pattern
    title = row.title
    sound = AlarmSound(row.text(of: "sound"))
    isOn = !muted.contains(RequestName(row))
    id = row.id
    next = row.next.flatMap { Instant(rfc3339: $0) }
    nextTime = row.next.flatMap { CivilDateTime(String($0.prefix(19)))?.time }
    stored = ListingKey.request(in: row.words)
  }

  /// The weekdays and the time of such an expression; nil for another one.
  static func pattern(of every: String) -> (days: Set<Weekday>, time: CivilTime)? {
    // Long ones are none, and would take long to read.
    guard every.utf8.count <= 100, let weekly = (try? CalendarExpression.parse(every))?.weekly else { return nil }
    return (Set(weekly.days), weekly.time)
  }

  /// The request as a dictionary: what is stored with the changes, or a new one.
  package var words: [String: PlainValue] {
    var words = stored
    if stored.isEmpty {
      words["app"] = .text(NotificationRequest.defaultApp)
      words["style"] = .text("alert")
      words["level"] = .text("timeSensitive")
      // What passed while the machine was off is no alarm any more.
      words["missed"] = .text("skip")
      words["grace"] = .text("10m")
      words["actions"] = .list([
        .dictionary(["id": .text("stop"), "title": .text("Stop")]),
        .dictionary(["id": .text("snooze"), "title": .text("Snooze"), "snooze": .text("9m")]),
      ])
    }
    words["title"] = .text(title)
    words["every"] = .text(CalendarExpression.weekly(on: days, at: time))
    words["sound"] = sound.text.map { .text($0) }
    if words["every"] != stored["every"] { words["from"] = nil }
    if let id { words["id"] = .text(id) }
    return words
  }

  /// What is wrong with it, in a sentence; nil if nothing is.
  package var problem: String? {
    if !title.contains(where: { !$0.isWhitespace }) { return "Give it a name" }
    return days.isEmpty ? "Choose at least one day" : nil
  }

  /// The time of day: `07:30`.
  package var clock: String { String("\(time)".prefix(5)) }

  /// The line below the time.
  package func subtitle(_ clock: LocalClock) -> String {
    let name = ShownText.isolated(title, atMost: 80)
    return ([name, WeekdayText.text(days)] + (nextText(clock).map { [$0] } ?? [])).joined(separator: " · ")
  }

  /// `next: in 8 h 41 min`, and what the change of the clocks does to it; `off` if it is switched off.
  package func nextText(_ clock: LocalClock) -> String? {
    guard isOn else { return "off" }
    guard let next else { return nil }
    let text = "next: \(clock.distance(next))"
    guard let nextTime, nextTime != time else { return text }
    return text + ", at \("\(nextTime)".prefix(5)): the clocks skip \(self.clock) that day"
  }

  /// What a screen reader says.
  package func spoken(_ clock: LocalClock) -> String {
    ([self.clock, ShownText.line(title, atMost: 80), WeekdayText.text(days)] + (nextText(clock).map { [$0] } ?? []))
      .joined(separator: ", ")
  }
}
