// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization

/// The answer that a completion handler gives: the first one counts. A handler that is released without a call gives
/// none.
package final class Answer<Value: Sendable>: Sendable {
  private enum State {
    case open(CheckedContinuation<Value?, Never>)
    case given
  }

  private let method: String
  private let state: Mutex<State>

  private init(_ method: String, _ continuation: CheckedContinuation<Value?, Never>) {
    self.method = method
    state = Mutex(.open(continuation))
  }

  deinit {
    if case .open(let continuation) = state.withLock({ $0 }) {
      warn("\(method) has released its completion handler without calling it")
      continuation.resume(returning: nil)
    }
  }

  /// Gives the answer; a second one is told, and has no effect.
  package func give(_ value: Value) {
    let continuation = state.withLock { state -> CheckedContinuation<Value?, Never>? in
      guard case .open(let continuation) = state else { return nil }
      state = .given
      return continuation
    }
    guard let continuation else { return warn("\(method) has called its completion handler more than once") }
    continuation.resume(returning: value)
  }

  /// Calls a method on the main thread, and waits for the answer of its handler; nil if it gives none.
  package static func of(_ method: String, _ call: @escaping @MainActor @Sendable (Answer) -> Void) async -> Value? {
    await withCheckedContinuation { continuation in
      let answer = Answer(method, continuation)
      let hasBegun = BegunCall()
      Task { @MainActor in
        hasBegun.begin()
        call(answer)
      }
      hasBegun.warnUnlessSoon(method)
    }
  }
}

/// Whether the main thread has taken a call. A program whose main thread does not run its queue would wait for ever
/// without a word.
private final class BegunCall: Sendable {
  private let hasBegun = Atomic(false)

  func begin() { hasBegun.store(true, ordering: .relaxed) }

  func warnUnlessSoon(_ method: String) {
    DispatchQueue.global().asyncAfter(deadline: .now() + 5) { [self] in
      guard !hasBegun.load(ordering: .relaxed) else { return }
      warn(
        "\(method) waits for the main thread, which does not run its queue; use RunLoop.main.run(), dispatchMain() or an "
          + "async main function, or implement the async method")
    }
  }
}

/// A value that is used on the main thread only. @unchecked: it is made to be handed to that thread, and read nowhere
/// else.
package struct OnMainThread<Value>: @unchecked Sendable {
  package let value: Value
  package init(_ value: Value) { self.value = value }
}
