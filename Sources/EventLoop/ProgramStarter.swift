// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// Starts programs on threads: none before the first program, and as many as were needed at once. They sleep when there
/// is nothing to start, and do not end: a program may have asked the kernel to end it with the thread that started it
/// (`PR_SET_PDEATHSIG`, as `bwrap --die-with-parent` does).
///
/// The kernel returns from starting a program only once the child has reached it. That was measured to take 600 ms
/// where the processors are busy, and has no limit on a file system that does not answer. The loop cannot wait for it.
final class ProgramStarter: @unchecked Sendable {
  // @unchecked: `state` is synchronised, and `alarm` is a semaphore, made for use by several threads.

  private struct State {
    var waiting: [@Sendable () -> Void] = []
    /// How many threads start programs, and how many wait for the alarm.
    var awake = 0
    var asleep = 0
    var whenIdle: [@Sendable () -> Void] = []
  }

  /// The only one; it is never freed.
  static let shared = ProgramStarter()
  private let state = Mutex(State())
  private let alarm: UnsafeMutablePointer<sem_t>

  /// More than one, so that a program whose file system does not answer does not hold up the others.
  private static let mostThreads = 4
  /// Enough for a path search and the few calls before a program begins.
  private static let stack = 128 << 10

  private init() {
    alarm = .allocate(capacity: 1)
    sem_init(alarm, 0, 0)
  }

  private enum Help { case none, sleeper, newThread }

  /// Calls `start` on a thread. Starts begin in the order of these calls.
  func add(_ start: @escaping @Sendable () -> Void) {
    let help: Help = state.withLock { state in
      state.waiting.append(start)
      if state.awake == Self.mostThreads { return .none }
      state.awake += 1
      if state.asleep == 0 { return .newThread }
      state.asleep -= 1
      return .sleeper
    }
    switch help {
    case .none: break
    case .sleeper: sem_post(alarm)
    case .newThread:
      do throws(EventLoopError) {
        _ = try NamedThread(named: "starts programs", stack: Self.stack) {
          while true {
            self.startWaiting(thenSleeping: true)
            while sem_wait(self.alarm) != 0 {}
          }
        }
      } catch {
        // The system has no thread left: start it here, although that may take a while.
        startWaiting(thenSleeping: false)
      }
    }
  }

  /// Calls `done` once no start is waiting or under way, on any thread.
  func whenIdle(_ done: @escaping @Sendable () -> Void) {
    let isIdle = state.withLock { state in
      if state.awake > 0 { state.whenIdle.append(done) }
      return state.awake == 0
    }
    if isIdle { done() }
  }

  /// - Parameter isSleeping: whether the thread can be woken afterwards.
  private func startWaiting(thenSleeping isSleeping: Bool) {
    while let next = takeFirst(orSleep: isSleeping) { next() }
    let observers: [@Sendable () -> Void] = state.withLock { state in
      if state.awake > 0 { return [] }
      defer { state.whenIdle = [] }
      return state.whenIdle
    }
    for done in observers { done() }
  }

  /// The next start; nil if there is none, and the thread no longer counts as awake.
  private func takeFirst(orSleep isSleeping: Bool) -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.awake -= 1
      if isSleeping { state.asleep += 1 }
      return nil
    }
  }
}
