// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

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
  /// How often one call reads the store while it looks for rows: a search that finds nothing in a long list must answer
  /// in time, with a cursor and without rows.
  static let mostReads = 10

  /// Nil means every app.
  let app: String?
  /// The rights of the caller: a sandboxed program sees its own requests, and only ids and times of others in its app's
  /// name.
  let reader: Rights
  /// The row behind which the page begins; nil for the first page.
  var after: ListingPlace?
  var limit = most
  /// Leaves out what happened earlier.
  var since: Timestamp?
  var search: TextSearch?

  /// What moves the clock by more than this is an accident: the dates of the history are otherwise in its order.
  private static let clockAllowance: Int64 = 86_400_000

  /// Whether the page, and all that follows, is earlier than ``since``.
  func isOver(at record: DeliveryRecord) -> Bool { since.map { record.intended < $0 - Self.clockAllowance } ?? false }
}

/// The rows of a page, and where the next page begins.
struct PageRows<Row> {
  var rows: [Row] = []
  /// A ``PageCursor``; empty at the end of the list.
  var next = ""
}

extension PageRows: Sendable where Row: Sendable {}
