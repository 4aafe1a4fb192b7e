// SPDX-License-Identifier: Apache-2.0

/// Passes an answer from the connection to the task that called, in either order.
///
/// A call is sent before its task begins to wait, because calls must be sent in the order in which they were made, so
/// the answer may come first. Confined to the loop's thread.
final class ReplySlot {
  private enum State {
    case empty
    case awaited(CheckedContinuation<Reply, Never>)
    case filled(Reply)
  }

  private var state = State.empty

  func fill(_ reply: Reply) {
    if case .awaited(let task) = state { task.resume(returning: reply) }
    state = .filled(reply)
  }

  func wait(_ task: CheckedContinuation<Reply, Never>) {
    if case .filled(let reply) = state { task.resume(returning: reply) } else { state = .awaited(task) }
  }
}
