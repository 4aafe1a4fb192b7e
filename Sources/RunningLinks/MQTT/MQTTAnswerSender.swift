// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Links

/// Publishes the answers to messages on the connection of their link.
///
/// Confined to the loop's thread.
final class MQTTAnswerSender: MessageSender {
  private weak var subscription: MQTTSubscription?
  private let loop: EventLoop

  init(_ subscription: MQTTSubscription, on loop: EventLoop) { (self.subscription, self.loop) = (subscription, loop) }

  func send(_ message: OutgoingMessage) async -> SendAnswer { .refused("a link of MQTT sends only answers") }

  func send(_ answer: OutgoingAnswer) async -> SendAnswer {
    await loop.withContinuation { continuation in
      guard let subscription else {
        return continuation.resume(returning: .unavailable("the link has ended", isTemporary: true))
      }
      subscription.publish(answer) { continuation.resume(returning: $0) }
    }
  }

  func stop() { subscription?.endPublishing() }
}
