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
struct TrackedOwner {
  var current: BusName?
  var users = 1
  /// Counts the changes that the bus told of, so that an older answer cannot undo a newer one.
  var changes = 0
  var observers: [UInt64: (BusName?) -> Void] = [:]
}

extension Connection {
  // MARK: Names of ours

  /// Asks for a name. It is asked for again after a reconnection.
  public func requestName(
    _ name: BusName, _ nameOptions: NameOptions = .doNotQueue
  ) async throws(CallError) -> NameReply {
    let reply = try await claim(name, nameOptions)
    if reply != .taken { requestedNames[name] = nameOptions }
    return reply
  }

  @discardableResult
  func claim(_ name: BusName, _ nameOptions: NameOptions) async throws(CallError) -> NameReply {
    let reply = try await call(.toBus("RequestName", [.string(name.text), .uint32(nameOptions.rawValue)]))
    guard let answer = reply.first?.uint32.flatMap({ NameReply(rawValue: $0) }) else {
      throw .failed(BusError(.unexpectedReply, "the bus answered 'RequestName' with nothing known"))
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
  /// A lost connection counts as nobody; after a reconnection the owner of that time comes.
  public func owners(of name: BusName) async throws(CallError) -> AsyncStream<BusName?> {
    try await trackOwner(of: name)
    lastSubscription += 1
    let key = lastSubscription
    return AsyncStream { continuation in
      continuation.yield(owners[name]?.current)
      owners[name]?.observers[key] = { continuation.yield($0) }
      continuation.onTermination = { [weak self] _ in
        self?.perform { $0.stopObserving(name, key) }
      }
    }
  }

  func stopObserving(_ name: BusName, _ key: UInt64) {
    owners[name]?.observers[key] = nil
    untrackOwner(of: name)
  }

  func trackOwner(of name: BusName) async throws(CallError) {
    if owners[name] != nil {
      owners[name]?.users += 1
      return
    }
    owners[name] = TrackedOwner()
    do throws(CallError) {
      try await addMatch(.ownerChanges(of: name))
      try await resolveOwner(of: name)
    } catch {
      owners[name] = nil
      throw error
    }
  }

  func untrackOwner(of name: BusName) {
    guard let users = owners[name]?.users else { return }
    owners[name]?.users = users - 1
    if users == 1 {
      owners[name] = nil
      removeMatch(.ownerChanges(of: name))
    }
  }

  func resolveOwner(of name: BusName) async throws(CallError) {
    let changes = owners[name]?.changes
    let current = try await owner(of: name)
    if owners[name]?.changes == changes { setOwner(current, of: name) }
  }

  func ownerChanged(_ arguments: [Value]) {
    guard arguments.count == 3, let name = arguments[0].string.flatMap({ BusName($0) }), owners[name] != nil else {
      return
    }
    owners[name]?.changes += 1
    setOwner(arguments[2].string.flatMap { BusName($0) }, of: name)
  }

  func setOwner(_ owner: BusName?, of name: BusName) {
    guard let tracked = owners[name], tracked.current != owner else { return }
    owners[name]?.current = owner
    for key in tracked.observers.keys.sorted() { tracked.observers[key]?(owner) }
  }
}
