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
  private let sources: LockSources
  private let waits: UnlockWaits

  /// The time limit for the answers of all sources together.
  public static let usualLimit: Duration = .seconds(2)

  /// The lock of the session on that bus. `system` is the bus of logind, which may not exist; `user` is by default the
  /// user of this process.
  public init(
    on session: Connection, system: BusAddress? = try? .system(), user: UInt32? = nil,
    limit: Duration = usualLimit
  ) {
    sources = LockSources(session: session, system: system, user: user ?? getuid(), limit: limit)
    waits = UnlockWaits(sources)
  }

  /// Queries all sources; starts none of them.
  public func isLocked() async -> Bool { await sources.isLocked() }

  /// Waits until the session is unlocked. Returns false if that did not happen in time, the task was cancelled or the
  /// session bus is gone for good. The subscriptions end with the last of those that wait.
  public func unlocked(within limit: Duration) async -> Bool { await waits.unlocked(within: limit) }

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
    let reading = Task(executorPreference: sources.loop) {
      await sources.follow(LockNotices()) { known, _ in state.yield(known) }
      state.finish()
    }
    state.onTermination = { _ in reading.cancel() }
    return states
  }
}
