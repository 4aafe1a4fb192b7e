// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel

/// Who on the bus hears of events. Each is told alone: what a user clicks is not everybody's business.
actor Watchers {
  private let connection: Connection
  /// Who hears, since which wish; a caller may watch, stop and watch again faster than the bus answers.
  private var watching: [BusName: UInt64] = [:]
  private var lookouts: [BusName: Task<Void, Never>] = [:]
  private var lastWish: UInt64 = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { connection.loop.asUnownedSerialExecutor() }

  init(on connection: Connection) {
    self.connection = connection
  }

  var count: Int { watching.count }

  /// Adds a caller until it asks to be left out, or leaves the bus.
  func add(_ caller: BusName) async throws(CallError) {
    guard watching[caller] == nil else { return }
    lastWish += 1
    let wish = lastWish
    watching[caller] = wish
    do throws(CallError) {
      let owners = try await connection.owners(of: caller)
      guard watching[caller] == wish else { return }
      lookouts[caller] = Task(executorPreference: connection.loop) {
        for await owner in owners where owner == nil { break }
        await self.forget(caller, wish)
      }
    } catch {
      forget(caller, wish)
      throw error
    }
  }

  func remove(_ caller: BusName) {
    watching[caller] = nil
    lookouts.removeValue(forKey: caller)?.cancel()
  }

  private func forget(_ caller: BusName, _ wish: UInt64) {
    if watching[caller] == wish { remove(caller) }
  }

  /// Tells all; returns whether anybody was there to hear it.
  @discardableResult
  func tell(_ event: CenterEvent) -> Bool {
    let watchers = watching.keys.sorted()
    // We live where the connection does.
    connection.assumeIsolated { connection in
      for watcher in watchers {
        // One that just left is no reason not to tell the next.
        try? connection.emit(event.signal(to: watcher))
      }
    }
    return !watchers.isEmpty
  }
}

extension CenterEvent {
  /// The event as a signal of `dev.suzu.Center1`.
  fileprivate func signal(to watcher: BusName) -> Signal {
    let (member, arguments): (MemberName, [Value]) =
      switch self {
      case .delivered(let app, let id, let due, let missed):
        ("Delivered", [.string(app), .string(id), .properties(Self.details(due, missed))])
      case .responded(let response):
        (
          "Responded",
          [
            .uint64(response.number), .string(response.app), .string(response.id), .string(response.action),
            .properties(Self.details(response.due, response.missed, reply: response.reply)),
          ]
        )
      case .closed(let app, let id, let reason):
        ("Closed", [.string(app), .string(id), .string(reason.rawValue)])
      case .outcome(let response, let outcome):
        ("Outcome", [.uint64(response), .string(outcome.description)])
      }
    return Signal(CenterInterface.path, CenterInterface.name, member, arguments, to: watcher)
  }

  private static func details(_ due: String?, _ missed: Int, reply: String? = nil) -> [String: Value] {
    var details: [String: Value] = [:]
    if let due { details["due"] = .string(due) }
    if missed > 0 { details["missed"] = .int64(Int64(missed)) }
    if let reply { details["reply"] = .string(reply) }
    return details
  }
}
