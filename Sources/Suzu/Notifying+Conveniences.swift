// SPDX-License-Identifier: Apache-2.0
public import CenterClient
public import FoundationEssentials
public import NotificationModel

extension Notifying {
  /// Shows a notification, now or later, and returns its id.
  ///
  ///     try await center.notify("Tea is ready", at: .after(.minutes(4)))
  ///     try await center.notify("Standup", at: .weekly(on: [.monday, .thursday], at: "09:15"), id: "standup") {
  ///       $0.sound = "bell"
  ///       $0.style = .alert
  ///     }
  ///
  /// - Parameters:
  ///   - title: the headline.
  ///   - body: the text.
  ///   - schedule: when it is shown.
  ///   - id: replaces the request of the app with the same id; nil for a new one.
  ///   - actions: the buttons.
  ///   - fill: adds to the content.
  @discardableResult
  public func notify(
    _ title: String, body: String? = nil, at schedule: Schedule = .now, id: RequestID? = nil, actions: [Action] = [],
    _ fill: (inout NotificationRequest.Content) -> Void = { _ in }
  ) async throws(SuzuError) -> RequestID {
    var content = NotificationRequest.Content(title: title)
    content.body = body
    content.actions = actions
    fill(&content)
    return try await notify(request(content, at: schedule, id: id))
  }

  /// A request of the app, checked.
  public func request(
    _ content: NotificationRequest.Content, at schedule: Schedule = .now, id: RequestID? = nil
  ) throws(SuzuError) -> NotificationRequest {
    do throws(RequestError) { return try NotificationRequest(app: app, id: id, content, schedule: schedule) } catch {
      throw SuzuError(error)
    }
  }

  /// Cancels a request that is not shown yet; returns whether there was one.
  @discardableResult
  public func cancel(_ id: RequestID) async throws(SuzuError) -> Bool { try await cancel([id]) > 0 }

  /// Closes a notification; returns whether there was one.
  @discardableResult
  public func dismiss(_ id: RequestID) async throws(SuzuError) -> Bool { try await dismiss([id]) > 0 }

  /// Ends a notification that the user has acknowledged elsewhere; returns whether there was one.
  @discardableResult
  public func acknowledge(_ id: RequestID) async throws(SuzuError) -> Bool { try await acknowledge([id]) > 0 }

  /// Acts as if the user had pressed a button without a text.
  public func respond(to id: RequestID, with action: String) async throws(SuzuError) {
    try await respond(to: id, with: action, reply: nil)
  }

  /// The next date of a schedule; nil if it has none.
  public func nextDate(of schedule: Schedule) async throws(SuzuError) -> Date? {
    try await nextDates(of: request(NotificationRequest.Content(title: "-"), at: schedule), count: 1).first
  }
}

extension SuzuError {
  /// The error of an invalid request.
  package init(_ error: RequestError) { self.init(.invalidRequest, error.description) }
}
