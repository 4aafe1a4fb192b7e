// SPDX-License-Identifier: Apache-2.0
public import CenterClient
public import NotificationModel

extension Notifying {
  /// The requests that are not shown yet, the next one first.
  ///
  ///     for try await row in center.pendingRequests() {
  ///       print(row.title, row.nextDate?.description ?? "waits for a condition")
  ///     }
  public func pendingRequests() -> ListedRequests { ListedRequests(.pending, of: self) }

  /// The notifications on the screen or in the list of the desktop, the latest first.
  public func deliveredRequests() -> ListedRequests { ListedRequests(.delivered, of: self) }

  /// Past dates and what came of them, the latest first.
  public func pastRequests() -> ListedRequests { ListedRequests(.history, of: self) }
}

/// The rows of a listing, read page by page.
///
/// The listing may change while it is read. A row that is removed or added then does not make another one appear twice or
/// not at all, unless dozens come at the same time.
public struct ListedRequests: AsyncSequence, Sendable {
  /// A row.
  public typealias Element = ListedRequest
  /// A page could not be read.
  public typealias Failure = SuzuError

  private let listing: Listing
  private let source: any Notifying

  init(_ listing: Listing, of source: some Notifying) {
    self.listing = listing
    self.source = source
  }

  /// Starts with the first row.
  public func makeAsyncIterator() -> Iterator { Iterator(listing, source) }

  /// Reads the rows.
  public struct Iterator: AsyncIteratorProtocol {
    /// How many rows a page may have.
    private static let page = 200
    /// How many rows of the last page are read again, at most; and at most half of them, so that the next page, which
    /// may be shorter, has others.
    private static let overlap = 32

    private let listing: Listing
    private let source: any Notifying
    private var offset = 0
    private var rows: ArraySlice<ListedRequest> = []
    private var recent: [ListedRequest] = []
    private var isAtEnd = false

    init(_ listing: Listing, _ source: any Notifying) {
      self.listing = listing
      self.source = source
    }

    /// Returns the next row; nil behind the last one.
    public mutating func next() async throws(SuzuError) -> ListedRequest? { try await next(isolation: nil) }

    /// Returns the next row; nil behind the last one.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(SuzuError) -> ListedRequest? {
      while rows.isEmpty {
        if isAtEnd { return nil }
        try await readPage()
      }
      return rows.removeFirst()
    }

    private mutating func readPage() async throws(SuzuError) {
      var start = Swift.max(0, offset - recent.count)
      var page = try await source.rows(of: listing, from: start, limit: Self.page)
      // Pages are limited in bytes, too: it may have only rows that were read before.
      if start + page.count <= offset, start < offset {
        start = offset
        page = try await source.rows(of: listing, from: start, limit: Self.page)
      }
      isAtEnd = page.isEmpty
      let known = Set(recent)
      rows = page.filter { !known.contains($0) }[...]
      offset = start + page.count
      recent = page.suffix(Swift.min(Self.overlap, page.count / 2))
    }
  }
}
