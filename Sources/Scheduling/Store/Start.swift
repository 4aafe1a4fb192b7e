// SPDX-License-Identifier: Apache-2.0

/// When a request starts.
public enum Start: Hashable, Sendable {
  /// At once.
  case now
  /// At a date, after so many earlier ones that count: its repetition began before it was stored.
  case at(PlannedDate, passed: Int64 = 0)
  /// When its condition becomes true.
  case armed

  /// The first date; nil if it does not start at a date.
  public var date: PlannedDate? { if case .at(let date, _) = self { date } else { nil } }

  /// The number of dates that have passed.
  var passed: Int64 { if case .at(_, let passed) = self { passed } else { 0 } }
}

/// The date or condition that a stored request waits for.
public enum Wait: Hashable, Sendable {
  /// The next date.
  case date(PlannedDate)
  /// The condition in the payload, which the row does not name. Without a condition in it, the next date is unknown
  /// until the zone rules change.
  case condition

  /// The next date; nil for a condition.
  public var date: PlannedDate? { if case .date(let date) = self { date } else { nil } }
}

extension Wait {
  /// The wait of a request that is stored at `now`.
  init(_ start: Start, now: Timestamp) {
    switch start {
    case .now: self = .date(PlannedDate(due: now))
    case .at(let date, _): self = .date(date)
    case .armed: self = .condition
    }
  }
}
