// SPDX-License-Identifier: Apache-2.0

/// One date of a request: the instant, and the wall clock's words for it, which are its identity.
public struct Occurrence: Hashable, Sendable {
  /// Milliseconds since 1970.
  public var due: Int64
  /// Date and time as the wall clock shows them, without zone; nil: an instant that no wall clock names (`in`, `every: 15m`).
  public var wall: String?
  /// The zone's IANA name; nil: whatever the machine's zone is.
  public var zone: String?
  /// 1: the second of two equal wall times.
  public var fold: Int
  /// It comes after so much elapsed time, whatever becomes of the clock on the wall.
  var isElapsed: Bool

  /// A date.
  public init(due: Int64, wall: String? = nil, zone: String? = nil, fold: Int = 0, isElapsed: Bool = false) {
    self.due = due
    self.wall = wall
    self.zone = zone
    self.fold = fold
    self.isElapsed = isElapsed
  }
}
