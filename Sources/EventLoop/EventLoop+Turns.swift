// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
  /// Lets everything else that is due have its turn: messages that have arrived, deadlines, queued work.
  ///
  /// For long work that is done in slices. By way of a deadline, because queued work may run many times before
  /// descriptors are looked at.
  public func nextTurn(isolation: isolated (any Actor)? = #isolation) async {
    await withContinuation { continuation in
      _ = schedule(after: .zero) { continuation.resume() }
    }
  }
}
