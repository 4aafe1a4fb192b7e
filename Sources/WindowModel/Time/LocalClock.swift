// SPDX-License-Identifier: Apache-2.0
internal import Triggers
package import Zoneinfo

/// The moment and the zone in which a page speaks of dates.
package struct LocalClock: Sendable {
  package let now: Instant
  package let rules: ZoneRules

  package init(now: Instant, rules: ZoneRules) {
    self.now = now
    self.rules = rules
  }

  /// The heading of a day: `Today`, `Tomorrow`, `Monday, 30 November`, with the year if that is another one.
  package func day(_ instant: Instant) -> String {
    rules.civil(at: instant).map { day($0.date) } ?? "\(instant)"
  }

  /// The same of a date.
  package func day(_ date: CivilDate) -> String {
    guard let today = rules.civil(at: now)?.date else { return Self.name(date, hasYear: true) }
    switch date.days(since: today) {
    case -1: return "Yesterday"
    case 0: return "Today"
    case 1: return "Tomorrow"
    default: return Self.name(date, hasYear: date.year != today.year)
    }
  }

  /// The time of day without seconds: `07:30`.
  package func minute(_ instant: Instant) -> String { String(time(instant).prefix(5)) }

  /// The time of day: `07:30`; with seconds where there are some.
  package func time(_ instant: Instant) -> String {
    guard let time = rules.civil(at: instant)?.time else { return "\(instant)" }
    return String("\(time)".dropLast(time.second == 0 ? 3 : 0))
  }

  /// How far away: `in 8 h 41 min`. To the minute, because a page is not written anew each second.
  package func distance(_ instant: Instant) -> String {
    let seconds = instant.seconds - now.seconds
    return Distance.text(seconds < 60 ? seconds : (seconds + 30) / 60 * 60)
  }

  /// A date in a sentence: `Tomorrow 07:30, in 8 h 41 min`.
  package func words(_ instant: Instant) -> String { "\(day(instant)) \(time(instant)), \(distance(instant))" }

  private static func name(_ date: CivilDate, hasYear: Bool) -> String {
    "\(date.weekday.longName), \(date.day) \(months[date.month - 1])" + (hasYear ? " \(date.year)" : "")
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
}

extension Weekday {
  /// `Monday`
  package var longName: String {
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][rawValue - 1]
  }

  /// `Mon`
  package var shortName: String { String(longName.prefix(3)) }
}
