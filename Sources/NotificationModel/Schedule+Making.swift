// SPDX-License-Identifier: Apache-2.0

/// Schedules in Swift. Each function throws a ``RequestError`` if a duration, a text or a number cannot be in a
/// request.
extension Schedule {
  /// Immediately.
  public static let now = Schedule(trusted: .now)

  /// Once, after a delay.
  public static func `in`(_ delay: Duration) throws(RequestError) -> Schedule {
    try Schedule(trusted: .after(delay)).checked()
  }

  /// Once, at a date and time such as `tomorrow 07:30` or `2026-11-21 07:30`.
  public static func at(_ time: String, zone: String? = nil) throws(RequestError) -> Schedule {
    try Schedule(trusted: .at(time), zone: zone).checked()
  }

  /// Once, at the first date with these components, such as `["weekday": 2, "hour": 7]`.
  public static func match(
    _ components: [String: Int], zone: String? = nil, from: String? = nil, until: String? = nil
  ) throws(RequestError) -> Schedule {
    try Schedule(trusted: .match(components, Bounds(from: from, until: until)), zone: zone).checked()
  }

  /// Again and again: at times such as `Mon..Fri 07:30`, or after each duration such as `15m`.
  public static func every(
    _ text: String, zone: String? = nil, from: String? = nil, until: String? = nil, count: Int? = nil
  ) throws(RequestError) -> Schedule {
    try repeating(.every(text), zone: zone, from: from, until: until, count: count)
  }

  /// On the dates of an RFC 5545 rule such as `FREQ=WEEKLY;BYDAY=MO;BYHOUR=7`.
  public static func rule(
    _ rule: String, zone: String? = nil, from: String? = nil, until: String? = nil, count: Int? = nil
  ) throws(RequestError) -> Schedule {
    try repeating(.rule(rule), zone: zone, from: from, until: until, count: count)
  }

  /// A repetition of any kind.
  public static func repeating(
    _ pattern: Pattern, zone: String? = nil, from: String? = nil, until: String? = nil, count: Int? = nil
  ) throws(RequestError) -> Schedule {
    let repetition = Repetition(pattern, Bounds(from: from, until: until), count: count)
    return try Schedule(trusted: .repeating(repetition), zone: zone).checked()
  }

  /// When a condition becomes true, once, or each time with at least `cooldown` in between.
  public static func on(
    _ condition: Condition, repeats: Bool = false, cooldown: Duration? = nil, zone: String? = nil, from: String? = nil,
    until: String? = nil, count: Int? = nil, during: String? = nil, now: Bool = false
  ) throws(RequestError) -> Schedule {
    let occasions = Occasions(
      condition, repeats: repeats, cooldown: cooldown, Bounds(from: from, until: until), count: count, during: during,
      now: now)
    return try Schedule(trusted: .on(occasions), zone: zone).checked()
  }

  /// The same dates with another way to handle those that could not be shown on time; `grace` is the accepted delay.
  public func whenMissed(_ missed: Missed, grace: Duration? = nil) throws(RequestError) -> Schedule {
    try Schedule(trusted: dates, zone: zone, missed: missed, grace: grace, wake: wake).checked()
  }

  /// The same dates, which wake the machine or let it sleep.
  public func waking(_ wake: Bool = true) -> Schedule {
    Schedule(trusted: dates, zone: zone, missed: missed, grace: grace, wake: wake)
  }

  /// Writes the keys and reads them back, so that one check serves all formats.
  private func checked() throws(RequestError) -> Schedule {
    // The text of a negative duration would be that of zero.
    for (key, duration) in [("in", delay), ("grace", grace), ("cooldown", occasions?.cooldown)]
    where duration ?? .zero < .zero {
      throw RequestError(key, "must not be negative")
    }
    var words: [String: PlainValue] = [:]
    forEachWord { words[$0.rawValue] = $1 }
    return try Schedule(words)
  }
}
