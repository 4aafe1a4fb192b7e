// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

/// A search for dates, with the number of steps that it may still take and its counts so far.
///
/// Callers choose the rule, and for some rules the search would take hours. So every loop that a rule can extend takes
/// a step from here, and a search without steps left ends with an error. Steps are counted instead of time, so that a
/// request is accepted or refused alike on every machine. A step is a look at one month, week, change of clocks or
/// excluded date: some 100 ns in a release build.
///
/// A search belongs to one trigger: its counts do not apply to another.
public struct DateSearch: Sendable {
  /// The maximum number of steps for one date: some 10 ms.
  public static let mostSteps = 100_000

  /// The number of steps taken, before and after ``renew()``.
  public private(set) var taken = 0
  private let most: Int
  private let altogether: Int
  private var end: Int
  /// A moment of a recurrence, and the number of its dates before it.
  var counted: (moment: CivilDateTime, number: Int)?

  /// Creates a search with a limit of steps for each date; `altogether` limits a search for several dates.
  public init(steps most: Int = Self.mostSteps, altogether: Int = .max) {
    (self.most, self.altogether) = (most, altogether)
    end = min(most, altogether)
  }

  /// Allows the same number of steps again for the next date; counts stay known.
  public mutating func renew() {
    let (end, isFar) = taken.addingReportingOverflow(most)
    self.end = min(isFar ? .max : end, altogether)
  }

  /// Takes steps; throws if not enough are left.
  public mutating func take(_ steps: Int = 1) throws(TriggerError) {
    taken += steps
    if taken > end { throw tooLong }
  }

  private var tooLong: TriggerError {
    if taken > altogether {
      return TriggerError(.tooLong, "finding so many dates takes more than \(altogether) steps; ask for fewer")
    }
    return TriggerError(
      .tooLong, "finding the next date takes more than \(most) steps; simplify it or give a later 'from'")
  }
}
