// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

/// When an event begins, as a line of the reminder that comes before it.
struct CalendarStart {
  private let event: CalendarEvent

  init(_ event: CalendarEvent) { self.event = event }

  /// `Thu 2026-12-24 18:00`, on the clock of this machine, and behind it the time in the zone of the event if that is
  /// another: `(12:00 America/New_York)`; a whole day is its date. UTC is how calendars write a moment, and no zone of
  /// an event.
  func text(of time: CalendarTime) -> String {
    let local = event.zones.local
    guard !time.isDate else { return String(ZoneRules.utc.shortText(ZoneRules.utc.resolve(time.wall)).dropLast(6)) }
    guard let zone = time.zone, let rules = event.zones.rules(zone) else {
      return ZoneRules.utc.shortText(ZoneRules.utc.resolve(time.wall))
    }
    let moment = rules.resolve(time.wall)
    let shown = local.shortText(moment)
    if zone == "UTC" || local.civil(at: moment) == time.wall { return shown }
    let there = rules.shortText(moment)
    let isSameDay = there.prefix(14) == shown.prefix(14)
    return "\(shown) (\(isSameDay ? there.dropFirst(15) : there[...]) \(zone))"
  }

  /// `18:00`, `tomorrow 18:00` or `in 2 days, 18:00` for an event that repeats, in its own zone.
  func text(daysAfterAlarm days: Int) -> String {
    let start = event.start
    let day =
      switch days {
      case 0: start.isDate ? "today" : ""
      case 1: "tomorrow"
      case -1: "yesterday"
      default: days > 0 ? "in \(days) days" : "\(-days) days ago"
      }
    if start.isDate { return day }
    let time = "\(start.wall.time)".dropLast(start.wall.time.second == 0 ? 3 : 0)
    return day + (day.isEmpty ? "" : abs(days) > 1 ? ", " : " ") + time + zone
  }

  /// The zone of a repeating event, unless this machine's clock shows the same.
  private var zone: String {
    guard let zone = event.start.zone, let rules = event.zones.rules(zone) else { return "" }
    let wall = event.start.wall
    return event.zones.local.civil(at: rules.resolve(wall)) == wall ? "" : " (\(zone))"
  }
}
