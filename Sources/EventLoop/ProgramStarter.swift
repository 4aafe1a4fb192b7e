// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Starts programs in order, on a thread that exists only while there are any to start.
///
/// `posix_spawn` returns only once the kernel has let the child run up to its program. Where the processors are busy,
/// that was measured to take 600 ms, in which the loop could do nothing else.
package final class ProgramStarter: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var hasThread = false
  }

  /// The only one: the limit of descriptors, which it changes for a moment, is that of the process.
  package static let shared = ProgramStarter()
  private let state = Mutex(State())

  /// Calls `start` on the thread, after all earlier ones; here and at once if the system has no thread left.
  package func add(_ start: @escaping @Sendable () -> Void) {
    let isFirst = state.withLock { state in
      state.waiting.append(start)
      defer { state.hasThread = true }
      return !state.hasThread
    }
    guard isFirst else { return }
    do throws(EventLoopError) { _ = try NamedThread(named: "starts programs") { self.startAll() } } catch { startAll() }
  }

  private func startAll() {
    while let next = takeFirst() { next() }
  }

  private func takeFirst() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.hasThread = false
      return nil
    }
  }
}

/// Carries a started program from the thread to the loop. @unchecked: the thread has passed it on when the loop takes
/// it.
final class StartedProgram: @unchecked Sendable {
  private var spawn: Spawn?

  init(_ spawn: consuming Spawn) { self.spawn = consume spawn }

  /// The program; it can be taken once.
  func take() -> Spawn {
    // Only its one receiver calls this.
    spawn.take()!
  }
}
