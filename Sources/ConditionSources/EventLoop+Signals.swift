// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop

extension EventLoop {
  /// Calls `body` with each signal, until the task is cancelled or the connection is closed; then calls `end`.
  func read(
    _ signals: SignalStream, _ body: @escaping (Signal) -> Void, end: @escaping () -> Void = {}
  ) -> Task<Void, Never> {
    startLater {
      do {
        for try await signal in signals { body(signal) }
      } catch {
        // The connection was closed.
      }
      end()
    }
  }
}
