// SPDX-License-Identifier: Apache-2.0

/// How a name is asked for.
public struct NameOptions: OptionSet, Sendable, Hashable {
  /// The bits, as on the wire.
  public let rawValue: UInt32
  /// From bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Somebody else may take the name over.
  public static let allowReplacement = NameOptions(rawValue: 1)
  /// Take it over from an owner that allows that.
  public static let replaceExisting = NameOptions(rawValue: 2)
  /// Do not wait in line where it is taken.
  public static let doNotQueue = NameOptions(rawValue: 4)
}

/// What became of a wish for a name.
public enum NameReply: UInt32, Sendable {
  /// It is ours.
  case owner = 1
  /// It will be ours when its owner goes.
  case queued = 2
  /// Somebody has it.
  case taken = 3
  /// It was ours before.
  case alreadyOwner = 4
}

/// A name whose owner somebody here wants to know.
final class TrackedOwner {
  /// Ready once the owner is known and changes are told.
  let registration = PendingRegistration()
  var isReady: Bool { registration.isReady }
  var current: BusName?
  /// Whether the bus holds the rule that makes it tell of changes.
  var isMatched = false
  /// Counts the changes that the bus told of, so that an older answer cannot undo a newer one.
  var changes = 0
  var observers: [UInt64: Observer] = [:]

  /// Somebody who hears of each owner in turn, and of the end of the connection.
  struct Observer {
    let tell: (BusName?) -> Void
    let end: () -> Void
  }

  func end() {
    for observer in observers.values { observer.end() }
  }
}

extension Connection {
  // MARK: Names of ours

  /// Asks for a name. It is asked for again after a reconnection.
  public func requestName(
    _ name: BusName, _ nameOptions: NameOptions = .doNotQueue
  ) async throws(CallError) -> NameReply {
    let reply = try await call(Self.request(name, nameOptions))
    let answer = try Self.nameReply(in: reply)
    if answer != .taken { requestedNames[name] = nameOptions }
    return answer
  }

  static func request(_ name: BusName, _ nameOptions: NameOptions) -> MethodCall {
    .toBus("RequestName", [.string(name.text), .uint32(nameOptions.rawValue)])
  }

  static func nameReply(in reply: [Value]) throws(CallError) -> NameReply {
    guard let answer = reply.first?.uint32.flatMap({ NameReply(rawValue: $0) }) else {
      throw .failed(BusError(.unexpectedReply, "the bus answered 'RequestName' with an unknown code"))
    }
    return answer
  }

  /// Gives a name back.
  public func releaseName(_ name: BusName) async throws(CallError) {
    requestedNames[name] = nil
    try await call(.toBus("ReleaseName", [.string(name.text)]))
  }

  func nameNews(_ member: MemberName, _ arguments: [Value]) {
    guard let name = arguments.first?.string.flatMap({ BusName($0) }), !name.isUnique else { return }
    tell(member == "NameLost" ? .lost(name) : .acquired(name))
  }

  // MARK: Names of others

  /// Who owns `name` now; nil where nobody does.
  public func owner(of name: BusName) async throws(CallError) -> BusName? {
    do throws(CallError) {
      return try await call(.toBus("GetNameOwner", [.string(name.text)])).first?.string.flatMap { BusName($0) }
    } catch {
      if error.isRefusal(.nameHasNoOwner) { return nil }
      throw error
    }
  }

  /// Whether the bus could start an owner of `name`.
  public func isActivatable(_ name: BusName) async throws(CallError) -> Bool {
    try await call(.toBus("ListActivatableNames")).first?.strings?.contains(name.text) ?? false
  }

  /// The owner of `name` now, then each one after it (nil: nobody), in the order in which the bus told of them.
  ///
  /// A lost connection counts as nobody; after a reconnection the owner of that time comes. A reader who is far behind
  /// loses the oldest.
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

  /// Both at once: the bus answers in order, so that no change can fall between the rule and the first answer.
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

  /// The bus has the rule now; whether anybody still wants it is another question.
  func holdsMatch(for tracked: TrackedOwner, of name: BusName) {
    if owners[name] === tracked {
      tracked.isMatched = true
    } else {
      dropMatch(MatchRule.ownerChanges(of: name).text)
    }
  }

  /// Asks who owns `name` and notes it; that nobody does is an answer like another.
  func askForOwner(
    _ tracked: TrackedOwner, of name: BusName, _ whenDone: @escaping (PendingRegistration.Outcome) -> Void
  ) throws(BusError) {
    let changes = tracked.changes
    try ask(.toBus("GetNameOwner", [.string(name.text)])) { reply in
      var owner: BusName?
      switch reply {
      case .success(let arguments): owner = arguments.first?.string.flatMap { BusName($0) }
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

  func ownerChanged(_ arguments: [Value]) {
    guard arguments.count == 3, let name = arguments[0].string, let tracked = owners[BusName(unchecked: name)] else {
      return
    }
    tracked.changes += 1
    setOwner(arguments[2].string.flatMap { BusName($0) }, of: tracked)
  }

  func setOwner(_ owner: BusName?, of tracked: TrackedOwner) {
    guard tracked.current != owner else { return }
    tracked.current = owner
    for observer in tracked.observers.values { observer.tell(owner) }
  }
}
