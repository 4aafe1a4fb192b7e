// SPDX-License-Identifier: Apache-2.0

/// A change of a place's local time, of its offset or only of its name.
public struct Transition: Hashable, Sendable {
  /// The first moment of the new time.
  public let instant: Instant
  /// What was in force up to then.
  public let before: LocalTimeType
  /// What is in force from then on.
  public let after: LocalTimeType
}
