// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop

/// Follows a service on a bus while a source needs it: asks for its state once it is there, and again after each change
/// that it announces. It never asks by itself.
final class ServiceFollower {
  private let loop: EventLoop
  private let bus: SourceBus
  private let service: BusName
  private let title: String
  /// Reads the state from the owner of the name.
  private let read: (Connection, BusName) async throws(CallError) -> Void
  /// Nothing is known, for this reason.
  private let lose: (String) -> Void
  private var task: Task<Void, Never>?
  private var rules: [MatchRule] = []
  private var change: AsyncStream<Void>.Continuation?

  /// The time limit of each call, because a service may hang.
  static let limit: Duration = .seconds(5)

  /// - Parameter title: the name of the service for the user.
  init(
    _ service: BusName, title: String, on bus: SourceBus, loop: EventLoop,
    read: @escaping (Connection, BusName) async throws(CallError) -> Void, lose: @escaping (String) -> Void
  ) {
    self.service = service
    self.title = title
    self.bus = bus
    self.loop = loop
    self.read = read
    self.lose = lose
  }

  var isRunning: Bool { task != nil }

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
          await run(rules, on: connection, changes)
          bus.release()
          retries = SystemBusLink.retries[...]
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
    (task, change) = (nil, nil)
  }

  /// Follows the service until the connection is closed, or the task is cancelled.
  private func run(_ rules: [MatchRule], on connection: Connection, _ changes: AsyncStream<Void>) async {
    // One notice is enough for any number of changes, because one reading follows.
    guard let tell = change else { return }
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
      return lose("\(title): \(error.description)")
    }
    tell.yield()
    for await _ in changes {
      if Task.isCancelled { return }
      await readState(on: connection)
    }
  }

  private func readState(on connection: Connection) async {
    do throws(CallError) {
      guard let owner = try await owner(on: connection) else { return lose("\(title) is not running") }
      try await read(connection, owner)
    } catch {
      if Task.isCancelled { return }
      lose("\(title): \(error.description)")
    }
  }

  private func owner(on connection: Connection) async throws(CallError) -> BusName? {
    do throws(CallError) {
      return try await connection.call(BusMethods.getNameOwner, of: .bus, service, limit: Self.limit)
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
      limit: ServiceFollower.limit)
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
