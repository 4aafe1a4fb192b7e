// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import NotificationModel
internal import WindowModel

/// What the center listed at one moment.
struct CenterListing: Equatable, Sendable {
  /// How many rows are read at a time.
  static let page = 300

  /// What is not shown yet, the next one first.
  private(set) var rows: [ListedRequest] = []
  /// Whether there are more rows than these.
  private(set) var hasMore = false
  /// The requests of the command that repeat at a time of day, wherever they are in the list.
  private(set) var repeating: [ListedRequest] = []
  /// The requests of the command that wait for a condition.
  private(set) var events: [ListedRequest] = []
  /// The requests that are muted.
  private(set) var muted: Set<RequestName> = []

  /// Reads at least that many rows, if there are so many. Away from the main loop: there may be thousands.
  @concurrent static func read(from center: Center, rows wanted: Int) async throws(SuzuError) -> CenterListing {
    var listing = CenterListing()
    // Those that are due are at the front of the history.
    let recent = try await center.history(limit: page).rows
    listing.rows = recent.filter { $0.state == .due }.reversed()
    var cursor: ListingCursor?
    repeat {
      let next = try await center.pending(after: cursor, limit: page)
      listing.rows += next.rows
      cursor = next.next
    } while cursor != nil && listing.rows.count < wanted
    listing.hasMore = cursor != nil
    var own = listing.rows.filter { $0.app == NotificationRequest.defaultApp && $0.state == .pending }
    while cursor != nil {
      let next = try await center.pending(app: NotificationRequest.defaultApp, after: cursor, limit: 1000)
      own += next.rows.filter { $0.words["every"] != nil || $0.words["on"] != nil }
      cursor = next.next
    }
    listing.repeating = own.filter { $0.text(of: "every") != nil }
    listing.events = own.filter { $0.text(of: "on") != nil }
    listing.muted = Set(try await center.mutes().map { RequestName(app: $0.app.text, id: $0.id.text) })
    return listing
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
