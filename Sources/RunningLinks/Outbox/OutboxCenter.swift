// SPDX-License-Identifier: Apache-2.0
package import Links

/// The methods of the center that sending needs.
package protocol OutboxCenter: AnyObject {
  /// The messages that wait; nil if the center does not answer. From then on, a signal announces each new one.
  func outgoing() async -> [OutgoingItem]?
  /// The content of a message, immediately before it is sent.
  func take(_ number: UInt64) async -> TakeAnswer
  /// Reports the result; returns false if the center does not answer.
  func finish(_ number: UInt64, as end: OutgoingEnd) async -> Bool
}

/// The center's answer.
package enum TakeAnswer {
  case message(OutgoingMessage)
  case call(OutgoingCall)
  case answer(OutgoingAnswer)
  /// The notification was answered, or the message has lapsed.
  case gone
  /// The center does not answer. Once it does, the link asks for all waiting messages again.
  case unavailable
}

/// The result of a message, as it is reported.
package enum OutgoingEnd: Equatable {
  case sent
  case failed(String)
  /// It still waits, for this reason.
  case waiting(String)
}
