// SPDX-License-Identifier: Apache-2.0
public import DBus
internal import EventLoop
internal import Glibc

/// Whether the user's session is locked, according to logind and the screen savers.
///
/// The session counts as locked if any source reports it as locked. Sources that do not exist do not count; without any
/// source the session is never locked. A source that exists and does not answer, or returns an error, counts as locked:
/// an action that waits for the unlock can wait a little longer, but an action in a locked session cannot be undone.
///
/// Between queries there are no subscriptions, and no connection to the system bus.
public struct SessionLock: Sendable {
  private let session: Connection
  private let system: BusAddress?
  private let user: UInt32
  private let limit: Duration
  private var loop: EventLoop { session.loop }

  /// The time limit for the answers of all sources together.
  public static let usualLimit: Duration = .seconds(2)

  /// The lock of the session on that bus. `system` is the bus of logind, which may not exist; `user` is by default the
  /// user of this process.
  public init(
    on session: Connection, system: BusAddress? = try? .system(), user: UInt32? = nil,
    limit: Duration = usualLimit
  ) {
    self.session = session
    self.system = system
    self.user = user ?? getuid()
    self.limit = limit
  }

  // MARK: Now

  /// Queries all sources; starts none of them.
  public func isLocked() async -> Bool {
    await withTaskExecutorPreference(loop) {
      let end = EventLoop.Clock.monotonic.now + limit
      async let savers = isLockedForSavers(until: end)
      async let logind = isLockedForLogind(until: end)
      let answers = await (savers, logind)
      return answers.0 || answers.1
    }
  }

  private func isLockedForLogind(until end: Duration) async -> Bool {
    let bus = await SystemBus.open(system, on: loop, limit: limit, reconnects: false)
    let isLocked = await isLockedForLogind(on: bus, until: end)
    await bus.close()
    return isLocked
  }

  private func isLockedForLogind(
    on bus: SystemBus, until end: Duration, whenLate: (@Sendable () -> Void)? = nil
  ) async -> Bool {
    await Self.counts(stateForLogind(on: bus, until: end, whenLate: whenLate))
  }

  private func isLockedForSavers(until end: Duration, whenLate: (@Sendable () -> Void)? = nil) async -> Bool {
    await Self.counts(stateForSavers(until: end, whenLate: whenLate))
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

  private static func counts(_ state: LockState) -> Bool {
    switch state {
    case .locked, .unknown: true
    case .unlocked, .absent: false
    }
  }

  // MARK: Later

  /// Waits until the session is unlocked, following every change. Returns false if that did not happen in time, the
  /// task was cancelled or the session bus is gone for good. Its subscriptions are removed.
  public func unlocked(within limit: Duration) async -> Bool {
    await withTaskExecutorPreference(loop) {
      await withTaskGroup { group in
        group.addTask {
          try? await loop.sleep(for: limit)
          return false
        }
        group.addTask { await awaitUnlock() }
        let isUnlocked = await group.next() ?? false
        group.cancelAll()
        return isUnlocked && !Task.isCancelled
      }
    }
  }

  private func awaitUnlock() async -> Bool {
    var bus = SystemBus.hanging
    // While a source hangs, the state is unknown: there is nothing else to wait for.
    while case .hanging = bus, !Task.isCancelled {
      bus = await SystemBus.open(system, on: loop, limit: limit, reconnects: true)
    }
    let isUnlocked = await awaitUnlock(bus)
    await bus.close()
    return isUnlocked
  }

  private func awaitUnlock(_ bus: SystemBus) async -> Bool {
    // One notice is enough for any number of changes, because one query follows.
    let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    return await withTaskGroup { group in
      group.addTask {
        await follow(bus, change)
        return false
      }
      group.addTask {
        for await _ in changes {
          let end = EventLoop.Clock.monotonic.now + limit
          async let savers = isLockedForSavers(until: end) { change.yield() }
          async let logind = isLockedForLogind(on: bus, until: end) { change.yield() }
          let answers = await (savers, logind)
          if !answers.0 && !answers.1 { return !Task.isCancelled }
        }
        return false
      }
      let isUnlocked = await group.next() ?? false
      group.cancelAll()
      return isUnlocked
    }
  }

  /// The state of the lock, as it is followed.
  public enum State: Hashable, Sendable {
    case locked
    case unlocked
    /// No source reports it as locked, and this one does not tell: it hangs, or refuses.
    case unknown(source: String)
  }

  /// The state of the lock, now and after each change. The subscriptions end with the reader.
  public func states() -> AsyncStream<State> {
    let (states, state) = AsyncStream<State>.makeStream(bufferingPolicy: .bufferingNewest(16))
    let reading = Task(executorPreference: loop) {
      var pauses = Self.pauses[...]
      var bus = await SystemBus.open(system, on: loop, limit: limit, reconnects: true)
      while case .hanging = bus, !Task.isCancelled {
        state.yield(.unknown(source: "the system bus"))
        try? await loop.sleep(for: pauses.popFirst() ?? Self.longestPause)
        bus = await SystemBus.open(system, on: loop, limit: limit, reconnects: true)
      }
      await report(bus, to: state)
      await bus.close()
      state.finish()
    }
    state.onTermination = { _ in reading.cancel() }
    return states
  }

  /// The pauses before another attempt to open a system bus that hangs.
  private static let pauses: [Duration] = [.seconds(1), .seconds(10), .seconds(60)]
  private static let longestPause: Duration = .seconds(300)
  /// The pauses before a source is asked again that did not answer in time.
  private static let latePauses: [Duration] = [.zero, .seconds(1)]
  private static let longestLatePause: Duration = .seconds(10)

  private func report(_ bus: SystemBus, to state: AsyncStream<State>.Continuation) async {
    let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    await withTaskGroup { group in
      group.addTask { await follow(bus, change) }
      group.addTask {
        var pauses = Self.latePauses[...]
        for await _ in changes {
          let end = EventLoop.Clock.monotonic.now + limit
          async let savers = stateForSavers(until: end) { change.yield() }
          async let logind = stateForLogind(on: bus, until: end) { change.yield() }
          let known = Self.state(savers: await savers, logind: await logind)
          state.yield(known)
          guard case .unknown = known else {
            pauses = Self.latePauses[...]
            continue
          }
          // A source that always answers late must not be asked all the time.
          try? await loop.sleep(for: pauses.popFirst() ?? Self.longestLatePause)
        }
      }
      await group.next()
      group.cancelAll()
    }
  }

  private static func state(savers: LockState, logind: LockState) -> State {
    if savers == .locked || logind == .locked { return .locked }
    if logind == .unknown { return .unknown(source: "logind") }
    return savers == .unknown ? .unknown(source: "the screen saver") : .unlocked
  }

  /// Reports when to query again; returns when the session bus is gone for good.
  private func follow(_ bus: SystemBus, _ change: AsyncStream<Void>.Continuation) async {
    await withTaskGroup { group in
      if case .open(let system) = bus {
        group.addTask { await LockNews.follow(.logind, on: system) { change.yield() } }
      }
      await LockNews.follow(.savers, on: session) { change.yield() }
      group.cancelAll()
    }
  }
}
