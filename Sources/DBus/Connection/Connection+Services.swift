// SPDX-License-Identifier: Apache-2.0

/// What comes of a name: who has it, and what that one says.
public enum ServiceNews: Hashable, Sendable {
  /// Who owns the name from here on; nil: nobody.
  case owner(BusName?)
  /// A signal of the owner's.
  case signal(Signal)
}

extension Connection {
  /// The owners of `name`, the present one first, and those of their signals that fit `rule`, in the one order in which
  /// the bus told of them: what an owner says last comes before its end. Two streams could not promise that.
  ///
  /// A lost connection counts as nobody; after a reconnection the owner of that time comes. Everything is kept until it
  /// is read.
  public func news(of name: BusName, matching rule: MatchRule) async throws(CallError) -> AsyncStream<ServiceNews> {
    var rule = rule
    rule.sender = name
    // Once for the owners and once for the signals, which are taken back one by one.
    try await trackOwner(of: name)
    do throws(CallError) { try await trackOwner(of: name) } catch {
      untrackOwner(of: name)
      throw error
    }
    do throws(CallError) { try await holdMatch(rule) } catch {
      for _ in 0..<2 { untrackOwner(of: name) }
      throw error
    }
    let key = nextKey()
    let (stream, continuation) = AsyncStream.makeStream(of: ServiceNews.self)
    guard let tracked = owners[name] else {
      continuation.finish()  // closed while we waited
      return stream
    }
    continuation.yield(.owner(tracked.current))
    tracked.observers[key] = OwnerObserver {
      continuation.yield(.owner($0))
    } end: {
      continuation.finish()
    }
    subscriptions[key] = Subscription(
      rule: rule, deliver: { continuation.yield(.signal($0)) }, end: { _ in continuation.finish() })
    continuation.onTermination = { [weak self] _ in
      self?.perform {
        $0.unsubscribe(key)
        $0.stopObserving(name, key)
      }
    }
    return stream
  }
}
