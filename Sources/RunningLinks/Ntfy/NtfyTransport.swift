// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Links

/// [ntfy](https://docs.ntfy.sh): messages come in one long answer, and are sent by requests of their own.
enum NtfyTransport: LinkTransport {
  static func subscription(
    of opened: OpenedLink, _ parts: SubscriptionParts, on loop: EventLoop
  ) -> (any Subscription, answers: (any MessageSender)?) {
    let answers = opened.link.answerTopic.map { NtfySender(opened, to: $0, parts.transfers) }
    return (NtfySubscription(opened, parts, on: loop), answers)
  }

  static func trial(of opened: OpenedLink, on loop: EventLoop) throws -> any Trial {
    try NtfyTrial(opened, on: loop)
  }

  static func sender(of opened: OpenedLink, to topic: String, _ transfers: Transfers) -> (any MessageSender)? {
    NtfySender(opened, to: topic, transfers)
  }
}
