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
    let (events, continuation) = AsyncStream<PeerEvent>.makeStream()
    let watch = try await follow(name, path, interface) {
      continuation.yield($0)
    } end: {
      continuation.finish()
    }
    continuation.onTermination = { _ in watch.cancel() }
    return events
  }

  /// Calls `tell` with the same events on the connection's loop, each before the next message is handled. A reader of a
  /// sequence resumes once for each event, behind all other work. `end` is called when the connection is closed.
  public func follow(
    _ name: BusName, _ path: ObjectPath, _ interface: InterfaceName, tell: @escaping @Sendable (PeerEvent) -> Void,
    end: @escaping @Sendable () -> Void
  ) async throws(CallError) -> SignalWatch {
    let rule = MatchRule(sender: name, path: path, interface: interface)
    try await prepareToHear(rule)
    guard let tracked = owners[name] else {
      end()  // closed while we waited
      return SignalWatch {}
    }
    let key = nextKey()
    tell(.owner(tracked.current))
    tracked.observers[key] = .init(tell: { tell(.owner($0)) }, end: end)
    subscriptions[key] = Subscription(rule: rule, deliver: { tell(.signal($0)) }, end: { _ in end() })
    return SignalWatch { [weak self] in
      self?.perform { connection in
        // The subscription tracks the owner, and releases it.
        connection.owners[name]?.observers[key] = nil
        connection.unsubscribe(key)
      }
    }
  }
}
