// SPDX-License-Identifier: Apache-2.0
internal import Scheduling

/// What the responses that have not begun wait for: `locked` or `app`. Only in memory, because each of them is taken up
/// again after a restart, and then waits anew.
final class WaitingResponses {
  private var reasons: [ResponseRecord.Number: String] = [:]
  /// The actions whose text is being typed. Their responses are stored when the text is there.
  private var typed: [DeliveryRecord.Number: String] = [:]

  func note(_ number: ResponseRecord.Number, waitsFor what: String) { reasons[number] = what }

  /// The response has begun or ended.
  func forget(_ number: ResponseRecord.Number) { reasons[number] = nil }

  /// Returns nil if the response does not wait.
  func reason(of number: ResponseRecord.Number) -> String? { reasons[number] }

  // MARK: Texts

  /// The user chose an action of this delivery, and is asked for its text.
  func note(textOf action: String, for delivery: DeliveryRecord.Number) { typed[delivery] = action }

  /// The text is there, or will not come.
  func forgetText(for delivery: DeliveryRecord.Number) { typed[delivery] = nil }

  /// The action of the delivery whose text is being typed; nil if there is none.
  func actionWithoutText(of delivery: DeliveryRecord.Number) -> String? { typed[delivery] }
}
