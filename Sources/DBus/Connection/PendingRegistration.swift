// SPDX-License-Identifier: Apache-2.0

/// One request to the bus, such as a match rule, that several users need.
///
/// A user that comes while the answer is pending waits for it; a later user continues at once. A user that gives up
/// does not cancel the request for the others.
///
/// A class, so that the cancellation of a task finds its waiter. Confined to the connection's loop.
final class PendingRegistration {
  typealias Outcome = Result<Void, CallError>

  var users = 0
  private(set) var isReady = false
  private var waiters: [UInt64: CheckedContinuation<Outcome, Never>] = [:]
  private var failure: CallError?

  /// Stores the answer and resumes all waiters.
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
  /// Suspends the task until `registration` is settled, or the task is cancelled.
  func wait(for registration: PendingRegistration) async throws(CallError) {
    let key = nextKey()
    let waiting = Waiting(registration: registration)
    let outcome: PendingRegistration.Outcome = await withTaskCancellationHandler {
      // Named, because a closure that does not capture the actor would not run on it.
      await withCheckedContinuation(isolation: self) { registration.add($0, as: key) }
    } onCancel: {
      perform { _ in waiting.registration.giveUp(key) }
    }
    try outcome.get()
  }

  /// Carries the registration to the cancellation handler. @unchecked: used only on the loop's thread, inside
  /// `perform`.
  private struct Waiting: @unchecked Sendable {
    let registration: PendingRegistration
  }
}
