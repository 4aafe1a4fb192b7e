// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import Foundation

/// Errors of the center.
extension UNError {
  /// The error with the center's own words. Without a center, nothing is allowed to notify.
  init(_ error: SuzuError) {
    let code: Code =
      switch error.code {
      case .invalidRequest, .limitExceeded: .notificationInvalidNoContent
      default: .notificationsNotAllowed
      }
    self.init(code, error.message, error)
  }

  /// The sentence that says what is wrong.
  var why: String { _nsError.localizedDescription }
}
