// SPDX-License-Identifier: Apache-2.0

/// Options for requesting a name.
public struct NameOptions: OptionSet, Sendable, Hashable {
  /// The bits, as on the wire.
  public let rawValue: UInt32
  /// Creates options from bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Allow another connection to take the name over.
  public static let allowReplacement = NameOptions(rawValue: 1)
  /// Take the name over from an owner that allows this.
  public static let replaceExisting = NameOptions(rawValue: 2)
  /// Do not queue if the name is taken.
  public static let doNotQueue = NameOptions(rawValue: 4)
}

/// The result of requesting a name.
public enum NameReply: UInt32, Sendable {
  /// This connection owns the name.
  case owner = 1
  /// This connection is queued for the name.
  case queued = 2
  /// Another connection owns the name.
  case taken = 3
  /// This connection already owned the name.
  case alreadyOwner = 4
}

/// A name whose owner is tracked.
final class TrackedOwner {
  /// Ready once the owner is known and the bus reports changes.
  let registration = PendingRegistration()
  var isReady: Bool { registration.isReady }
  var current: BusName?
  /// Whether the bus holds the match rule for changes.
  var isMatched = false
  /// Counts the reported changes, so that an older answer cannot undo a newer change.
  var changes = 0
  var observers: [UInt64: Observer] = [:]

  /// Receives each owner in turn, and the end of the connection.
  struct Observer {
    let tell: (BusName?) -> Void
    let end: () -> Void
  }

  func end() {
    for observer in observers.values { observer.end() }
  }
}

extension Connection {
  // MARK: Own names

  /// Requests a name. After a reconnection it is requested again.
  public func requestName(
    _ name: BusName, _ nameOptions: NameOptions = .doNotQueue
  ) async throws(CallError) -> NameReply {
    let code = try await call(BusMethods.requestName, of: .bus, name, nameOptions.rawValue)
    guard let answer = NameReply(rawValue: code) else {
      throw .failed(BusError(.unexpectedReply, "the bus answered 'RequestName' with an unknown code"))
    }
    if answer != .taken { requestedNames[name] = nameOptions }
    return answer
  }

  /// Releases a name.
  public func releaseName(_ name: BusName) async throws(CallError) {
    requestedNames[name] = nil
    try await call(BusMethods.releaseName, of: .bus, name)
  }

  func nameNews(_ signal: Signal) {
    if let name = signal.arguments(as: BusSignals.nameLost), let own = BusName(name), !own.isUnique { tell(.lost(own)) }
    if let name = signal.arguments(as: BusSignals.nameAcquired), let own = BusName(name), !own.isUnique {
      tell(.acquired(own))
    }
  }

  // MARK: Other names

  /// Returns the current owner of `name`; nil if it has none.
  public func owner(of name: BusName) async throws(CallError) -> BusName? {
    do throws(CallError) {
      return try await call(BusMethods.getNameOwner, of: .bus, name)
    } catch {
      if error.isRefusal(.nameHasNoOwner) { return nil }
      throw error
    }
  }

  /// Returns whether the bus can start an owner of `name`.
  public func isActivatable(_ name: BusName) async throws(CallError) -> Bool {
    try await call(BusMethods.activatableNames, of: .bus).contains(name.text)
  }

  /// The current owner of `name`, then each later one (nil if there is none), in the order in which the bus reports
  /// them.
  ///
  /// A lost connection counts as no owner; after a reconnection, the sequence continues with the owner at that time. A
  /// slow reader loses the oldest elements.
  public func owners(of name: BusName) async throws(CallError) -> AsyncStream<BusName?> {
    try await trackOwner(of: name)
    let key = nextKey()
    let (stream, continuation) = AsyncStream.makeStream(of: BusName?.self, bufferingPolicy: .bufferingNewest(256))
    guard let tracked = owners[name] else {
      continuation.finish()  // closed while we waited
      return stream
    }
    continuation.yield(tracked.current)
    tracked.observers[key] = .init(tell: { continuation.yield($0) }, end: { continuation.finish() })
    continuation.onTermination = { [weak self] _ in
      self?.perform { $0.stopObserving(name, key) }
    }
    return stream
  }

