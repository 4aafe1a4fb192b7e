// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel

/// Who on the bus hears of events. Each is told alone: what a user clicks is not everybody's business.
actor Watchers {
  private let connection: Connection
  private var watching: [BusName: Task<Void, Never>] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor { connection.loop.asUnownedSerialExecutor() }

  init(on connection: Connection) {
    self.connection = connection
  }

  /// Adds a caller until it asks to be left out, or leaves the bus.
  func add(_ caller: BusName) async throws(CallError) {
    guard watching[caller] == nil else { return }
    let owners = try await connection.owners(of: caller)
    guard watching[caller] == nil else { return }  // it asked twice, and the other was faster
    watching[caller] = Task(executorPreference: connection.loop) {
      for await owner in owners where owner == nil { break }
      if !Task.isCancelled { await self.remove(caller) }
    }
  }

  func remove(_ caller: BusName) {
    watching.removeValue(forKey: caller)?.cancel()
  }

  /// Tells all; returns whether anybody was there to hear it.
  @discardableResult
  func tell(_ event: CenterEvent) async -> Bool {
    for watcher in watching.keys.sorted() {
      // One that just left is no reason not to tell the next.
      try? await connection.emit(event.signal(to: watcher))
    }
    return !watching.isEmpty
  }
}

extension CenterEvent {
  /// The event as a signal of `dev.suzu.Center1`.
  fileprivate func signal(to watcher: BusName) -> Signal {
    let (member, arguments): (MemberName, [Value]) =
      switch self {
      case .delivered(let app, let id):
        ("Delivered", [.string(app), .string(id), .properties([:])])
      case .responded(let response):
        (
          "Responded",
          [
            .uint64(response.number), .string(response.app), .string(response.id), .string(response.action),
            .properties(response.reply.map { ["reply": .string($0)] } ?? [:]),
          ]
        )
      case .closed(let app, let id, let reason):
        ("Closed", [.string(app), .string(id), .string(reason.rawValue)])
      case .outcome(let response, let outcome):
        ("Outcome", [.uint64(response), .string(outcome.description)])
      }
    return Signal(CenterInterface.path, CenterInterface.name, member, arguments, to: watcher)
  }
}
