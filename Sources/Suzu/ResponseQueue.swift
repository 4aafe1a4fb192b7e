// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The responses that no task has taken yet, and the tasks that wait for one. Each response goes to one task.
final class ResponseQueue: Sendable {
  private struct State {
    var responses: [AppResponse] = []
    var readers: [(key: UInt64, continuation: CheckedContinuation<AppResponse?, Never>)] = []
    var lastKey: UInt64 = 0
    var isEnded = false
  }

  private let state = Mutex(State())

  func put(_ response: AppResponse) {
    let reader = state.withLock { state -> CheckedContinuation<AppResponse?, Never>? in
      if !state.readers.isEmpty { return state.readers.removeFirst().continuation }
      // After the end it is released, and reported.
      if !state.isEnded { state.responses.append(response) }
      return nil
    }
    reader?.resume(returning: response)
  }

  /// Returns the next response; nil at the end, or if the task is cancelled.
  ///
  /// - Parameter limit: called with a function that ends the wait.
  func next(within limit: ((_ end: @escaping @Sendable () -> Void) -> Void)? = nil) async -> AppResponse? {
    let key = state.withLock { state in
      state.lastKey += 1
      return state.lastKey
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation {
        wait($0, key)
        // Only now: a limit that is over before the wait begins would be missed, and the wait would not end. The queue
        // ends each wait by itself, so that it need not live longer.
        limit? { [weak self] in self?.giveUp(key) }
      }
    } onCancel: {
      giveUp(key)
    }
  }

  private func wait(_ continuation: CheckedContinuation<AppResponse?, Never>, _ key: UInt64) {
    let next: AppResponse?? = state.withLock { state in
      if Task.isCancelled { return .some(nil) }
      if !state.responses.isEmpty { return state.responses.removeFirst() }
      if state.isEnded { return .some(nil) }
      state.readers.append((key, continuation))
      return nil
    }
    if let next { continuation.resume(returning: next) }
  }

  private func giveUp(_ key: UInt64) {
    let reader = state.withLock { state -> CheckedContinuation<AppResponse?, Never>? in
      guard let index = state.readers.firstIndex(where: { $0.key == key }) else { return nil }
      return state.readers.remove(at: index).continuation
    }
    reader?.resume(returning: nil)
  }

  /// Returns a response that has come already; nil if there is none.
  func take() -> AppResponse? {
    state.withLock { $0.responses.isEmpty ? nil : $0.responses.removeFirst() }
  }

  /// Releases the responses that no task has taken.
  func clear() {
    // Released outside of the lock, because each reports its end.
    let responses = state.withLock { state in
      defer { state.responses = [] }
      return state.responses
    }
    _ = consume responses
  }

  /// Ends all waits, now and later.
  func end() {
    let readers = state.withLock { state in
      state.isEnded = true
      defer { state.readers = [] }
      return state.readers
    }
    for reader in readers { reader.continuation.resume(returning: nil) }
    clear()
  }
}
