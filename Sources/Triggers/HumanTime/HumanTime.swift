// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
public import Zoneinfo

/// A time as people write it: `tomorrow 7:30`, `mon 07:30`, `24 dec 18:00`, `in 10m`, `noon`. What it was understood as
/// can be printed exactly, and is then read as the same.
public struct HumanTime: Hashable, Sendable {
  /// What somebody meant.
  public enum Meaning: Hashable, Sendable {
    /// A moment, from a text with an offset.
    case moment(Instant)
    /// So long from now.
    case elapsed(Duration)
    /// A date and a time.
    case wall(CivilDateTime)
    /// A date without a time.
    case day(CivilDate)
  }

  /// What it was understood as.
  public let meaning: Meaning

  /// The moment that is meant; a date alone is its midnight.
  public func instant(now: Instant, zone: ZoneRules) -> Instant {
    switch meaning {
    case .moment(let moment): moment
    case .elapsed(let duration): now.adding(seconds: duration.roundedUp)
    case .wall(let wall): zone.resolve(wall)
    case .day(let day): zone.resolve(CivilDateTime(day, .midnight))
    }
  }

  /// For people, in full: `Tuesday 2026-11-24 07:30:00 +01:00`, which is what the clocks will show.
  public func text(now: Instant, zone: ZoneRules) -> String {
    let instant = instant(now: now, zone: zone)
    guard let civil = zone.civil(at: instant) else { return instant.description }
    return "\(civil.date.weekday.longName) \(civil.date) \(civil.time) \(zone.offset(at: instant))"
  }
}

extension HumanTime: CustomStringConvertible {
  /// Exactly what was understood, in a form that is read as the same: `2026-11-24 07:30:00`, `in 10m`.
  public var description: String {
    switch meaning {
    case .moment(let moment): moment.description
    case .elapsed(let duration): "in \(duration.text)"
    case .wall(let wall): "\(wall.date) \(wall.time)"
    case .day(let day): day.description
    }
  }
}
