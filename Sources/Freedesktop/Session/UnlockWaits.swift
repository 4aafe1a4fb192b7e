// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// All that wait until the session is unlocked. One reader follows the lock for them: when hundreds of actions wait,
/// their queries would be answered too late.
actor UnlockWaits {
  private struct Wait {
    /// When the wait began: only answers to later queries count.
    let since: Duration
    let end: AsyncStream<Bool>.Continuation
  }

  private let sources: LockSources
  private var waits: [Int: Wait] = [:]
  private var lastNumber = 0
  /// Follows the lock while anything waits.
  private var following: (task: Task<Void, Never>, notices: LockNotices)?

  nonisolated var unownedExecutor: UnownedSerialExecutor { sources.loop.asUnownedSerialExecutor() }

  init(_ sources: LockSources) { self.sources = sources }

  func unlocked(within limit: Duration) async -> Bool {
    let (ends, end) = AsyncStream<Bool>.makeStream()
    lastNumber += 1
    let number = lastNumber
    waits[number] = Wait(since: EventLoop.Clock.monotonic.now, end: end)
    follow()
    let deadline = sources.loop.schedule(after: limit) { end.yield(false) }
    var answers = ends.makeAsyncIterator()
    let isUnlocked = await answers.next(isolation: #isolation) ?? false
    deadline.cancel()
    waits[number] = nil
    if waits.isEmpty { await stop() }
    return isUnlocked && !Task.isCancelled
  }

  private func follow() {
    if let following { return following.notices.put() }
    let notices = LockNotices()
    let task = Task(executorPreference: sources.loop) { [sources] in
      await sources.follow(notices) { state, begin in await self.take(state, queried: begin) }
      if !Task.isCancelled { await self.end() }
    }
    following = (task, notices)
  }

  private func take(_ state: SessionLock.State, queried begin: Duration) {
    guard state == .unlocked else { return }
    for wait in waits.values where wait.since <= begin { wait.end.yield(true) }
  }

  /// Ends all that wait: the session bus is gone for good.
  private func end() {
    following = nil
    for wait in waits.values { wait.end.yield(false) }
  }

  /// Returns once the subscriptions are removed.
  private func stop() async {
    guard let task = following.take()?.task else { return }
    task.cancel()
    await task.value
  }
}
