// SPDX-License-Identifier: Apache-2.0
public import CenterClient
public import FoundationEssentials
public import NotificationModel

/// A program without an app of its own: its requests belong to the command, and no app handles their responses. The
/// listings have the requests of every app.
extension Center: Notifying {
  /// ``AppID/suzu``
  public var app: AppID { .suzu }

  /// Cancels requests of the command.
  @discardableResult
  public func cancel(_ ids: [RequestID]) async throws(SuzuError) -> Int { try await cancel(ids, of: app) }

  /// Cancels all requests of the command.
  @discardableResult
  public func cancelAll() async throws(SuzuError) -> Int { try await cancel(app: app.text) }

  /// Closes notifications of the command.
  @discardableResult
  public func dismiss(_ ids: [RequestID]) async throws(SuzuError) -> Int { try await dismiss(ids, of: app) }

  /// Closes all notifications of the command.
  @discardableResult
  public func dismissAll() async throws(SuzuError) -> Int { try await dismiss(app: app.text) }

  /// Ends notifications of the command that the user has acknowledged elsewhere.
  @discardableResult
  public func acknowledge(_ ids: [RequestID]) async throws(SuzuError) -> Int { try await acknowledge(ids, of: app) }

  /// One page of a listing, of every app.
  public func rows(
    of listing: Listing, _ filter: ListingFilter = ListingFilter(), after cursor: ListingCursor? = nil, limit: Int = 100
  ) async throws(SuzuError) -> ListedPage {
    try await rows(of: listing, filter, after: cursor, limit: limit, app: "")
  }

  /// The next dates of a request.
  public func nextDates(of request: NotificationRequest, count: Int) async throws(SuzuError) -> [Date] {
    if case .on = request.schedule.dates { return [] }
    return try await next(request, count: count).map { Date(timeIntervalSince1970: Double($0)) }
  }

  /// Replaces all categories of the command.
  public func setCategories(_ categories: [Category]) async throws(SuzuError) {
    try await setCategories(categories, app: app.text)
  }

  /// The categories that requests of the command may use.
  public func usableCategories() async throws(SuzuError) -> [RegisteredCategory] { try await categories(app: app.text) }

  /// Asks for ways in which the command may notify the user.
  @discardableResult
  public func register(for kinds: Set<NoticeKind>) async throws(SuzuError) -> Set<NoticeKind> {
    try await register(app: app.text, for: kinds)
  }

  /// The ways in which the command may notify the user.
  public func settings() async throws(SuzuError) -> AppSettings { try await settings(app: app.text) }

  /// Acts as if the user had pressed a button.
  public func respond(to id: RequestID, with action: String, reply: String?) async throws(SuzuError) {
    try await respond(app: app.text, id: id.text, action: action, reply: reply)
  }
}

extension Center {
  /// No ids mean all to the center; here they mean none.
  func cancel(_ ids: [RequestID], of app: AppID) async throws(SuzuError) -> Int {
    if ids.isEmpty { return 0 }
    return try await cancel(app: app.text, ids: ids.map(\.text))
  }

  func dismiss(_ ids: [RequestID], of app: AppID) async throws(SuzuError) -> Int {
    if ids.isEmpty { return 0 }
    return try await dismiss(app: app.text, ids: ids.map(\.text))
  }

  func acknowledge(_ ids: [RequestID], of app: AppID) async throws(SuzuError) -> Int {
    if ids.isEmpty { return 0 }
    return try await acknowledge(app: app.text, ids: ids.map(\.text))
  }

  func rows(
    of listing: Listing, _ filter: ListingFilter, after cursor: ListingCursor?, limit: Int, app: String
  ) async throws(SuzuError) -> ListedPage {
    switch listing {
    case .pending: try await pending(app: app, filter, after: cursor, limit: limit)
    case .delivered: try await delivered(app: app, filter, after: cursor, limit: limit)
    case .history: try await history(app: app, filter, after: cursor, limit: limit)
    }
  }
}
