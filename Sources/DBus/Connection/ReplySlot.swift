// SPDX-License-Identifier: Apache-2.0

/// Passes an answer from the connection to the task that called, in either order.
///
/// A call is sent before its task begins to wait, because calls must be sent in the order in which they were made, so
/// the answer may come first.
final class ReplySlot: @unchecked Sendable {
  // @unchecked: only the connection uses it, on the loop's thread.

  private enum State {
    case empty
    case awaited(UnsafeContinuation<Void, Never>)
    case filled(Reply)
  }

  private var state = State.empty

  /// Takes the answer; a second one is ignored, so that the task is resumed once.
  func fill(_ reply: Reply) {
    switch state {
    case .empty: state = .filled(reply)
    case .awaited(let task):
      state = .filled(reply)
      task.resume()
    case .filled: break
    }
  }

  /// Resumes the task once there is an answer. Only one task may wait.
  func wait(_ task: UnsafeContinuation<Void, Never>) {
    switch state {
    case .empty: state = .awaited(task)
    case .filled: task.resume()
    case .awaited: preconditionFailure("two tasks wait for the answer to one call")
    }
  }

  /// The answer, after ``wait(_:)`` has resumed the task.
  var reply: Reply {
    guard case .filled(let reply) = state else { preconditionFailure("the task was resumed without an answer") }
    return reply
  }
}
