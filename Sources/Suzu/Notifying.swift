// SPDX-License-Identifier: Apache-2.0
public import CenterClient
public import FoundationEssentials
public import NotificationModel

/// What a program can ask for. ``Center`` does it for programs without an app of their own, ``NotifyingApp`` for an
/// app; a test may put something else in their place. The conveniences are extensions of this protocol.
public protocol Notifying: Sendable {
  /// The app that owns the requests.
  var app: AppID { get }

  /// Submits a request and returns its id. The center has stored it by then. A request with the id of another one of
  /// the app replaces it.
  @discardableResult
  func notify(_ request: NotificationRequest) async throws(SuzuError) -> RequestID

  /// Submits several requests, all or none, and returns their ids in the same order.
  @discardableResult
  func notify(_ requests: [NotificationRequest]) async throws(SuzuError) -> [RequestID]

  /// Cancels requests of the app that are not shown yet; returns how many there were.
  @discardableResult
  func cancel(_ ids: [RequestID]) async throws(SuzuError) -> Int

  /// Cancels all requests of the app that are not shown yet; returns how many there were.
  @discardableResult
  func cancelAll() async throws(SuzuError) -> Int

  /// Closes notifications of the app, on the screen and in the list of the desktop; returns how many there were.
  @discardableResult
  func dismiss(_ ids: [RequestID]) async throws(SuzuError) -> Int

  /// Closes all notifications of the app; returns how many there were.
  @discardableResult
  func dismissAll() async throws(SuzuError) -> Int

  /// Ends notifications that the user has acknowledged elsewhere: on the screen, or shown again until they are
  /// answered. Returns of how many requests.
  @discardableResult
  func acknowledge(_ ids: [RequestID]) async throws(SuzuError) -> Int

  /// One page of a listing: at most `limit` rows behind the cursor, which an earlier page had; nil for the first page.
  /// ``pendingRequests(search:)`` and its companions read page after page.
  func rows(
    of listing: Listing, _ filter: ListingFilter, after cursor: ListingCursor?, limit: Int
  ) async throws(SuzuError) -> ListedPage

  /// The next dates of a request, without submitting it; none for one that waits for a condition.
  func nextDates(of request: NotificationRequest, count: Int) async throws(SuzuError) -> [Date]

  /// Replaces all categories of the app. They persist after the program ends.
  func setCategories(_ categories: [Category]) async throws(SuzuError)

  /// The categories that requests of the app may use.
  func usableCategories() async throws(SuzuError) -> [RegisteredCategory]

  /// Asks for ways in which the app may notify the user; returns the allowed ones. Unless the app is trusted the user
  /// is asked, once, and this waits for the answer.
  @discardableResult
  func register(for kinds: Set<NoticeKind>) async throws(SuzuError) -> Set<NoticeKind>

  /// The ways in which the app may notify the user.
  func settings() async throws(SuzuError) -> AppSettings

  /// Acts as if the user had pressed a button.
  func respond(to id: RequestID, with action: String, reply: String?) async throws(SuzuError)
}

/// The listings of the center.
public enum Listing: String, Hashable, Sendable, CaseIterable {
  /// Requests that are not shown yet, the next one first.
  case pending
  /// Notifications on the screen or in the list of the desktop, the latest first.
  case delivered
  /// Past dates, the latest first.
  case history
}
