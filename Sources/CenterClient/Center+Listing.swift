// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
public import NotificationModel

extension Center {
  /// Lists requests that are not on the screen yet, the next one first; without an app, of all apps.
  ///
  ///     var page = try await center.pending()
  ///     while true {
  ///       for row in page { print(row.title) }
  ///       guard let next = page.next else { break }
  ///       page = try await center.pending(after: next)
  ///     }
  ///
  /// - Parameters:
  ///   - filter: which rows; by default all.
  ///   - cursor: the row behind which the page begins; nil for the first page.
  public func pending(
    app: String = "", _ filter: ListingFilter = ListingFilter(), after cursor: ListingCursor? = nil, limit: Int = 100
  ) async throws(SuzuError) -> ListedPage {
    try await list(CenterMethods.pending, app, filter, cursor, limit)
  }

  /// Lists notifications on the screen, or in the server's list, the latest first.
  public func delivered(
    app: String = "", _ filter: ListingFilter = ListingFilter(), after cursor: ListingCursor? = nil, limit: Int = 100
  ) async throws(SuzuError) -> ListedPage {
    try await list(CenterMethods.delivered, app, filter, cursor, limit)
  }

  /// Lists past notifications, the latest first.
  public func history(
    app: String = "", _ filter: ListingFilter = ListingFilter(), after cursor: ListingCursor? = nil, limit: Int = 100
  ) async throws(SuzuError) -> ListedPage {
    try await list(CenterMethods.history, app, filter, cursor, limit)
  }

  /// Deletes what has ended from the history of an app, or of all apps; returns how many notifications that were. What
  /// is pending or on the screen stays.
  ///
  /// - Parameter end: deletes only what ended before this moment, in seconds since 1970.
  @discardableResult
  public func clearHistory(app: String, before end: Int64? = nil) async throws(SuzuError) -> Int {
    Int(try await call(CenterMethods.clearHistory, app, end ?? 0))
  }

  /// The pending request with that id, and its dates that have come, the latest first: each says in
  /// ``ListedRequest/why`` why it came, came late or did not come. Returns at most `limit` of the dates; an unknown id
  /// has none.
  public func reasons(
    _ id: String, app: String = NotificationRequest.defaultApp, limit: Int = 10
  ) async throws(SuzuError) -> [ListedRequest] {
    try await read(CenterMethods.why, app, id, UInt32(clamping: limit)).map(Self.row)
  }

  static func row(_ properties: Properties) -> ListedRequest {
    ListedRequest(properties.values.compactMapValues(PlainValue.init))
  }

  private func list(
    _ method: CenterMethods.Listing, _ app: String, _ filter: ListingFilter, _ cursor: ListingCursor?, _ limit: Int
  ) async throws(SuzuError) -> ListedPage {
    Self.page(try await read(method, app, Self.options(filter, cursor, limit)))
  }

  /// Calls a method that changes nothing. If the center ends before it answers, the next one is asked.
  private func read<each Argument: BusType, Output>(
    _ method: MethodDescription<(repeat each Argument), Output>, _ arguments: repeat each Argument
  ) async throws(SuzuError) -> Output {
    do throws(SuzuError) {
      return try await call(method, repeat each arguments)
    } catch {
      guard error.code == .interrupted else { throw error }
      return try await call(method, repeat each arguments)
    }
  }

  /// The options of a call for one page.
  static func options(_ filter: ListingFilter, _ cursor: ListingCursor?, _ limit: Int) -> [String: Value] {
    var options: [String: Value] = ["limit": .uint32(UInt32(clamping: limit))]
    options["after"] = cursor.map { .string($0.text) }
    options["since"] = filter.since.map { .int64($0) }
    options["search"] = filter.search.map { .string($0) }
    return options
  }

  /// The page that such a call returned.
  static func page(_ answer: (rows: [Properties], next: String)) -> ListedPage {
    ListedPage(answer.rows.map(row), next: answer.next.isEmpty ? nil : ListingCursor(answer.next))
  }

  /// Returns the next dates of a request, in seconds since 1970, without storing it.
  public func next(_ request: NotificationRequest, count: Int = 1) async throws(SuzuError) -> [Int64] {
    try await call(CenterMethods.next, encoded(request), UInt32(clamping: count))
  }
}
