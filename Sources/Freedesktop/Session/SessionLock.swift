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
    switch bus {
    case .absent: false
    case .hanging: true
    case .open(let connection):
      await Self.counts(
        Logind.state(of: user, LockQuestion(connection: connection, end: end, whenLate: whenLate)))
    }
  }

  private func isLockedForSavers(until end: Duration, whenLate: (@Sendable () -> Void)? = nil) async -> Bool {
    let question = LockQuestion(connection: session, end: end, whenLate: whenLate)
    return await withTaskGroup { group in
      for saver in ScreenSaver.all {
        group.addTask { await Self.counts(saver.state(question)) }
      }
      var isLocked = false
      for await counts in group { isLocked = isLocked || counts }
      return isLocked
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

  /// Whether the session is locked, now and after each change. The subscriptions end with the reader.
  public func states() -> AsyncStream<Bool> {
    let (states, state) = AsyncStream<Bool>.makeStream(bufferingPolicy: .bufferingNewest(16))
    let reading = Task(executorPreference: loop) {
      var bus = SystemBus.hanging
      while case .hanging = bus, !Task.isCancelled {
        bus = await SystemBus.open(system, on: loop, limit: limit, reconnects: true)
      }
      await report(bus, to: state)
      await bus.close()
      state.finish()
    }
    state.onTermination = { _ in reading.cancel() }
    return states
  }

  private func report(_ bus: SystemBus, to state: AsyncStream<Bool>.Continuation) async {
    let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    await withTaskGroup { group in
      group.addTask { await follow(bus, change) }
      group.addTask {
        for await _ in changes {
          let end = EventLoop.Clock.monotonic.now + limit
          async let savers = isLockedForSavers(until: end) { change.yield() }
          async let logind = isLockedForLogind(on: bus, until: end) { change.yield() }
          let answers = await (savers, logind)
          state.yield(answers.0 || answers.1)
        }
      }
      await group.next()
      group.cancelAll()
    }
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
