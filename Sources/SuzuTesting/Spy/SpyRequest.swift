// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
internal import NotificationModel
internal import Scheduling
public import Suzu

/// A request that waits in a ``SpyCenter``: what would be scheduled.
public struct SpyRequest: Sendable {
  /// The request, with its id. Its times are settled: they mean the same on another day.
  public let request: NotificationRequest
  /// The next date; nil if it waits for a condition.
  public let next: Date?

  private let spy: SpyCenter
  private let revision: StoredRequest.Revision

  /// The app that it belongs to.
  public var app: AppID { request.app }
  /// Its id.
  public var id: RequestID { request.id ?? RequestID(trusted: "") }
  /// The headline.
  public var title: String { request.content.title }
  /// The text.
  public var body: String? { request.content.body }
  /// The category that it names.
  public var category: CategoryID? { request.content.category }
  /// The request's own data.
  public var userInfo: [String: PlainValue] { request.content.userInfo }

  /// The coming dates, from the next one on; fewer if there are no more, and none once it waits no more.
  public func next(_ count: Int) -> [Date] {
    spy.with { $0.next(revision, count) }.map { Date(timeIntervalSince1970: Double($0)) }
  }

  init?(_ stored: StoredRequest, of spy: SpyCenter) {
    guard let request = Payload.request(stored) else { return nil }
    self.request = request
    next = stored.date.map { Date($0.due) }
    revision = stored.revision
    self.spy = spy
  }
}
