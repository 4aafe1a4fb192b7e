// SPDX-License-Identifier: Apache-2.0

/// The moments at which a zone's clocks show a certain date and time: one, as a rule.
public enum CivilInstants: Hashable, Sendable {
  /// They show it once.
  case once(Instant)
  /// They never do: at `transition` they are set forward past it, from one offset to another.
  case gap(before: UTCOffset, after: UTCOffset, transition: Instant)
  /// They do twice, being set back in between.
  case overlap(first: Instant, second: Instant)
}
