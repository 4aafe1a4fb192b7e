// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The bus calls that the center needs, other than those to its notification server; `Bus/` makes them.
struct BusCalls {
  /// Announces that the notification server has changed.
  let announceServer: () -> Void
  /// Tells a program that sends elsewhere that a message waits.
  let announceOutgoing: (Caller) -> Void
  /// Asks the bus to start the program that sends elsewhere.
  let startCarrier: () -> Void
  /// The id of the bus, which no other bus has; nil if the bus does not answer.
  let id: () async -> String?
  /// The names on the bus; nil if the bus does not answer.
  let callers: () async -> Set<Caller>?
  /// Asks a handler how to show a request that is due while its app is in front; returns nil if it does not answer.
  let willPresent: (Caller, NotificationRequest) async -> Set<NoticeKind>?
  /// Lets a handler change a push; returns when it has, or after this time.
  let changePush: (Caller, NotificationRequest, Duration) async -> Void
}
