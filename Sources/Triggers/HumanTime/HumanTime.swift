// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
public import Zoneinfo

/// A time in human form: `tomorrow 7:30`, `mon 07:30`, `24 dec 18:00`, `in 10m`, `noon`. Its exact form can be printed,
/// and is parsed as the same time.
public struct HumanTime: Hashable, Sendable {
  /// The meaning of the text.
  public enum Meaning: Hashable, Sendable {
    /// A moment, for a text with an offset.
    case moment(Instant)
    /// A delay from now.
    case elapsed(Duration)
    /// A date and a time.
    case wall(CivilDateTime)
    /// A date without a time.
    case day(CivilDate)
  }

  /// The parsed meaning.
  public let meaning: Meaning

  /// The moment; for a date alone, its midnight.
  public func instant(now: Instant, zone: ZoneRules) -> Instant {
    switch meaning {
    case .moment(let moment): moment
    case .elapsed(let duration): now.adding(seconds: duration.roundedUp)
    case .wall(let wall): zone.resolve(wall)
    case .day(let day): zone.resolve(CivilDateTime(day, .midnight))
    }
  }

  /// The time in full for users: `Tuesday 2026-11-24 07:30:00 +01:00`, as the clocks will show it.
  public func text(now: Instant, zone: ZoneRules) -> String {
    let instant = instant(now: now, zone: zone)
    guard let civil = zone.civil(at: instant) else { return instant.description }
    return "\(civil.date.weekday.longName) \(civil.date) \(civil.time) \(zone.offset(at: instant))"
  }
}

extension HumanTime: CustomStringConvertible {
  /// The exact meaning in a form that is parsed as the same: `2026-11-24 07:30:00`, `in 10m`.
  public var description: String {
    switch meaning {
    case .moment(let moment): moment.description
    case .elapsed(let duration): "in \(duration.text)"
    case .wall(let wall): "\(wall.date) \(wall.time)"
    case .day(let day): day.description
    }
  }
}
