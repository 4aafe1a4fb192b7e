// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The kind of a listing.
enum ListingKind: Hashable {
  /// Requests that are not on the screen yet, nearest first.
  case pending
  /// Notifications on the screen, newest first.
  case delivered
  /// Past dates and their outcomes, newest first.
  case history
}

/// The part of a listing that a call asks for.
struct Page {
  /// The most rows in one answer.
  static let most = 1000
  /// The most bytes in one answer, unless its only row is longer: an array on the bus has at most 64 MiB, and reading a
  /// page in one turn of the loop must take far less than 50 ms.
  static let mostBytes = 256 << 10

  /// Nil means every app.
  let app: String?
  /// The caller, whose position is remembered for its next page.
  let caller: Caller
  /// The rights of the caller: a sandboxed program sees its own requests, and only ids and times of others in its app's
  /// name.
  let reader: Rights
  let offset: Int
  let limit: Int
}
