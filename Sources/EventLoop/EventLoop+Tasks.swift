// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
  /// `withCheckedContinuation` for the loop's actors: the task goes on here without a detour.
  ///
  /// The runtime resumes a task where it prefers to be, which is the global pool unless told otherwise, and only there
  /// finds out that the next line belongs to an actor: two thread switches for every reply. A task started with
  /// `Task(executorPreference: loop)` needs no such help; whose task it is, an actor cannot know.
  public func withContinuation<T: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ body: (CheckedContinuation<T, Never>) -> Void
  ) async -> T {
    await withTaskExecutorPreference(self) { await withCheckedContinuation(body) }
  }
}
