// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// The dates of a listing as a terminal shows them: a heading for each day, and under it times with their distance from
/// now. Elsewhere a date stands alone, because what reads it may do so at any time.
struct NearDates {
  let now: Instant
  let rules: ZoneRules

  /// For a table on a terminal; nil elsewhere.
  static var onTerminal: NearDates? {
    Console.columns == nil ? nil : NearDates(now: LocalTime.current().now, rules: LocalTime.rulesForTables)
  }

  /// The heading of a date: `Today, Tue 2026-11-24`. Nil if it is not a date.
  func day(_ text: String?) -> String? {
    guard let instant = text.flatMap({ Instant(rfc3339: $0) }), let date = rules.civil(at: instant)?.date else {
      return nil
    }
    let day = String(rules.shortText(instant).prefix { $0 != " " }) + " \(date)"
    guard let today = rules.civil(at: now)?.date else { return day }
    let names = [-1: "Yesterday", 0: "Today", 1: "Tomorrow"] as [Int: String]
    return names.first { today.adding(days: $0.key) == date }.map { "\($0.value), \(day)" } ?? day
  }

  /// The time of a date, and how far it is: `07:30, in 8 h 41 min`.
  func time(_ text: String?) -> String {
    guard let text else { return "" }
    guard let instant = Instant(rfc3339: text), let time = rules.civil(at: instant)?.time else { return text }
    let clock = "\(time)".dropLast(time.second == 0 ? 3 : 0)
    return "\(clock), \(Distance.text(instant.seconds - now.seconds))"
  }
}
