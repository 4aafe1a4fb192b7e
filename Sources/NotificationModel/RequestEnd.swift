// SPDX-License-Identifier: Apache-2.0

/// How a request ends: every accepted request ends exactly once, in one of these ways. A repeating request does so for
/// each of its dates.
///
/// The raw values are the reasons of `Closed` on the bus; `docs/HISTORY.md` explains each.
public enum RequestEnd: String, Sendable, CaseIterable {
  // On the screen.

  /// Its time on the screen was over.
  case expired
  /// The user dismissed it.
  case dismissed
  /// The user acknowledged it elsewhere: `suzu ack`.
  case acknowledged
  /// A program removed it, or it was closed after the user's answer.
  case withdrawn
  /// The notification server ended, and its notifications with it.
  case vanished
  /// The server gave no reason.
  case unknown

  // On the screen, or before.

  /// A newer request with its id replaced it.
  case replaced

  // Before it was shown.

  /// A program cancelled it.
  case cancelled
  /// Too many came at once: it is part of a digest.
  case folded
  /// The user does not allow its app to show notifications.
  case notAllowed = "not allowed"
  /// The user has muted it until a later date.
  case muted
  /// Its app was in front, and presented it itself.
  case presented = "presented by the app"
  /// A push with nothing to show: it was handed to its app, or changed its badge.
  case silent = "silent push"
  /// A push that could not be shown before it expired.
  case lapsed = "push expired"
  /// Its date was missed, and `missed` is `skip`.
  case skipped
  /// It was delayed by more than its `grace`.
  case late = "too late"
  /// The server refuses it permanently, or it can no longer be read.
  case failed
}
