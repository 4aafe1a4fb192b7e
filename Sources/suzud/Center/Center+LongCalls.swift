// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop

/// A call that takes several turns of the loop keeps its place among the calls of its caller: what the same caller asks
/// for after it waits until it is done. Other callers do not wait, since the bus promises no order between them.
extension Center {
  /// Waits until no long call of the caller is in progress.
  func waitForLongCalls(of caller: BusName?) async {
    // Nearly always empty.
    guard !longCalls.isEmpty, let caller else { return }
    while longCalls[caller] != nil {
      await loop.withContinuation { continuation in longCalls[caller]?.append { continuation.resume() } }
    }
  }

  /// Waits likewise, and then makes later calls wait; ``endLongCall(of:)`` must follow.
  func beginLongCall(of caller: BusName?) async {
    await waitForLongCalls(of: caller)
    if let caller { longCalls[caller] = [] }
  }

  /// Resumes the calls that wait, in the order in which they came.
  func endLongCall(of caller: BusName?) {
    guard let caller else { return }
    for resume in longCalls.removeValue(forKey: caller) ?? [] { resume() }
  }
}
