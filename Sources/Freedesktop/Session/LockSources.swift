// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop

/// What tells whether a session is locked: logind on the system bus, and the screen savers on the session bus.
struct LockSources: Sendable {
  let session: Connection
  let system: BusAddress?
  let user: UInt32
  /// The time limit for the answers of all sources together.
  let limit: Duration
  var loop: EventLoop { session.loop }

  // MARK: Now

  func isLocked() async -> Bool {
    await withTaskExecutorPreference(loop) {
      let end = EventLoop.Clock.monotonic.now + limit
      async let savers = stateForSavers(until: end)
      async let logind = stateForLogind(until: end)
      let state = Self.state(savers: await savers, logind: await logind)
      return state != .unlocked
    }
  }

  private func stateForLogind(until end: Duration) async -> LockState {
    let bus = await SystemBus.open(system, on: loop, limit: limit, reconnects: false)
    let state = await stateForLogind(on: bus, until: end)
    await bus.close()
    return state
  }

  private func stateForLogind(
    on bus: SystemBus, until end: Duration, whenLate: (@Sendable () -> Void)? = nil
  ) async -> LockState {
    switch bus {
    case .absent: .absent
    case .hanging: .unknown
    case .open(let connection):
      await Logind.state(of: user, LockQuestion(connection: connection, end: end, whenLate: whenLate))
    }
  }

  /// The state for all screen savers together: a locked one counts first, then one that does not answer.
  private func stateForSavers(until end: Duration, whenLate: (@Sendable () -> Void)? = nil) async -> LockState {
    let question = LockQuestion(connection: session, end: end, whenLate: whenLate)
    return await withTaskGroup { group in
      for saver in ScreenSaver.all {
        group.addTask { await saver.state(question) }
      }
      var states: [LockState] = []
      for await state in group { states.append(state) }
      return [.locked, .unknown, .unlocked].first { states.contains($0) } ?? .absent
    }
  }

  private static func state(savers: LockState, logind: LockState) -> SessionLock.State {
    if savers == .locked || logind == .locked { return .locked }
    if logind == .unknown { return .unknown(source: "logind") }
    return savers == .unknown ? .unknown(source: "the screen saver") : .unlocked
  }

  // MARK: Later

  /// The pause before another query of a source that does not tell the state: as long as it has not told it.
  private static func pause(unknown: Duration) -> Duration { min(max(unknown, .seconds(1)), .seconds(300)) }
  /// The longest pause before a query that a notice asks for, or before another attempt to open a bus that hangs.
  private static let longestDelay: Duration = .seconds(10)

  /// Tells the state now and after each notice, with the time at which the query began. Returns when the session bus is
  /// gone for good, or the task is cancelled.
  func follow(_ notices: LockNotices, _ tell: @escaping @Sendable (SessionLock.State, Duration) async -> Void) async {
    let begin = EventLoop.Clock.monotonic.now
    var bus = await SystemBus.open(system, on: loop, limit: limit, reconnects: true)
    while case .hanging = bus, !Task.isCancelled {
      let now = EventLoop.Clock.monotonic.now
      await tell(.unknown(source: "the system bus"), now)
      // Actions may wait for the bus to answer again.
      try? await loop.sleep(for: min(Self.pause(unknown: now - begin), Self.longestDelay))
      bus = await SystemBus.open(system, on: loop, limit: limit, reconnects: true)
    }
    let opened = bus
    await withTaskGroup { group in
      group.addTask { await subscribe(on: opened, notices) }
      group.addTask { await query(opened, notices, tell) }
      await group.next()
      group.cancelAll()
    }
    await bus.close()
  }

  /// Passes on when to query again; returns when the session bus is gone for good.
  private func subscribe(on bus: SystemBus, _ notices: LockNotices) async {
    await withTaskGroup { group in
      if case .open(let system) = bus {
        group.addTask { await LockNews.follow(.logind, on: system, notices.put) }
      }
      await LockNews.follow(.savers, on: session, notices.put)
      group.cancelAll()
    }
  }

  private func query(
    _ bus: SystemBus, _ notices: LockNotices, _ tell: @Sendable (SessionLock.State, Duration) async -> Void
  ) async {
    var unknownSince: Duration?
    var next: EventLoop.Deadline?
    defer { next?.cancel() }
    for await _ in notices.all {
      next?.cancel()
      let begin = EventLoop.Clock.monotonic.now
      async let savers = stateForSavers(until: begin + limit, whenLate: notices.put)
      async let logind = stateForLogind(on: bus, until: begin + limit, whenLate: notices.put)
      let state = Self.state(savers: await savers, logind: await logind)
      await tell(state, begin)
      guard case .unknown = state else {
        unknownSince = nil
        continue
      }
      let now = EventLoop.Clock.monotonic.now
      let unknown = now - (unknownSince ?? now)
      unknownSince = now - unknown
      // A source that refused gives no notice when it no longer does, and a late answer can be lost.
      next = loop.schedule(after: Self.pause(unknown: unknown), notices.put)
      // A source that always answers late must not be queried all the time.
      try? await loop.sleep(for: min(unknown, Self.longestDelay))
    }
  }
}
