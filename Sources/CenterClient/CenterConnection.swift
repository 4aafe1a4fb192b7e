// SPDX-License-Identifier: Apache-2.0
package import DBus
package import EventLoop
internal import Synchronization

/// A center's connection, its loop, and the number of its current users.
///
/// A loop of our own ends when the center is closed and the last user has left, after the connection is freed: a task
/// that waits on a stopped loop never ends, and an actor on it is never freed.
package final class CenterConnection: Sendable {
  package let loop: EventLoop
  private let isLoopOurs: Bool

  private struct State {
    var connection: Connection?
    var users = 0
    var isClosed = false
    /// Resumes the task that closes the connection. A closure, because the layout of a continuation is found at run
    /// time.
    var whenUnused: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Uses `loop`, or a thread of its own; not connected yet.
  init(on loop: EventLoop?) throws(SuzuError) {
    isLoopOurs = loop == nil
    if let loop {
      self.loop = loop
    } else {
      do throws(EventLoopError) {
        self.loop = try EventLoop.onOwnThread(named: "suzu")
      } catch {
        throw SuzuError(.unavailable, error.description)
      }
    }
  }

  func open(_ address: BusAddress) async throws(CallError) {
    var options = Connection.Options()
    options.reconnects = true
    let connection = try await Connection.open(address, on: loop, options: options)
    state.withLock { $0.connection = connection }
  }

  // MARK: Using

  package func use<T>(_ body: (Connection) async throws(CallError) -> T) async throws(SuzuError) -> T {
    try enter()
    defer { leave() }
    return try await lend(body)
  }

  /// A separate function, so that nothing retains the connection once the user has left.
  private func lend<T>(_ body: (Connection) async throws(CallError) -> T) async throws(SuzuError) -> T {
    guard let connection = state.withLock({ $0.connection }) else { throw Self.closed }
    do throws(CallError) { return try await body(connection) } catch { throw SuzuError(error) }
  }

  private static let closed = SuzuError(.unavailable, "the connection to the center was closed")

  /// Registers a user that outlives a call; ``leave()`` ends it.
  package func enter() throws(SuzuError) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.users += 1 }
      return state.isClosed
    }
    if isClosed { throw Self.closed }
  }

  package func leave() {
    let whenUnused = state.withLock { state -> (@Sendable () -> Void)? in
      state.users -= 1
      guard state.users == 0 else { return nil }
      return state.whenUnused.take()
    }
    whenUnused?()
  }

  // MARK: Closing

  func close() async {
    let wasClosed = state.withLock { state in
      defer { state.isClosed = true }
      return state.isClosed
    }
    if wasClosed { return }
    await closeConnection()
    await withCheckedContinuation { continuation in
      let isUnused = state.withLock { state in
        if state.users > 0 { state.whenUnused = { continuation.resume() } }
        return state.users == 0
      }
      if isUnused { continuation.resume() }
    }
    if isLoopOurs { loop.stopAndWait() }
  }

  /// Current users find it closed, and leave.
  private func closeConnection() async {
    let connection = state.withLock { $0.connection.take() }
    await connection?.close()
  }
}
