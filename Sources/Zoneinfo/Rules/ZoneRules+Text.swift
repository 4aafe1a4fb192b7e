// SPDX-License-Identifier: Apache-2.0

extension ZoneRules {
  /// `Tuesday 2026-11-24 07:30:00 +01:00`, or `Tue …` for tables.
  package func text(_ instant: Instant, isShort: Bool = false) -> String {
    guard let civil = civil(at: instant) else { return instant.description }
    let weekday = civil.date.weekday.name.prefix(isShort ? 3 : .max)
    return "\(weekday) \(civil.date) \(civil.time) \(offset(at: instant))"
  }

  /// `Tue 2026-11-24 07:30`, for tables; seconds only where there are some.
  package func shortText(_ instant: Instant) -> String {
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
