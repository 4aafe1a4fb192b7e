// SPDX-License-Identifier: Apache-2.0

/// When a request is shown: one of the combinations of keys that make sense together.
///
/// Times and rules are texts as their author wrote them. `Triggers` interprets these, because only the center knows the
/// time zones, and what `tomorrow` means.
public struct Schedule: Hashable, Sendable {
  /// What the dates are.
  public let dates: Dates
  /// The name of the time zone of all texts; nil if they follow the zone of the machine.
  public let zone: String?
  /// How to handle dates that passed while they could not be shown.
  public let missed: Missed
  /// The accepted delay; nil for any delay.
  public let grace: Duration?
  /// Whether to wake the machine.
  public let wake: Bool

  /// The dates of a schedule.
  public enum Dates: Hashable, Sendable {
    /// Immediately.
    case now
    /// `in`: once, after a delay.
    case after(Duration)
    /// `at`: once, at a date and time in human form.
    case at(String)
    /// `match`: once, at the first date with these components that is within the bounds.
    case match([String: Int], Bounds)
    /// Any number of dates.
    case repeating(Repetition)
    /// `on`: when a condition becomes true.
    indirect case on(Occasions)
  }

  /// The first and the last moment of a schedule, in the form of `at`.
  public struct Bounds: Hashable, Sendable {
    /// `from`.
    public let from: String?
    /// `until`; a date includes that whole day.
    public let until: String?

    package init(from: String?, until: String?) {
      self.from = from
      self.until = until
    }
  }

  /// A schedule that repeats.
  public struct Repetition: Hashable, Sendable {
    /// What repeats.
    public let pattern: Pattern
    /// The first and the last moment.
    public let bounds: Bounds
    /// The number of dates; nil for no limit.
    public let count: Int?

    package init(_ pattern: Pattern, _ bounds: Bounds, count: Int?) {
      self.pattern = pattern
      self.bounds = bounds
      self.count = count
    }
  }

  /// What repeats.
  public enum Pattern: Hashable, Sendable {
    /// `in` with `repeat`: elapsed time.
    case after(Duration)
    /// `every`: a duration, or systemd's calendar form.
    case every(String)
    /// `rule`: an RFC 5545 rule; lines with `EXDATE:` may follow.
    case rule(String)
    /// `match` with `repeat`: date components by name.
    case match([String: Int])
  }

  /// When a condition becomes true.
  public struct Occasions: Hashable, Sendable {
    /// The condition.
    public let condition: Condition
    /// Whether it is shown each time, and not only once.
    public let repeats: Bool
    /// The shortest time between two; nil for ``usualCooldown``.
    public let cooldown: Duration?
    /// The first and the last moment.
    public let bounds: Bounds
    /// How many times; nil for no limit.
    public let count: Int?
    /// The weekdays and times of day that count; nil for all.
    public let during: String?
    /// Whether it is shown at once if the condition is true already.
    public let now: Bool

    /// The time between two if the request does not say it.
    public static let usualCooldown: Duration = .seconds(1)

    package init(
      _ condition: Condition, repeats: Bool = false, cooldown: Duration? = nil,
      _ bounds: Bounds = Bounds(from: nil, until: nil), count: Int? = nil, during: String? = nil, now: Bool = false
    ) {
      self.condition = condition
      self.repeats = repeats
      self.cooldown = cooldown
      self.bounds = bounds
      self.count = count
      self.during = during
      self.now = now
    }
  }

  /// How to handle dates that passed while the machine was asleep or off, or the center was not running.
  public enum Missed: String, Sendable, Codable, CaseIterable {
    /// Show one notification for all of them.
    case deliver
    /// Skip them.
    case skip
    /// Show one notification for each.
    case each
  }

  /// Creates a schedule from parts that were checked before.
  package init(
    trusted dates: Dates, zone: String? = nil, missed: Missed = .deliver, grace: Duration? = nil, wake: Bool = false
  ) {
    self.dates = dates
    self.zone = zone
    self.missed = missed
    self.grace = grace
    self.wake = wake
  }
}

// MARK: - Reading

extension Schedule {
  /// Whether it is to be shown immediately.
  public var isNow: Bool { dates == .now && zone == nil }

  /// Whether it is only a delay.
  public var isDelayAlone: Bool { if case .after = dates { zone == nil } else { false } }

  /// Whether both have the same dates; they may differ in how they handle missed ones.
  public func hasSameDates(as other: Schedule) -> Bool { dates == other.dates && zone == other.zone }

  /// Whether it repeats.
  public var isRepeating: Bool { repetition != nil || occasions?.repeats == true }

  /// Whether its dates are shown side by side, and do not replace each other.
  package var showsEachDate: Bool { missed == .each && isRepeating }

  /// What it waits for; nil if it waits for a date.
  public var occasions: Occasions? { if case .on(let occasions) = dates { occasions } else { nil } }

  /// The repetition; nil for a single date.
  public var repetition: Repetition? { if case .repeating(let repetition) = dates { repetition } else { nil } }

  /// The first and the last moment.
  public var bounds: Bounds {
    switch dates {
    case .now, .after, .at: Bounds(from: nil, until: nil)
    case .match(_, let bounds): bounds
    case .repeating(let repetition): repetition.bounds
    case .on(let occasions): occasions.bounds
    }
  }

  /// The delay, or the pause of a repetition, if one is given by `in`.
  public var delay: Duration? {
    if case .after(let delay) = dates { return delay }
    if case .after(let delay) = repetition?.pattern { return delay }
    return nil
  }
}
