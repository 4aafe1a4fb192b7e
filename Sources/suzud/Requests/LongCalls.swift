// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// Keeps the calls of one caller in order when one of them takes several turns of the loop: the caller's later calls
/// wait until it is done. Other callers do not wait, since the bus promises no order between them.
final class LongCalls {
  /// How many requests or ids one turn handles; a call with more is a long one.
  static let slice = 250

  private let loop: EventLoop
  /// The callers with a long call in progress, and the calls that wait for its end.
  private var calls: [Caller: [() -> Void]] = [:]

  init(on loop: EventLoop) { self.loop = loop }

  /// Waits until no long call of the caller is in progress.
  func wait(for caller: Caller?) async {
    // The usual case: no long call is in progress.
    guard !calls.isEmpty, let caller else { return }
    while calls[caller] != nil {
      await loop.withContinuation { continuation in
        // The call may suspend before it comes here, and the long call may have ended then.
        if calls[caller] == nil { return continuation.resume() }
        calls[caller]?.append { continuation.resume() }
      }
    }
  }

  /// Runs a call in its place among its caller's calls, and makes later ones wait for it if it is long.
  func run<T>(_ isLong: Bool, from caller: Caller?, _ body: () async throws -> T) async throws -> T {
    guard isLong else {
      await wait(for: caller)
      return try await body()
    }
    await begin(of: caller)
    defer { end(of: caller) }
    return try await body()
  }

  /// Waits in the same way, and then makes later calls wait; ``end(of:)`` must follow.
  func begin(of caller: Caller?) async {
    await wait(for: caller)
    if let caller { calls[caller] = [] }
  }

  /// Resumes the calls that wait, in the order in which they came.
  func end(of caller: Caller?) {
    guard let caller else { return }
    for resume in calls.removeValue(forKey: caller) ?? [] { resume() }
  }
}
