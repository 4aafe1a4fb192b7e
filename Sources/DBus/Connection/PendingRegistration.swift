// SPDX-License-Identifier: Apache-2.0

/// Something that the bus was asked for once and that several here need: whoever comes while the answer is under way
/// waits for it, whoever comes later goes on at once, and who gives up does not take it from the others.
///
/// A class, so that a waiter finds it again when its task is cancelled. Confined to the connection's loop.
final class Shared {
  typealias Outcome = Result<Void, CallError>

  var users = 0
  private(set) var isReady = false
  private var waiters: [UInt64: CheckedContinuation<Outcome, Never>] = [:]
  private var failure: CallError?

  /// The answer has come: everybody hears of it.
  func settle(_ outcome: Outcome) {
    switch outcome {
    case .success: isReady = true
    case .failure(let error): failure = error
    }
    let waiters = waiters
    self.waiters = [:]
    for waiter in waiters.values { waiter.resume(returning: outcome) }
  }

  fileprivate func add(_ waiter: CheckedContinuation<Outcome, Never>, as key: UInt64) {
    if isReady {
      waiter.resume(returning: .success(()))
    } else if let failure {
      waiter.resume(returning: .failure(failure))
    } else {
      waiters[key] = waiter
    }
  }

  fileprivate func giveUp(_ key: UInt64) {
    waiters.removeValue(forKey: key)?
      .resume(returning: .failure(.failed(BusError(.cancelled, "the task that asked was cancelled"))))
  }
}

extension Connection {
  /// Suspends the task until `shared` is settled, or the task is cancelled.
  func wait(for shared: Shared) async throws(CallError) {
    let key = nextKey()
    let waiting = Waiting(shared: shared)
    let outcome: Shared.Outcome = await withTaskCancellationHandler {
      // Named, because a closure that does not capture the actor would not be on it.
      await withCheckedContinuation(isolation: self) { shared.add($0, as: key) }
    } onCancel: {
      perform { _ in waiting.shared.giveUp(key) }
    }
    try outcome.get()
  }

  /// Carries what is shared to a cancellation. @unchecked: it is used on the loop's thread only, inside `perform`.
  private struct Waiting: @unchecked Sendable {
    let shared: Shared
  }
}
