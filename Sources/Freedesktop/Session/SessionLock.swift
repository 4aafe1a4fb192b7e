// SPDX-License-Identifier: Apache-2.0
public import DBus
internal import EventLoop
internal import Glibc

/// Whether the user's session is locked, as logind and the screen savers tell.
///
/// Any that says locked is believed, and who is not there does not count: where nobody is, nothing is locked. Who is there
/// and does not answer, or answers with an error, counts as locked, because what waits for the unlock can wait a little
/// longer, and what was done in a locked session cannot be undone.
///
/// Between two questions nothing is subscribed to, and nothing is connected to the system's bus.
public struct SessionLock: Sendable {
  private let session: Connection
  private let system: BusAddress?
  private let user: UInt32
  private let limit: Duration
  private var loop: EventLoop { session.loop }

  /// How long everybody together may take to answer.
  public static let usualLimit: Duration = .seconds(2)

  /// The lock of the session on that bus; `system` is where logind is, and may be nowhere; `user` is
  /// who runs this, unless told otherwise.
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

  /// Asks everybody afresh; nobody is started for it.
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

  /// Waits until the session is not locked, during which it hears of every change; false where that did not come in
  /// time, the task was cancelled or the session's bus is gone for good. What it needed for hearing is undone.
  public func unlocked(within patience: Duration) async -> Bool {
    await withTaskExecutorPreference(loop) {
      await withTaskGroup { group in
        group.addTask {
          try? await loop.sleep(for: patience)
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
    // As long as it hangs, nobody can know whether we are locked: there is nothing else to wait for.
    while case .hanging = bus, !Task.isCancelled {
      bus = await SystemBus.open(system, on: loop, limit: limit, reconnects: true)
    }
    let isUnlocked = await awaitUnlock(bus)
    await bus.close()
    return isUnlocked
  }

  private func awaitUnlock(_ bus: SystemBus) async -> Bool {
    // One is enough: however often it changed, we ask once.
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

  /// Tells when to ask; returns when the session's bus is gone for good.
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
