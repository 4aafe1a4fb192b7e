// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Links

/// How the links over one ``Transport`` run. To add a transport, write a type like those of the others in a folder of its
/// own, and a case of ``Transport``; the compiler then asks what links over it may say, and for its name below.
protocol LinkTransport {
  /// What receives the messages of a link, and what sends its answers if it has any. Starts nothing yet.
  static func subscription(
    of opened: OpenedLink, _ parts: SubscriptionParts, on loop: EventLoop
  ) throws(SecretError) -> (any Subscription, answers: (any MessageSender)?)

  /// One attempt to connect a link.
  static func trial(of opened: OpenedLink, on loop: EventLoop) throws -> any Trial

  /// What sends messages to a topic; nil if ``Transport/sends`` is false.
  static func sender(of opened: OpenedLink, to topic: String, _ transfers: Transfers) -> (any MessageSender)?
}

extension LinkTransport {
  static func sender(of opened: OpenedLink, to topic: String, _ transfers: Transfers) -> (any MessageSender)? { nil }
}

extension Transport {
  /// How its links run.
  var running: any LinkTransport.Type {
    switch self {
    case .ntfy: NtfyTransport.self
    case .mqtt: MQTTTransport.self
    case .unifiedPush: UnifiedPushTransport.self
    }
  }
}

/// What a subscription works with, beside its link.
struct SubscriptionParts {
  let record: LinkRecord
  let queue: PushQueue
  let transfers: Transfers
  /// Nil without a bus.
  let connector: Connector?
  /// This desktop, if the link has answers and the id of the machine can be read.
  let device: DeviceID?
  let timing: LinkTiming
}
