// SPDX-License-Identifier: Apache-2.0
public import NotificationModel

/// One page of a listing: its rows, and where the next page begins.
///
/// It may be shorter than the limit, and even empty, although more rows follow: the list ends where ``next`` is nil.
public struct ListedPage: RandomAccessCollection, Hashable, Sendable {
  /// The rows.
  public let rows: [ListedRequest]
  /// Where the next page begins; nil at the end of the list.
  public let next: ListingCursor?

  /// A page with these rows.
  public init(_ rows: [ListedRequest], next: ListingCursor? = nil) {
    self.rows = rows
    self.next = next
  }

  /// 0
  public var startIndex: Int { 0 }
  /// The number of rows.
  public var endIndex: Int { rows.count }
  /// A row.
  public subscript(position: Int) -> ListedRequest { rows[position] }
}

/// A position in a listing: behind the last row of a page. Rows that come or go in between do not move it.
public struct ListingCursor: Hashable, Sendable {
  /// What the center calls it.
  public let text: String

  /// The cursor with this text, which a page had.
  public init(_ text: String) { self.text = text }
}

/// The rows of a listing that a caller wants.
public struct ListingFilter: Hashable, Sendable {
  /// Only what happened from then on, in seconds since 1970; pending requests have not happened yet, and are refused.
  public var since: Int64?
  /// Only what has this text in its id, title, subtitle or body, in letters of any case.
  public var search: String?

  /// A filter; without values, it accepts every row.
  public init(since: Int64? = nil, search: String? = nil) {
    self.since = since
    self.search = search
  }
}
