// SPDX-License-Identifier: Apache-2.0
public import Zoneinfo

/// When a request is to be shown: once or again and again. It is the rule that is kept, never only the next instant, so
/// that a change of zone or of the time zones' data finds the right ones.
public struct Trigger: Sendable {
  /// What says when.
  public enum Timing: Sendable {
    /// `in`, and an `at` with an offset: once, at a moment that never moves.
    case moment(Instant)
    /// `at`: once, when the clocks show it.
    case wall(CivilDateTime)
    /// `every` with a duration: elapsed time.
    case interval(Interval)
    /// `every` in systemd's form.
    case calendar(CalendarExpression)
    /// `rule`, with its start.
    case rule(Recurrence)
    /// `match`.
    case match(ComponentMatch)
  }

  /// Where a repetition begins or ends.
  public enum Bound: Hashable, Sendable {
    /// A moment, the same everywhere.
    case instant(Instant)
    /// When the clocks show it.
    case wall(CivilDateTime)
  }

  /// What says when.
  public let timing: Timing
  /// The name of its zone; nil: it floats, in whatever zone the machine is.
  public let zone: String?
  /// When it was made: nothing before is of it.
  public let made: Instant
  /// The first moment that counts.
  public let from: Bound?
  /// The last moment that counts.
  public let until: Bound?
  /// How many there are; 1 for what does not repeat.
  public let count: Int?

  /// Of values that were checked by themselves.
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

  /// Whether there may be more than one date.
  public var repeats: Bool {
    switch timing {
    case .moment, .wall: false
    case .interval, .calendar, .rule, .match: count != 1
    }
  }

  /// One date of a trigger; what it is known by is `wall`, `zone` and `fold`.
  public struct Occurrence: Hashable, Sendable {
    /// When it is due.
    public let instant: Instant
    /// What the clocks should show, which is not always what they do: a time in a gap keeps its words. Nil for what no
    /// clock names (`in`, `every: 15m`).
    public let wall: CivilDateTime?
    /// Of `wall`; nil: whatever zone the machine is in.
    public let zone: String?
    /// 1: the second time that the clocks show it.
    public let fold: Int
    /// Its number, from 1, where they are counted.
    public let number: Int?

    /// A date that is known from elsewhere.
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
  /// The dates on the wall clock, where there are more than one.
  var wallDates: (any WallDates)? {
    switch timing {
    case .moment, .wall, .interval: nil
    case .calendar(let expression): expression
    case .rule(let recurrence): recurrence
    case .match(let match): match
    }
  }
}
