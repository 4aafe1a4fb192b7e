// SPDX-License-Identifier: Apache-2.0

/// A change of a zone's offset, name or daylight saving.
public struct Transition: Hashable, Sendable {
  /// The first instant of the new local time.
  public let instant: Instant
  /// The local time before the change.
  public let before: LocalTimeType
  /// The local time after the change.
  public let after: LocalTimeType
}
