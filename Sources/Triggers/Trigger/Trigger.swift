// SPDX-License-Identifier: Apache-2.0
public import Zoneinfo

/// When a request is shown, once or repeatedly. The rule is stored, never only the next instant, so that a change of
/// zone or of the time zone data yields the right dates.
public struct Trigger: Sendable {
  /// The kind of schedule.
  public enum Timing: Sendable {
    /// `in`, and an `at` with an offset: once, at a fixed moment.
    case moment(Instant)
    /// `at`: once, at a wall clock time.
    case wall(CivilDateTime)
    /// `every` with a duration: elapsed time.
    case interval(Interval)
    /// `every` in systemd's calendar form.
    case calendar(CalendarExpression)
    /// `rule`, with its start.
    case rule(Recurrence)
    /// `match`.
    case match(ComponentMatch)
  }

  /// A limit of a repetition.
  public enum Bound: Hashable, Sendable {
    /// A moment, the same in all zones.
    case instant(Instant)
    /// A wall clock time.
    case wall(CivilDateTime)
  }

  /// The schedule.
  public let timing: Timing
  /// The name of its zone; nil if it floats with the zone of the machine.
  public let zone: String?
  /// The moment of creation; earlier dates do not count.
  public let made: Instant
  /// The first moment that counts.
  public let from: Bound?
  /// The last moment that counts.
  public let until: Bound?
  /// The number of dates; 1 without repetition.
  public private(set) var count: Int?

  /// Creates a trigger from values that are checked individually.
  public init(
    _ timing: Timing, zone: String? = nil, made: Instant, from: Bound? = nil, until: Bound? = nil, count: Int? = nil
  ) throws(TriggerError) {
    guard count.map({ $0 >= 1 }) ?? true else {
      throw TriggerError(.invalid, "must be a positive integer", key: "count", example: "6")
    }
    if case .calendar(let expression) = timing, let own = expression.zone {
      guard zone == nil || zone == own else {
        throw TriggerError(.invalid, "the expression names another zone, \(own.inQuotes)", key: "zone")
      }
      self.zone = own
    } else {
      self.zone = zone
    }
    self.timing = timing
    self.made = made
    self.from = from
    self.until = until
    self.count = count
  }

  /// The same without an end by number.
  public var uncounted: Trigger {
    var other = self
    other.count = nil
    return other
  }

  /// Whether there may be more than one date.
  public var repeats: Bool {
    switch timing {
    case .moment, .wall: false
    case .interval, .calendar, .rule, .match: count != 1
    }
  }

  /// One date of a trigger, identified by `wall`, `zone` and `fold`.
  public struct Occurrence: Hashable, Sendable {
    /// The instant when it is due.
    public let instant: Instant
    /// The scheduled wall clock time, which differs from the shown one for a time in a gap. Nil for schedules without a
    /// wall clock time (`in`, `every: 15m`).
    public let wall: CivilDateTime?
    /// The zone of `wall`; nil for the machine's.
    public let zone: String?
    /// 1 for the second occurrence of that wall clock time.
    public let fold: Int
    /// Its number, from 1, if dates are counted.
    public let number: Int?

    /// Creates a date that is known from elsewhere.
    public init(
      instant: Instant, wall: CivilDateTime? = nil, zone: String? = nil, fold: Int = 0, number: Int? = nil
    ) {
      self.instant = instant
      self.wall = wall
      self.zone = zone
      self.fold = fold
      self.number = number
    }
  }
}

extension Trigger {
  /// The wall clock dates of a repeating schedule.
  var wallDates: (any WallDates)? {
    switch timing {
    case .moment, .wall, .interval: nil
    case .calendar(let expression): expression
    case .rule(let recurrence): recurrence
    case .match(let match): match
    }
  }
}
