// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// A loop on a thread of its own, for a server that was not given one. The thread ends with ``stop()``.
final class OwnedLoop: Sendable {
  let loop: EventLoop

  init() throws { loop = try EventLoop.onOwnThread(named: "server") }

  /// Stops it in a later turn: until then, those who wait for the server learn of its end.
  func stop() { loop.perform { [loop] in loop.perform { loop.stop() } } }
}
