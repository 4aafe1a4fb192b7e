// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// Which list is wanted.
enum ListingKind: Hashable {
  /// What has yet to come, nearest first.
  case pending
  /// What is on the screen, newest first.
  case delivered
  /// What happened to dates, newest first.
  case history
}

/// Which part of a list is wanted.
struct Page {
  /// How many rows one answer holds.
  static let most = 1000
  /// How many bytes one answer holds, unless its only row is longer: a list on the bus has at most 64 MiB, and what is
  /// read in one turn of the loop must take far less than 50 ms.
  static let mostBytes = 1 << 20

  /// Nil: of every app.
  let app: String?
  /// Who reads it; the walk is remembered for its next page.
  let caller: Caller
  /// Whose call it is: a sandboxed program sees what it made itself, and of the rest in its app's name ids and times.
  let reader: Rights
  let offset: Int
  let limit: Int
}

/// One request in a list, or one of its dates. Dates are RFC 3339.
struct ListingRow {
  let app: String
  let id: String
  /// In the words that it was made in; nil: the reader may not see them.
  var request: NotificationRequest?
  let state: String
  /// The next date of a pending request.
  var next: String?
  var due: String?
  var missed: Int64 = 0
  var shown: String?
  var closed: String?
  var reason: String?
  var answer: Answer?

  /// What the user chose.
  struct Answer {
    let action: String
    let reply: String?
    let outcome: String
  }
}
