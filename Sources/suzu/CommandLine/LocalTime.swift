// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Triggers
internal import Zoneinfo

/// The machine's time and zone. Made only when a time must be parsed or shown, because it reads the zone's file.
final class LocalTime {
  let now: Instant
  /// The machine's own zone.
  let zone: Zone
  /// Zones by name, so that each is read only once.
  private var zones: [String: ZoneRules] = [:]

  init(now: Instant = Instant(Int64(time(nil))), zone: Zone) {
    self.now = now
    self.zone = zone
  }

  static func current() throws(CommandError) -> LocalTime {
    do throws(ZoneError) { return LocalTime(zone: try SystemZone.current.read().zone) } catch {
      throw CommandError(message: "the machine's time zone: \(error)", status: EX_CONFIG)
    }
  }

  /// The rules of the named zone; of the machine's zone for nil.
  func rules(_ name: String?) throws(TriggerError) -> ZoneRules {
    guard let name else { return zone.rules }
    if let known = zones[name] { return known }
    do throws(ZoneError) {
      let rules = try ZoneDatabase.system.zone(named: name).rules
      zones[name] = rules
      return rules
    } catch {
      throw TriggerError(error)
    }
  }
}

extension ZoneRules {
  /// `Tuesday 2026-11-24 07:30:00 +01:00`, or `Tue …` for tables.
  func text(_ instant: Instant, isShort: Bool = false) -> String {
    guard let civil = civil(at: instant) else { return instant.description }
    let weekday = civil.date.weekday.name.prefix(isShort ? 3 : .max)
    return "\(weekday) \(civil.date) \(civil.time) \(offset(at: instant))"
  }

  /// `Tue 2026-11-24 07:30`, for tables; seconds only where there are some.
  func shortText(_ instant: Instant) -> String {
    guard let civil = civil(at: instant) else { return instant.description }
    let time = "\(civil.time)".dropLast(civil.time.second == 0 ? 3 : 0)
    return "\(civil.date.weekday.name.prefix(3)) \(civil.date) \(time)"
  }
}

extension Weekday {
  fileprivate var name: String {
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][rawValue - 1]
  }
}
