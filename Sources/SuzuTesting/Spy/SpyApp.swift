// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
internal import NotificationModel
internal import Scheduling
public import Suzu

/// An app of a ``SpyCenter``: what a program under test gets in the place of a `NotifyingApp`.
///
///     let tea = TeaTimer(app: spy.app("org.example.Tea"))
public struct SpyApp: Handling {
  /// The center that the app belongs to.
  public let spy: SpyCenter
  /// The id of the app.
  public let app: AppID

  // MARK: Asking

  /// Submits a request, which becomes one of this app.
  @discardableResult
  public func notify(_ request: NotificationRequest) throws(SuzuError) -> RequestID {
    try spy.with { agenda throws(SuzuError) in try agenda.notify([owned(request)], isList: false)[0] }
  }

  /// Submits several requests, all or none, which become ones of this app.
  @discardableResult
  public func notify(_ requests: [NotificationRequest]) throws(SuzuError) -> [RequestID] {
    if requests.isEmpty { return [] }
    return try spy.with { agenda throws(SuzuError) in try agenda.notify(requests.map(owned), isList: true) }
  }

  private func owned(_ request: NotificationRequest) -> NotificationRequest {
    var request = request
    request.app = app
    return request
  }

  /// Cancels requests of the app that have not come yet; returns how many there were.
  @discardableResult
  public func cancel(_ ids: [RequestID]) -> Int { ids.isEmpty ? 0 : spy.with { $0.cancel(app, ids) } }

  /// Cancels all requests of the app that have not come yet; returns how many there were.
  @discardableResult
  public func cancelAll() -> Int { spy.with { $0.cancel(app, []) } }

  /// Closes notifications of the app; returns how many there were.
  @discardableResult
  public func dismiss(_ ids: [RequestID]) -> Int { ids.isEmpty ? 0 : spy.with { $0.dismiss(app, ids) } }

  /// Closes all notifications of the app; returns how many there were.
  @discardableResult
  public func dismissAll() -> Int { spy.with { $0.dismiss(app, []) } }

  /// Ends notifications of the app that the user has acknowledged elsewhere.
  @discardableResult
  public func acknowledge(_ ids: [RequestID]) -> Int {
    ids.isEmpty ? 0 : spy.with { $0.dismiss(app, ids, .acknowledged) }
  }

  /// One page of a listing, of this app.
  public func rows(
    of listing: Listing, _ filter: ListingFilter = ListingFilter(), after cursor: ListingCursor? = nil, limit: Int = 100
  ) throws(SuzuError) -> ListedPage {
    try spy.with { agenda throws(SuzuError) in try agenda.rows(of: listing, app, filter, after: cursor, limit: limit) }
  }

  /// The next dates of a request, without submitting it; none for one that waits for a condition.
  public func nextDates(of request: NotificationRequest, count: Int) throws(SuzuError) -> [Date] {
    try spy.with { agenda throws(SuzuError) in try agenda.next(owned(request), count) }.map {
      Date(timeIntervalSince1970: Double($0))
    }
  }

  // MARK: Categories and settings

  /// Replaces all categories of the app.
  public func setCategories(_ categories: [NotificationModel.Category]) throws(SuzuError) {
    try spy.with { agenda throws(SuzuError) in try agenda.set(categories, of: app) }
  }

  /// The categories that requests of the app may use.
  public func usableCategories() -> [RegisteredCategory] {
    spy.with { $0.categories[app] ?? [] }.map { RegisteredCategory($0, of: app.text) }
  }

  /// Asks for ways in which the app may notify the user; returns the allowed ones. The user of a spy allows everything,
  /// unless ``SpyUser/allow(_:app:)`` says otherwise.
  @discardableResult
  public func register(for kinds: Set<NoticeKind>) -> Set<NoticeKind> {
    spy.with { agenda in
      agenda.asked[app, default: []].formUnion(kinds)
      return kinds.intersection(agenda.allowed[app] ?? Set(NoticeKind.allCases))
    }
  }

  /// The ways in which the app may notify the user.
  public func settings() -> AppSettings {
    spy.with { agenda in
      AppSettings(
        app: app.text, asked: agenda.asked[app] ?? [], allowed: agenda.allowed[app] ?? NoticeKind.ways,
        isDecided: agenda.allowed[app] != nil)
    }
  }

  // MARK: Responses

  /// Acts as if the user had pressed a button.
  public func respond(to id: RequestID, with action: String, reply: String?) throws(SuzuError) {
    _ = try spy.with { agenda throws(SuzuError) in try agenda.choose(action, on: id, of: app, reply: reply) }
  }

  /// The responses of the app: those that the user gives from now on, and those that have waited for the app. The app
  /// handles responses until the sequence ends: when its task is cancelled, or the sequence is released.
  public func responses() -> AsyncStream<AppResponse> {
    let (responses, continuation) = AsyncStream<AppResponse>.makeStream()
    // A response that is held must not keep the center.
    weak let center = spy
    let app = app
    let handler = spy.with { agenda in
      let handler = agenda.audience.attach(app) { response in
        continuation.yield(
          AppResponse(response.response, again: { response.note($0) }) { problem in
            response.note(problem)
            center?.with { $0.responses.complete(response, problem, in: $0) }
          })
      }
      agenda.responses.attached(app, in: agenda)
      return handler
    }
    continuation.onTermination = { _ in center?.with { $0.audience.detach(app, handler) } }
    return responses
  }
}
