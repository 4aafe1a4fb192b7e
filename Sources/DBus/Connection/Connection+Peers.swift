// SPDX-License-Identifier: Apache-2.0

/// What a peer does, or what happens to it.
public enum PeerEvent: Hashable, Sendable {
  /// Who has the peer's name from here on; nil: nobody.
  case owner(BusName?)
  /// The owner sent a signal.
  case signal(Signal)
}

extension Connection {
  /// The owner of `name` now, each one after it, and the signals of each, all in the order in which the bus told of them.
  ///
  /// Two sequences, one of owners and one of signals, would not do: who reads them cannot know whether the last signal of
  /// an owner came before its end. A lost connection counts as nobody; the sequence ends when the connection is closed.
  public func follow(
    _ name: BusName, _ path: ObjectPath, _ interface: InterfaceName
  ) async throws(CallError) -> AsyncStream<PeerEvent> {
    let rule = MatchRule(sender: name, path: path, interface: interface)
    try await prepareToHear(rule)
    let (events, continuation) = AsyncStream<PeerEvent>.makeStream()
    guard let tracked = owners[name] else {
      continuation.finish()  // closed while we waited
      return events
    }
    let key = nextKey()
    continuation.yield(.owner(tracked.current))
    tracked.observers[key] = .init(tell: { continuation.yield(.owner($0)) }, end: { continuation.finish() })
    subscriptions[key] = Subscription(
      rule: rule, deliver: { continuation.yield(.signal($0)) }, end: { _ in continuation.finish() })
    continuation.onTermination = { [weak self] _ in
      self?.perform { connection in
        // The owner is tracked on behalf of the subscription, which lets go of it.
        connection.owners[name]?.observers[key] = nil
        connection.unsubscribe(key)
      }
    }
    return events
  }
}
