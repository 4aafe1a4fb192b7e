// SPDX-License-Identifier: Apache-2.0
internal import Scheduling

/// What the responses that have not begun wait for: `locked` or `app`. Only in memory, because each of them is taken up
/// again after a restart, and then waits anew.
final class WaitingResponses {
  private var reasons: [ResponseRecord.Number: String] = [:]

  func note(_ number: ResponseRecord.Number, waitsFor what: String) { reasons[number] = what }

  /// The response has begun or ended.
  func forget(_ number: ResponseRecord.Number) { reasons[number] = nil }

  /// Returns nil if the response does not wait.
  func reason(of number: ResponseRecord.Number) -> String? { reasons[number] }
}
