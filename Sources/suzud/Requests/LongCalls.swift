// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// A call that takes several turns of the loop keeps its place among the calls of its caller: what the same caller asks
/// for after it waits until it is done. Other callers do not wait, since the bus promises no order between them.
final class LongCalls {
  /// How many requests or ids are dealt with in one turn; a call with more of them is a long one.
  static let slice = 500

  private let loop: EventLoop
  /// The callers whose call takes several turns, and what waits for its end.
  private var calls: [Caller: [() -> Void]] = [:]

  init(on loop: EventLoop) { self.loop = loop }

  /// Waits until no long call of the caller is in progress.
  func wait(for caller: Caller?) async {
    // Nearly always empty.
    guard !calls.isEmpty, let caller else { return }
    while calls[caller] != nil {
      await loop.withContinuation { continuation in calls[caller]?.append { continuation.resume() } }
    }
  }

  /// Waits likewise, and then makes later calls wait; ``end(of:)`` must follow.
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
