// SPDX-License-Identifier: Apache-2.0
internal import Links

/// How a transport sends a message. Each link that sends has one.
///
/// Confined to the loop's thread.
protocol MessageSender: AnyObject {
  /// Sends a message; returns when the server has taken it, or does not. Sending the same message again is no harm, as
  /// far as the server can tell: it has the same id.
  func send(_ message: OutgoingMessage) async -> SendAnswer
  /// Sends the answer to a message; returns what the server said.
  func send(_ answer: OutgoingAnswer) async -> SendAnswer
  /// Ends a transfer that is under way.
  func stop()
}

/// The result of sending a message.
enum SendAnswer: Equatable {
  case sent
  /// The server does not take this message, in words that quote nothing of it.
  case refused(String)
  /// The server takes no message at present, and another attempt follows: after the usual pause if it may help by
  /// itself, and at the earliest after `pause`.
  case unavailable(String, isTemporary: Bool, pause: Duration? = nil)
}
