// SPDX-License-Identifier: Apache-2.0
public import CenterClient
public import FoundationEssentials
public import NotificationModel

extension Notifying {
  /// The requests that are not shown yet, the next one first.
  ///
  ///     for try await row in center.pendingRequests() {
  ///       print(row.title, row.nextDate?.description ?? "waits for a condition")
  ///     }
  ///
  /// - Parameter search: only those with this text in their id, title, subtitle or body, in letters of any case.
  public func pendingRequests(search: String? = nil) -> ListedRequests {
    ListedRequests(.pending, ListingFilter(search: search), of: self)
  }

  /// The notifications on the screen or in the list of the desktop, the latest first.
  public func deliveredRequests(search: String? = nil) -> ListedRequests {
    ListedRequests(.delivered, ListingFilter(search: search), of: self)
  }

  /// Past dates and what came of them, the latest first.
  ///
  /// - Parameters:
  ///   - start: only what happened from then on.
  ///   - search: only those with this text in their id, title, subtitle or body, in letters of any case.
  public func pastRequests(since start: Date? = nil, search: String? = nil) -> ListedRequests {
    let seconds = start.map { Int64(exactly: $0.timeIntervalSince1970.rounded(.up)) ?? .max }
    return ListedRequests(.history, ListingFilter(since: seconds, search: search), of: self)
  }
}

/// The rows of a listing, read page by page.
///
/// The listing may change while it is read: a row that is removed or added then does not make another one appear twice
/// or not at all.
public struct ListedRequests: AsyncSequence, Sendable {
  /// A row.
  public typealias Element = ListedRequest
  /// A page could not be read.
  public typealias Failure = SuzuError

  private let listing: Listing
  private let filter: ListingFilter
  private let source: any Notifying

  init(_ listing: Listing, _ filter: ListingFilter, of source: some Notifying) {
    self.listing = listing
    self.filter = filter
    self.source = source
  }

  /// Starts with the first row.
  public func makeAsyncIterator() -> Iterator { Iterator(listing, filter, source) }

  /// Reads the rows.
  public struct Iterator: AsyncIteratorProtocol {
    /// How many rows a page may have.
    private static let page = 200

    private let listing: Listing
    private let filter: ListingFilter
    private let source: any Notifying
    private var rows: ArraySlice<ListedRequest> = []
    private var cursor: ListingCursor?
    private var isAtEnd = false

    init(_ listing: Listing, _ filter: ListingFilter, _ source: any Notifying) {
      self.listing = listing
      self.filter = filter
      self.source = source
    }

    /// Returns the next row; nil behind the last one.
    public mutating func next() async throws(SuzuError) -> ListedRequest? { try await next(isolation: nil) }

    /// Returns the next row; nil behind the last one.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(SuzuError) -> ListedRequest? {
      while rows.isEmpty {
        if isAtEnd { return nil }
        let page = try await source.rows(of: listing, filter, after: cursor, limit: Self.page)
        rows = page.rows[...]
        cursor = page.next
        isAtEnd = cursor == nil
      }
      return rows.removeFirst()
    }
  }
}
