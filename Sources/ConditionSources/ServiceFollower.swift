// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop

/// Follows a service on a bus while a source needs it: asks for its state once it is there, and again after each change
/// that it announces. It does not ask by itself, except after a failure: when an answer comes late, and a few times with
/// growing pauses. After that, it waits for a change or for another owner of the name.
final class ServiceFollower {
  private let loop: EventLoop
  private let bus: SourceBus
  private let service: BusName
  private let title: String
  /// Reads the state from the owner of the name.
  private let read: (FollowedService) async throws(CallError) -> Void
  /// Nothing is known, for this reason.
  private let lose: (String) -> Void
  private var task: Task<Void, Never>?
  private var rules: [MatchRule] = []
  private var change: AsyncStream<Void>.Continuation?
  /// The next reading after a failure.
  private var retry: EventLoop.Deadline?
  /// The pauses that are left before readings after failures.
  private var pauses: ArraySlice<Duration> = []
  /// Whether a late answer is followed by a reading at once: the first one, because a service that always answers late
  /// would be asked all the time.
  private var readsWhenLate = true
  private var lastOwner: BusName?
  private let retries: [Duration]

  /// - Parameters:
  ///   - title: the name of the service for the user.
  ///   - retries: the pauses before a state is read again that could not be read.
  init(
    _ service: BusName, title: String, on bus: SourceBus, loop: EventLoop,
    retries: [Duration] = SystemBusLink.retries,
    read: @escaping (FollowedService) async throws(CallError) -> Void, lose: @escaping (String) -> Void
  ) {
    self.service = service
    self.title = title
    self.bus = bus
    self.loop = loop
    self.retries = retries
    self.read = read
    self.lose = lose
  }

  var isRunning: Bool { task != nil }
  /// Whether the service ran when it was looked for last, even if it does not answer.
  var hasOwner: Bool { lastOwner != nil }

  /// Follows the service, and reads its state again after signals that match one of the rules; with other rules than
  /// before, it begins anew.
  func follow(_ rules: [MatchRule]) {
    if isRunning && rules == self.rules { return }
    stop()
    self.rules = rules
    let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.change = change
    task = loop.startLater { [weak self] in
      var retries = SystemBusLink.retries[...]
      while !Task.isCancelled {
        guard let self else { return }
        if let connection = await bus.acquire() {
          if await run(rules, on: connection, changes) { retries = SystemBusLink.retries[...] }
          bus.release()
        }
        if Task.isCancelled { return }
        lose("the \(bus.name) cannot be reached")
        guard let wait = retries.popFirst() else { return }
        try? await loop.sleep(for: wait)
      }
    }
  }

  /// Reads the state again.
  func refresh() { change?.yield() }

  func stop() {
    task?.cancel()
    change?.finish()
    retry?.cancel()
    (task, change, retry, lastOwner) = (nil, nil, nil, nil)
  }

  /// Follows the service until the connection is closed, or the task is cancelled; returns false if the bus did not let
  /// it subscribe.
  private func run(_ rules: [MatchRule], on connection: Connection, _ changes: AsyncStream<Void>) async -> Bool {
    // One notice is enough for any number of changes, because one reading follows.
    guard let tell = change else { return false }
    var readers: [Task<Void, Never>] = []
    defer { for reader in readers { reader.cancel() } }
    do throws(CallError) {
      for rule in rules {
        let signals = try await connection.signals(matching: rule, buffering: 256)
        readers.append(loop.read(signals) { _ in tell.yield() })
      }
      let owners = try await connection.owners(of: service)
      readers.append(
        loop.startLater {
          for await _ in owners { tell.yield() }
          // The connection was closed.
          tell.finish()
        })
    } catch {
      lose("\(title): \(error.description)")
      return false
    }
    tell.yield()
    for await _ in changes {
      if Task.isCancelled { return true }
      await readState(on: connection)
    }
    return true
  }

  private func readState(on connection: Connection) async {
    do throws(CallError) {
      let owner = try await owner(on: connection)
      // The follower may have been stopped after the answer came, and another one follows the service now.
      if Task.isCancelled { return }
      if owner != lastOwner { (lastOwner, pauses, readsWhenLate) = (owner, retries[...], true) }
      retry?.cancel()
      guard let owner else { return lose("\(title) is not running") }
      let whenLate = loop.confine { [weak self] (_: Void) in self?.answeredLate(owner) }
      try await read(FollowedService(connection: connection, owner: owner) { whenLate(()) })
      (pauses, readsWhenLate) = (retries[...], true)
    } catch {
      if Task.isCancelled { return }
      lose("\(title): \(error.description)")
      guard let pause = pauses.popFirst() else { return }
      retry = loop.schedule(after: pause) { [weak self] in self?.refresh() }
    }
  }

  private func answeredLate(_ owner: BusName) {
    guard owner == lastOwner, readsWhenLate else { return }
    readsWhenLate = false
    refresh()
  }

  private func owner(on connection: Connection) async throws(CallError) -> BusName? {
    do throws(CallError) {
      return try await connection.call(BusMethods.getNameOwner, of: .bus, service, limit: FollowedService.limit)
    } catch {
      if case .refused(let refusal) = error, refusal.name == .nameHasNoOwner { return nil }
      throw error
    }
  }
}

extension Connection {
  /// The properties of an object.
  nonisolated func properties(
    of interface: String, at path: ObjectPath, _ owner: BusName
  ) async throws(CallError) -> [String: Value] {
    try await call(
      StandardInterfaces.getAll,
      of: RemoteObject(owner, path, StandardInterfaces.properties, startsService: false), interface,
      limit: FollowedService.limit)
  }
}

extension MatchRule {
  /// Changes of the properties of an object.
  static func properties(
    of service: BusName, at path: ObjectPath? = nil, below: ObjectPath? = nil, _ interface: String
  ) -> MatchRule {
    MatchRule(
      sender: service, path: path, pathNamespace: below, interface: StandardInterfaces.properties,
      member: StandardInterfaces.propertiesChanged.name, firstArgument: interface)
  }
}
