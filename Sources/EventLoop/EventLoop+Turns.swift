// SPDX-License-Identifier: Apache-2.0

extension EventLoop {
  /// Gives everything else that is due a turn: received messages, deadlines, queued work.
  ///
  /// For long work in slices. It uses a deadline, because the loop may run many queued jobs before it checks
  /// descriptors.
  public func nextTurn(isolation: isolated (any Actor)? = #isolation) async {
    await withContinuation { continuation in
      _ = schedule(after: .zero) { continuation.resume() }
    }
  }
}
