// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

/// The work of a search for dates: how many steps it may still take, and what it has counted so far.
///
/// A caller chooses the rule, and there are rules for which the search would take hours. So every
/// loop that a rule can stretch takes a step from here, and a search that runs out of steps ends with an error. Steps are
/// counted instead of time, so that a request is accepted or refused alike on every machine. A step is a look at one
/// month, week, change of clocks or excluded date: some 100 ns in a release build.
///
/// A search belongs to one trigger: what it counted is not true of another.
public struct DateSearch: Sendable {
  /// How many steps the search for one date may take: some 10 ms.
  public static let mostSteps = 100_000

  /// How many steps were taken, before and after ``renew()``.
  public private(set) var taken = 0
  private let most: Int
  private let altogether: Int
  private var end: Int
  /// A moment of a recurrence, and how many of its dates are before it.
  var counted: (moment: CivilDateTime, number: Int)?

  /// A search of its own, of at most so many steps for a date; `altogether` is for several dates.
  public init(steps most: Int = Self.mostSteps, altogether: Int = .max) {
    (self.most, self.altogether) = (most, altogether)
    end = min(most, altogether)
  }

  /// The next date may take as many steps again; what was counted stays known.
  public mutating func renew() {
    let (end, isFar) = taken.addingReportingOverflow(most)
    self.end = min(isFar ? .max : end, altogether)
  }

  /// Throws if there are not so many steps left.
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
