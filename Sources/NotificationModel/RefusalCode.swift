// SPDX-License-Identifier: Apache-2.0

/// Why the center refuses a call.
public enum RefusalCode: String, CaseIterable, Sendable {
  /// The request is invalid.
  case invalidRequest
  /// Every date of the request has passed.
  case inThePast
  /// The request names a category that is not registered.
  case unknownCategory
  /// The caller lacks the permission.
  case accessDenied
  /// There is no such notification or action.
  case notFound
  /// The call is too large, or there is too much already.
  case limitExceeded
  /// The center is temporarily unable.
  case unavailable
}
