// SPDX-License-Identifier: Apache-2.0

/// The instants at which a zone's clocks show a given date and time: usually one.
public enum CivilInstants: Hashable, Sendable {
  /// The clocks show it once.
  case once(Instant)
  /// The clocks never show it: at `transition` they are set forward past it.
  case gap(before: UTCOffset, after: UTCOffset, transition: Instant)
  /// The clocks show it twice, because they are set back in between.
  case overlap(first: Instant, second: Instant)
}
