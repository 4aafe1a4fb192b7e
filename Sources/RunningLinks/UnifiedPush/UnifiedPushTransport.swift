// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Links

/// [UnifiedPush](https://unifiedpush.org/developers/spec/dbus/): a distributor on the session bus brings messages.
enum UnifiedPushTransport: LinkTransport {
  static func subscription(
    of opened: OpenedLink, _ parts: SubscriptionParts, on loop: EventLoop
  ) throws(SecretError) -> (any Subscription, answers: (any MessageSender)?) {
    (try UnifiedPushSubscription(opened, parts, on: loop), nil)
  }

  static func trial(of opened: OpenedLink, on loop: EventLoop) throws -> any Trial {
    try UnifiedPushTrial(opened, on: loop)
  }
}

extension PushKeys {
  /// The keys of a link over UnifiedPush.
  init(of link: LinkDefinition, in folders: LinkFolders) throws(SecretError) {
    guard case .keys(let place)? = link.secret else { throw SecretError("the link has no keys") }
    try self.init(try place.read(in: folders.settings))
  }
}
