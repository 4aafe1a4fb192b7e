// SPDX-License-Identifier: Apache-2.0
internal import Links

/// What sending needs of the center.
protocol OutboxCenter: AnyObject {
  /// What waits to be sent; nil if the center does not answer. From then on it tells of what comes.
  func outgoing() async -> [OutgoingItem]?
  /// Something that waits, immediately before it is sent.
  func take(_ number: UInt64) async -> TakeAnswer
  /// Says what became of it; returns false if the center does not answer.
  func finish(_ number: UInt64, as end: OutgoingEnd) async -> Bool
}

/// The center's answer.
enum TakeAnswer {
  case message(OutgoingMessage)
  case call(OutgoingCall)
  case answer(OutgoingAnswer)
  /// It is not to be sent any more: it was answered, or has lapsed.
  case gone
  /// The center does not answer. Once it does, all that waits is asked for again.
  case unavailable
}

/// What became of something that waited.
enum OutgoingEnd: Equatable {
  case sent
  case failed(String)
  /// It waits, because of this.
  case waiting(String)
}
