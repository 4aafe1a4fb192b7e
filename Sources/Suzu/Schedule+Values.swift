// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
public import NotificationModel

/// Schedules made of Swift's dates and durations. Nothing throws here: a value that no request can have, such as a
/// negative duration, is refused by `notify`.
extension Schedule {
  /// Once, after a delay.
  ///
  ///     try await center.notify("Tea is ready", at: .after(.minutes(4)))
  public static func after(_ delay: Duration) -> Schedule { Schedule(trusted: .after(delay)) }

  /// Once, at a date; one that passed up to a minute ago means now.
  public static func at(_ date: Date) -> Schedule { Schedule(trusted: .at(date.word)) }

  /// Every day at a time of the clock. Without a zone, it is that of the machine, also if that changes.
  public static func daily(
    at time: TimeOfDay, zone: TimeZone? = nil, from: Date? = nil, until: Date? = nil, count: Int? = nil
  ) -> Schedule {
    every(time.description, zone, from, until, count)
  }

  /// On some weekdays, at a time of the clock.
  ///
  ///     try await center.notify("Swim", at: .weekly(on: [.monday, .thursday], at: "07:30"))
  ///     try await center.notify("Get up", at: .weekly(on: .workdays, at: "06:30"))
  public static func weekly(
    on days: Set<Weekday>, at time: TimeOfDay, zone: TimeZone? = nil, from: Date? = nil, until: Date? = nil,
    count: Int? = nil
  ) -> Schedule {
    let days = days.isEmpty ? "no weekday" : days.sorted().map(\.word).joined(separator: ",")
    return every(days + " " + time.description, zone, from, until, count)
  }

  /// Again and again by elapsed time, also while the machine sleeps; the first time after the first pause, or at
  /// `from`.
  ///
  ///     try await center.notify("Stretch", at: .every(.minutes(15), count: 6))
  public static func every(
    _ pause: Duration, from: Date? = nil, until: Date? = nil, count: Int? = nil
  ) -> Schedule {
    every(pause.word, nil, from, until, count)
  }

  /// Once, when a condition becomes true.
  ///
  ///     try await center.notify("Plug me in", at: .on("battery < 20%"))
  public static func on(_ condition: Condition) -> Schedule { Schedule(trusted: .on(Occasions(condition))) }

  /// Each time that a condition becomes true, with at least `pause` in between.
  public static func whenever(_ condition: Condition, pause: Duration? = nil, count: Int? = nil) -> Schedule {
    Schedule(trusted: .on(Occasions(condition, repeats: true, cooldown: pause, count: count)))
  }

  /// The same dates with another way to handle those that could not be shown on time.
  public func whenMissed(_ missed: Missed) -> Schedule {
    Schedule(trusted: dates, zone: zone, missed: missed, grace: grace, wake: wake)
  }

  private static func every(
    _ text: String, _ zone: TimeZone?, _ from: Date?, _ until: Date?, _ count: Int?
  ) -> Schedule {
    let bounds = Bounds(from: from?.word, until: until?.word)
    return Schedule(
      trusted: .repeating(Repetition(.every(text), bounds, count: count)), zone: zone?.identifier)
  }
}

extension Date {
  /// The text of a request: RFC 3339 in UTC. Requests have whole seconds; the next one, so that nothing comes early.
  fileprivate var word: String {
    let seconds = timeIntervalSince1970.rounded(.up)
    guard seconds.isFinite, abs(seconds) < 1e12 else { return "\(seconds)" }
    return Date(timeIntervalSince1970: seconds).formatted(.iso8601)
  }
}
