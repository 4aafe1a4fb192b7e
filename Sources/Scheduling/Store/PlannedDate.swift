// SPDX-License-Identifier: Apache-2.0

/// One date of a request: the instant, and its wall time, which identifies it.
public struct PlannedDate: Hashable, Sendable {
  /// The instant.
  public var due: Timestamp
  /// Wall-clock date and time, without zone; nil for an instant without a wall time (`in`, `every: 15m`).
  public var wall: String?
  /// The IANA name of the zone; nil for the machine's zone.
  public var zone: String?
  /// 1 for the second of two equal wall times.
  public var fold: Int
  /// Whether the date depends on elapsed time, and so ignores changes of the wall clock.
  var isElapsed: Bool

  /// A date.
  public init(due: Timestamp, wall: String? = nil, zone: String? = nil, fold: Int = 0, isElapsed: Bool = false) {
    self.due = due
    self.wall = wall
    self.zone = zone
    self.fold = fold
    self.isElapsed = isElapsed
  }
}
