// SPDX-License-Identifier: Apache-2.0

/// An event of a peer.
public enum PeerEvent: Hashable, Sendable {
  /// The name has a new owner; nil if it has none.
  case owner(BusName?)
  /// The owner sent a signal.
  case signal(Signal)
}

extension Connection {
  /// The current owner of `name`, each later one, and the signals of each, in the order in which the bus reports them.
  ///
  /// With two sequences, one of owners and one of signals, a reader could not tell whether the last signal of an owner
  /// came before its end. A lost connection counts as no owner; the sequence ends when the connection is closed.
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
        // The subscription tracks the owner, and releases it.
        connection.owners[name]?.observers[key] = nil
        connection.unsubscribe(key)
      }
    }
    return events
  }
}
