// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
internal import NotificationModel
public import Suzu

/// As with `Center`, requests belong to the app that they name, which is that of the command if they name none; the
/// other functions concern the command's own, and the listings have the requests of every app.
extension SpyCenter: Notifying {
  /// The app with this id, which is that of its desktop entry, such as `org.example.Tea`.
  public func app(_ id: AppID) -> SpyApp { SpyApp(spy: self, app: id) }

  private var command: SpyApp { app(.suzu) }

  /// `AppID.suzu`
  public var app: AppID { .suzu }

  /// Submits a request and returns its id.
  @discardableResult
  public func notify(_ request: NotificationRequest) throws(SuzuError) -> RequestID {
    try with { agenda throws(SuzuError) in try agenda.notify([request], isList: false)[0] }
  }

  /// Submits several requests, all or none, and returns their ids in the same order.
  @discardableResult
  public func notify(_ requests: [NotificationRequest]) throws(SuzuError) -> [RequestID] {
    if requests.isEmpty { return [] }
    return try with { agenda throws(SuzuError) in try agenda.notify(requests, isList: true) }
  }

  /// Cancels requests of the command.
  @discardableResult
  public func cancel(_ ids: [RequestID]) -> Int { command.cancel(ids) }

  /// Cancels all requests of the command.
  @discardableResult
  public func cancelAll() -> Int { command.cancelAll() }

  /// Closes notifications of the command.
  @discardableResult
  public func dismiss(_ ids: [RequestID]) -> Int { command.dismiss(ids) }

  /// Closes all notifications of the command.
  @discardableResult
  public func dismissAll() -> Int { command.dismissAll() }

  /// Ends notifications of the command that the user has acknowledged elsewhere.
  @discardableResult
  public func acknowledge(_ ids: [RequestID]) -> Int { command.acknowledge(ids) }

  /// One page of a listing, of every app.
  public func rows(
    of listing: Listing, _ filter: ListingFilter = ListingFilter(), after cursor: ListingCursor? = nil, limit: Int = 100
  ) throws(SuzuError) -> ListedPage {
    try with { agenda throws(SuzuError) in try agenda.rows(of: listing, nil, filter, after: cursor, limit: limit) }
  }

  /// The next dates of a request, without submitting it; none for one that waits for a condition.
  public func nextDates(of request: NotificationRequest, count: Int) throws(SuzuError) -> [Date] {
    try with { agenda throws(SuzuError) in try agenda.next(request, count) }.map {
      Date(timeIntervalSince1970: Double($0))
    }
  }

  /// Replaces all categories of the command.
  public func setCategories(_ categories: [NotificationModel.Category]) throws(SuzuError) {
    try command.setCategories(categories)
  }

  /// The categories that requests of the command may use.
  public func usableCategories() -> [RegisteredCategory] { command.usableCategories() }

  /// Asks for ways in which the command may notify the user.
  @discardableResult
  public func register(for kinds: Set<NoticeKind>) -> Set<NoticeKind> { command.register(for: kinds) }

  /// The ways in which the command may notify the user.
  public func settings() -> AppSettings { command.settings() }

  /// Acts as if the user had pressed a button.
  public func respond(to id: RequestID, with action: String, reply: String?) throws(SuzuError) {
    try command.respond(to: id, with: action, reply: reply)
  }
}
