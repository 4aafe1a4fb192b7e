// SPDX-License-Identifier: Apache-2.0
public import CenterClient
public import FoundationEssentials
public import NotificationModel

extension Center {
  /// The app with this id, which is that of its desktop entry, such as `org.example.Tea`.
  public func app(_ id: AppID) -> NotifyingApp { NotifyingApp(id, of: self) }
}

/// An app: its requests, and what the user chooses in its notifications.
///
///     let app = try await Center.connect().app("org.example.Tea")
///     try await app.takeName()
///     try await app.notify("Tea is ready", at: .after(.minutes(4)), actions: [Action(id: "more", title: "More")])
///     for await response in try await app.responses() {
///       if response.action == "more" { print("another cup") }
///       await response.complete()
///     }
///
/// Several objects of the same app and center share what they handle.
public final class NotifyingApp: Notifying {
  /// The id of the app.
  public let id: AppID
  /// The center.
  public let center: Center
  let link: AppLink

  init(_ id: AppID, of center: Center) {
    self.id = id
    self.center = center
    link = AppLink.of(id, center)
  }

  // MARK: Handling

  /// The responses of the app: those that the user gives from now on, those that have waited for the app, and those for
  /// which the bus starts it.
  ///
  /// The app is attached to the center when this returns. It attaches again when the center or the bus restarts.
  public func responses() async throws(SuzuError) -> AppResponses { try await link.read() }

  /// Decides how requests are shown that are due while the app is in front; nil if the app is not in front any more.
  ///
  /// The answer must come within two seconds; else the notification is shown. An empty set means that the app shows it
  /// itself.
  public func whenPresenting(
    _ decide: (@Sendable (PresentedRequest) async -> Set<NoticeKind>)?
  ) async throws(SuzuError) {
    try await link.setPresenting(decide, center.companions)
  }

  /// Changes pushes with `mutable-content` before they are shown; nil if the app does not any more.
  ///
  /// To change a push, submit a request with its id before the closure returns. Otherwise, and after its
  /// ``PushedRequest/limit``, it is shown as it came.
  ///
  ///     try await app.whenPushed { pushed in
  ///       guard case .text(let text)? = pushed.request.content.userInfo["text"] else { return }
  ///       _ = try? await app.notify("A message", body: text, id: pushed.id)
  ///     }
  ///
  /// With `X-Suzu-ChangesPushes=true` in its desktop entry, an app that has called ``takeName()`` is also started for
  /// it.
  public func whenPushed(_ change: (@Sendable (PushedRequest) async -> Void)?) async throws(SuzuError) {
    try await link.setChanging(change, center.companions)
  }

  /// Takes the name of the app on the bus, so that a click starts the program, if a service file of the bus names it,
  /// and hands it the response. Throws ``SuzuError/Code/nameTaken`` if the app runs already.
  ///
  /// Read ``responses()``, too: until then, responses wait, at most 25 seconds.
  public func takeName() async throws(SuzuError) { try await link.takeName() }

  /// Handles calls that are no responses: the desktop starts the app, opens a file with it, or chooses an action of its
  /// desktop entry. Calls that came since ``takeName()`` are handled at once.
  public func whenActivated(_ handle: (@Sendable (Activation) async -> Void)?) { link.setActivated(handle) }

  // MARK: Asking

  /// The id of the app.
  public var app: AppID { id }

  /// Submits a request, which becomes one of this app.
  @discardableResult
  public func notify(_ request: NotificationRequest) async throws(SuzuError) -> RequestID {
    try await center.notify(owned(request))
  }

  /// Submits several requests, all or none, which become ones of this app.
  @discardableResult
  public func notify(_ requests: [NotificationRequest]) async throws(SuzuError) -> [RequestID] {
    try await center.notify(requests.map(owned))
  }

  private func owned(_ request: NotificationRequest) -> NotificationRequest {
    var request = request
    request.app = id
    return request
  }

  /// Cancels requests of the app that are not shown yet; returns how many there were.
  @discardableResult
  public func cancel(_ ids: [RequestID]) async throws(SuzuError) -> Int { try await center.cancel(ids, of: id) }

  /// Cancels all requests of the app that are not shown yet; returns how many there were.
  @discardableResult
  public func cancelAll() async throws(SuzuError) -> Int { try await center.cancel(app: id.text) }

  /// Closes notifications of the app; returns how many there were.
  @discardableResult
  public func dismiss(_ ids: [RequestID]) async throws(SuzuError) -> Int { try await center.dismiss(ids, of: id) }

  /// Closes all notifications of the app; returns how many there were.
  @discardableResult
  public func dismissAll() async throws(SuzuError) -> Int { try await center.dismiss(app: id.text) }

  /// Ends notifications of the app that the user has acknowledged elsewhere.
  @discardableResult
  public func acknowledge(_ ids: [RequestID]) async throws(SuzuError) -> Int {
    try await center.acknowledge(ids, of: id)
  }

  /// One page of a listing, of this app.
  public func rows(
    of listing: Listing, _ filter: ListingFilter = ListingFilter(), after cursor: ListingCursor? = nil, limit: Int = 100
  ) async throws(SuzuError) -> ListedPage {
    try await center.rows(of: listing, filter, after: cursor, limit: limit, app: id.text)
  }

  /// The next dates of a request.
  public func nextDates(of request: NotificationRequest, count: Int) async throws(SuzuError) -> [Date] {
    try await center.nextDates(of: owned(request), count: count)
  }

  /// Replaces all categories of the app.
  public func setCategories(_ categories: [Category]) async throws(SuzuError) {
    try await center.setCategories(categories, app: id.text)
  }

  /// The categories that requests of the app may use.
  public func usableCategories() async throws(SuzuError) -> [RegisteredCategory] {
    try await center.categories(app: id.text)
  }

  /// Asks for ways in which the app may notify the user.
  @discardableResult
  public func register(for kinds: Set<NoticeKind>) async throws(SuzuError) -> Set<NoticeKind> {
    try await center.register(app: id.text, for: kinds)
  }

  /// The ways in which the app may notify the user.
  public func settings() async throws(SuzuError) -> AppSettings { try await center.settings(app: id.text) }

  /// Acts as if the user had pressed a button.
  public func respond(to id: RequestID, with action: String, reply: String?) async throws(SuzuError) {
    try await center.respond(app: self.id.text, id: id.text, action: action, reply: reply)
  }
}
