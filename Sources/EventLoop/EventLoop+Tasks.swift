// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
  /// `withCheckedContinuation` for the loop's actors: the task resumes here directly.
  ///
  /// By default the runtime resumes a task in the global pool, and only there finds out that the code belongs to an
  /// actor: two thread switches for every reply. A task started with `Task(executorPreference: loop)` does not need
  /// this, but an actor cannot know which task calls it.
  public func withContinuation<T: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ body: (CheckedContinuation<T, Never>) -> Void
  ) async -> T {
    await withTaskExecutorPreference(self) { await withCheckedContinuation(body) }
  }

  /// The same without a value, and without the runtime's check that the task is resumed, and only once: `body` must see
  /// to that. For the path of every call: the check costs an object, and in a short program the look-up of its generic
  /// types.
  package func withUncheckedContinuation(
    isolation: isolated (any Actor)? = #isolation, _ body: (UnsafeContinuation<Void, Never>) -> Void
  ) async {
    await withTaskExecutorPreference(self) { await withUnsafeContinuation(body) }
  }
}
