// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
  /// Lets everything else that is due have its turn: messages that have arrived, deadlines, queued work.
  ///
  /// For long work that is done in slices. It uses a deadline, because the loop may run many queued jobs before it looks
  /// at descriptors.
  public func nextTurn(isolation: isolated (any Actor)? = #isolation) async {
    await withContinuation { continuation in
      _ = schedule(after: .zero) { continuation.resume() }
    }
  }
}
