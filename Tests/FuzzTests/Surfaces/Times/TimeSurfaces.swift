// SPDX-License-Identifier: Apache-2.0
import Calendars
import Triggers
import Zoneinfo

/// Calendars, and the texts that name times.
enum TimeSurfaces {
  static let all = [
    Surface("expression", text: expression),
    Surface("rule", text: rule),
    Surface("exceptions", text: exceptions),
    Surface("time", text: time),
    Surface("window", text: window),
    Surface("calendar", calendar),
  ]

  /// Friday 20 November 2026, 10:00 UTC.
  private static let now = Instant(1_795_168_800)
  /// With a change of clocks in spring and autumn.
  private static let zone: ZoneRules = {
    guard let zone = try? ZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3") else { preconditionFailure("a valid zone") }
    return zone
  }()

  static func expression(_ text: String) throws(Surprise) -> Bool {
    guard let expression = try? CalendarExpression.parse(text) else { return false }
    try Surprise.unless(
      (try? CalendarExpression.parse(expression.description)) == expression, "'\(expression)' is not read back equal")
    guard let trigger = try? Trigger(.calendar(expression), made: now) else { return true }
    try dates(of: trigger)
    return true
  }

  static func rule(_ text: String) throws(Surprise) -> Bool {
    guard let rule = try? RecurrenceRule.parse(text) else { return false }
    try Surprise.unless(
      (try? RecurrenceRule.parse(rule.description)) == rule, "'\(rule)' is not read back equal")
    guard let start = zone.civil(at: now), let recurrence = try? Recurrence(rule, from: start) else { return true }
    guard let trigger = try? Trigger(.rule(recurrence), made: now) else { return true }
    try dates(of: trigger)
    return true
  }

  /// The dates of a trigger follow one another, and the search for each ends within its steps.
  private static func dates(of trigger: Trigger) throws(Surprise) {
    var search = DateSearch()
    guard var date = try? trigger.first(in: zone, &search) else { return }
    for _ in 0..<3 {
      search.renew()
      guard let next = try? trigger.next(after: date.instant, in: zone, last: date, &search) else { return }
      try Surprise.unless(next.instant > date.instant, "\(next) does not follow \(date)")
      date = next
    }
  }

  static func exceptions(_ text: String) throws(Surprise) -> Bool {
    guard let exceptions = try? ExceptionDates.parse(text) else { return false }
    let again = ExceptionDates(moments: exceptions.moments, days: exceptions.days)
    try Surprise.unless(again == exceptions, "the exceptions of '\(text)' differ from their own parts")
    return true
  }

  static func time(_ text: String) throws(Surprise) -> Bool {
    guard let time = try? HumanTime.parse(text, now: now, zone: zone) else { return false }
    try Surprise.unless(
      (try? HumanTime.parse(time.description, now: now, zone: zone)) == time, "'\(time)' is not read back equal")
    return true
  }

  static func window(_ text: String) throws(Surprise) -> Bool {
    guard let window = try? TimeWindow.parse(text) else { return false }
    try Surprise.unless((try? TimeWindow.parse(text)) == window, "'\(text)' is read in two ways")
    return true
  }

  // Its functions are looked up once and never change.
  nonisolated(unsafe) private static let library = Result { try ICalLibrary() }

  static func calendar(_ bytes: [UInt8]) throws(Surprise) -> Bool {
    guard let library = try? library.get() else { throw Surprise("libical is missing") }
    guard
      let reader = try? CalendarReader(
        bytes, library: library, app: "a", skips: true, trusts: false, local: zone)
    else { return false }
    for reminder in reader.reminders {
      try Surprise.unless(reminder.line > 0, "a reminder without a line")
      // Without trust, no button of the file runs a program.
      try Surprise.unless(!"\(reminder.words["actions"] as Any)".contains("run"), "\(reminder.words)")
    }
    return !reader.reminders.isEmpty
  }
}
