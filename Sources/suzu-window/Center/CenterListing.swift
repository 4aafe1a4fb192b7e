// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import NotificationModel
internal import WindowModel

/// What the center listed at one moment.
struct CenterListing: Equatable, Sendable {
  /// How many rows are read at a time.
  static let page = 300
  /// The most rows that the center is asked for at once.
  private static let most = 1000

  /// What is not shown yet, the next one first.
  private(set) var rows: [ListedRequest] = []
  /// Where the rows behind these begin; nil if there are none.
  private(set) var end: ListingCursor?
  /// What the command has behind these rows and repeats or waits for a condition. It is read after the rows, because
  /// there may be very many.
  var far: [ListedRequest] = []
  /// The requests that are muted.
  private(set) var muted: Set<RequestName> = []

  /// Whether there are more rows than these.
  var hasMore: Bool { end != nil }

  /// The requests of the command that repeat at a time of day, wherever they are in the list.
  var repeating: [ListedRequest] { own { $0.text(of: "every") != nil } }

  /// The requests of the command that wait for a condition.
  var events: [ListedRequest] { own { $0.text(of: "on") != nil } }

  private func own(_ isWanted: (ListedRequest) -> Bool) -> [ListedRequest] {
    let near = rows.filter { $0.app == NotificationRequest.defaultApp && $0.state == .pending && isWanted($0) }
    if far.isEmpty { return near }
    // One may have come nearer since.
    let names = Set(near.map { RequestName($0) })
    return near + far.filter { isWanted($0) && !names.contains(RequestName($0)) }
  }

  /// Reads at least that many rows, if there are so many. Away from the main loop: there may be thousands.
  @concurrent static func read(from center: Center, rows wanted: Int) async throws(SuzuError) -> CenterListing {
    var listing = CenterListing()
    // Those that are due are at the front of the history.
    let recent = try await center.history(limit: page).rows
    listing.rows = recent.filter { $0.state == .due }.reversed()
    repeat {
      let next = try await center.pending(after: listing.end, limit: min(most, max(page, wanted)))
      listing.rows += next.rows
      listing.end = next.next
    } while listing.end != nil && listing.rows.count < wanted
    listing.muted = Set(try await center.mutes().map { RequestName(app: $0.app.text, id: $0.id.text) })
    return listing
  }

  /// The listing with the rows behind its end.
  @concurrent static func more(of listing: CenterListing, from center: Center) async throws(SuzuError) -> CenterListing
  {
    guard let end = listing.end else { return listing }
    var listing = listing
    let next = try await center.pending(after: end, limit: page)
    listing.rows += next.rows
    listing.end = next.next
    return listing
  }

  /// Reads ``far``.
  @concurrent static func far(
    behind end: ListingCursor, of center: Center
  ) async throws(SuzuError) -> [ListedRequest] {
    var far: [ListedRequest] = []
    var cursor: ListingCursor? = end
    repeat {
      let next = try await center.pending(app: NotificationRequest.defaultApp, after: cursor, limit: most)
      far += next.rows.filter { $0.words["every"] != nil || $0.words["on"] != nil }
      cursor = next.next
      // There may be hundreds of these calls, and what the user scrolls to comes first.
      if cursor != nil { await MainLoop.pause(milliseconds: 30) }
    } while cursor != nil
    return far
  }

  /// Reads the history, away from the main loop as well.
  @concurrent static func history(
    from center: Center, search: String, rows wanted: Int
  ) async throws(SuzuError) -> ListedPage {
    let filter = ListingFilter(search: search.isEmpty ? nil : search)
    var rows: [ListedRequest] = []
    var cursor: ListingCursor?
    repeat {
      let next = try await center.history(filter, after: cursor, limit: 100)
      rows += next.rows
      cursor = next.next
    } while cursor != nil && rows.count < wanted
    return ListedPage(rows, next: cursor)
  }
}
