// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Links

/// [MQTT 5](https://docs.oasis-open.org/mqtt/mqtt/v5.0/mqtt-v5.0.html): messages and answers go over one connection.
enum MQTTTransport: LinkTransport {
  static func subscription(
    of opened: OpenedLink, _ parts: SubscriptionParts, on loop: EventLoop
  ) -> (any Subscription, answers: (any MessageSender)?) {
    let subscription = MQTTSubscription(opened, parts, on: loop)
    return (subscription, opened.link.answers ? MQTTAnswerSender(subscription, on: loop) : nil)
  }

  static func trial(of opened: OpenedLink, on loop: EventLoop) -> any Trial { MQTTTrial(opened, on: loop) }
}
