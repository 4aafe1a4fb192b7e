// SPDX-License-Identifier: Apache-2.0

/// How a request ends: every request that the center accepts ends exactly once, in one of these ways. One that repeats does
/// so for each of its dates.
///
/// The raw values are the reasons of `Closed` on the bus; `docs/ENDS.md` explains each.
public enum RequestEnd: String, Sendable, CaseIterable {
  // What was on the screen.

  /// Its time on the screen was over.
  case expired
  /// The user put it away.
  case dismissed
  /// A program took it back, or it was closed because the user answered it.
  case withdrawn
  /// The notification server ended, and took it along.
  case vanished
  /// The server did not say.
  case unknown

  // What was on the screen, or still had to come there.

  /// A newer request with its id took its place.
  case replaced

  // What never came to the screen.

  /// A program cancelled it.
  case cancelled
  /// Too many came at once: a digest stands for it.
  case folded
  /// The user does not allow its app to show notifications.
  case notAllowed = "not allowed"
  /// Its app was in front, and presented it by itself.
  case presented = "presented by the app"
  /// Its date was missed, and `missed` is `skip`.
  case skipped
  /// It was later than its `grace`.
  case late = "too late"
  /// The server refuses it for good, or it cannot be read any more.
  case failed
}
