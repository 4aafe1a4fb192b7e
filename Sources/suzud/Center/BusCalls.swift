// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// What the center asks of the bus beside its notification server; `Bus/` makes the calls.
struct BusCalls {
  /// Announces that the notification server is another one.
  let announceServer: () -> Void
  /// Everyone on the bus; nil: it did not say.
  let callers: () async -> Set<Caller>?
  /// How a handler wants a request shown that is due while its app is in front; nil: it did not say.
  let willPresent: (Caller, NotificationRequest) async -> Set<NoticeKind>?
}
