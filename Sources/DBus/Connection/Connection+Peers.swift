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
    let (events, continuation) = AsyncStream<PeerEvent>.makeStream()
    try await trackOwner(of: name)
    lastSubscription += 1
    let key = lastSubscription
    continuation.yield(.owner(owners[name]?.current))
    owners[name]?.observers[key] = { continuation.yield(.owner($0)) }
    let subscription = Subscription(
      rule: MatchRule(sender: name, path: path, interface: interface), deliver: { continuation.yield(.signal($0)) },
      end: { _ in continuation.finish() })
    do throws(CallError) {
      try await subscribe(subscription, as: key)
    } catch {
      stopObserving(name, key)
      throw error
    }
    continuation.onTermination = { [weak self] _ in
      self?.perform {
        $0.unsubscribe(key)
        $0.stopObserving(name, key)
      }
    }
    return events
  }
}