  func stopObserving(_ name: BusName, _ key: UInt64) {
    guard owners[name]?.observers.removeValue(forKey: key) != nil else { return }
    untrackOwner(of: name)
  }

  // MARK: Tracking

  func trackOwner(of name: BusName) async throws(CallError) {
    let tracked = owners[name] ?? TrackedOwner()
    if owners[name] == nil {
      owners[name] = tracked
      do throws(BusError) {
        try beginTracking(tracked, of: name)
      } catch {
        stopTracking(tracked, of: name, because: .failed(error))
        throw .failed(error)
      }
    }
    tracked.registration.users += 1
    do throws(CallError) {
      try await wait(for: tracked.registration)
    } catch {
      release(tracked, of: name)
      throw error
    }
  }

  /// Sends both calls together: the bus answers in order, so no change can be missed between the rule and the first
  /// answer.
  private func beginTracking(_ tracked: TrackedOwner, of name: BusName) throws(BusError) {
    let text = MatchRule.ownerChanges(of: name).text
    try askForMatch(text) { reply in
      switch reply {
      case .success:
        self.holdsMatch(for: tracked, of: name)
      case .failure(let error): self.stopTracking(tracked, of: name, because: error)
      }
    }
    try askForOwner(tracked, of: name) { reply in
      switch reply {
      case .success: tracked.registration.settle(.success(()))
      case .failure(let error): self.stopTracking(tracked, of: name, because: error)
      }
    }
  }

  /// Notes that the bus holds the rule, and removes it if no user needs it any more.
  func holdsMatch(for tracked: TrackedOwner, of name: BusName) {
    if owners[name] === tracked {
      tracked.isMatched = true
    } else {
      dropMatch(MatchRule.ownerChanges(of: name).text)
    }
  }

  /// Queries and stores the owner of `name`; having no owner is a valid answer.
  func askForOwner(
    _ tracked: TrackedOwner, of name: BusName, _ whenDone: @escaping (PendingRegistration.Outcome) -> Void
  ) throws(BusError) {
    let changes = tracked.changes
    try ask(BusMethods.getNameOwner, name) { reply in
      var owner: BusName?
      switch reply {
      case .success(let name): owner = name
      case .failure(let error):
        guard error.isRefusal(.nameHasNoOwner) else { return whenDone(.failure(error)) }
      }
      if tracked.changes == changes { self.setOwner(owner, of: tracked) }
      whenDone(.success(()))
    }
  }

  private func stopTracking(_ tracked: TrackedOwner, of name: BusName, because error: CallError) {
    if owners[name] === tracked {
      owners[name] = nil
      if tracked.isMatched { dropMatch(MatchRule.ownerChanges(of: name).text) }
    }
    tracked.end()
    tracked.registration.settle(.failure(error))
  }

  func untrackOwner(of name: BusName) {
    if let tracked = owners[name] { release(tracked, of: name) }
  }

  private func release(_ tracked: TrackedOwner, of name: BusName) {
    tracked.registration.users -= 1
    guard tracked.registration.users == 0, owners[name] === tracked else { return }
    owners[name] = nil
    if tracked.isMatched { dropMatch(MatchRule.ownerChanges(of: name).text) }
  }

  func ownerChanged(_ signal: Signal) {
    guard let (name, _, new) = signal.arguments(as: BusSignals.nameOwnerChanged),
      let tracked = owners[BusName(unchecked: name)]
    else { return }
    tracked.changes += 1
    // Empty if there is none.
    setOwner(BusName(new), of: tracked)
  }

  func setOwner(_ owner: BusName?, of tracked: TrackedOwner) {
    guard tracked.current != owner else { return }
    tracked.current = owner
    for observer in tracked.observers.values { observer.tell(owner) }
  }
}
