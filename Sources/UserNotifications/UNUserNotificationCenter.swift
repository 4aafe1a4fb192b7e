// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import NotificationModel
internal import RunningApp

/// The notifications of this program.
///
/// Requests are kept by the center of notifications, which shows them also after the program has ended. What a class
/// with this name does on Apple's systems and what differs here is in `docs/APPLE.md`.
///
/// Calls are carried out in the order in which they are made, also if the task that made them is cancelled. Completion
/// handlers are called on a thread of their own.
open class UNUserNotificationCenter: NSObject, _UNCompletionHandlers, @unchecked Sendable {
  // @unchecked: the properties are constants and Sendable; NSObject is not.
  // The methods with handlers that are not Sendable are for handlers in variables, and for the protocols that apps
  // write to replace the center in tests. Other calls use those of UNUserNotificationCenter+Handlers.

  let requests: RequestCalls
  let delivery: ResponseDelivery

  private static let shared = UNUserNotificationCenter(.current)

  init(_ app: RunningApp) {
    requests = RequestCalls(app)
    delivery = ResponseDelivery(app)
    super.init()
    delivery.center = self
  }

  /// The center of this program.
  open class func current() -> UNUserNotificationCenter { shared }

  /// The id of the app that this program is: that of its desktop entry, such as `org.example.Tea`. Set it before
  /// anything else. Apple's system takes it from the bundle, and so does this one if there is a bundle with an
  /// identifier.
  ///
  /// Without either, it is the variable `SUZU_APP_ID` of the environment or, with a warning, the name of the program.
  public static var appIdentifier: String {
    get { AppIdentity.current.id.text }
    set { AppIdentity.current.choose(newValue) }
  }

  /// What gets the responses of the user; it is not retained.
  ///
  /// The program is the app's handler from the first delegate on. Responses that came before wait for it.
  open var delegate: (any UNUserNotificationCenterDelegate)? {
    get { delivery.delegate }
    set { delivery.delegate = newValue }
  }

  /// Makes the extension that changes the content of messages from a server; nil if the program has none. Not of Apple,
  /// whose system finds it in the bundle.
  ///
  /// A push to the app with `mutable-content: 1` is handed to a new extension before it is shown, and so is a request
  /// of the program itself to be shown now whose `userInfo` has `["aps": ["mutable-content": 1]]`: `add` waits for it,
  /// 30 seconds at most. Other requests do not wait.
  open var serviceExtension: (@Sendable () -> UNNotificationServiceExtension)? {
    get { requests.serviceExtension }
    set {
      requests.serviceExtension = newValue
      delivery.setPushChange(newValue == nil ? nil : requests.change)
    }
  }

  /// False: a server draws notifications in its own way.
  open var supportsContentExtensions: Bool { false }

  // MARK: The permission

  /// Asks the user, if the center must: about a sandboxed app, once.
  @discardableResult open func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
    try await Task.detached { [requests] in try await requests.register(options) }.value
  }

  /// Asks the user, if the center must: about a sandboxed app, once.
  @_disfavoredOverload
  open func requestAuthorization(
    options: UNAuthorizationOptions = [], completionHandler: @escaping (Bool, (any Error)?) -> Void
  ) {
    let handler = UncheckedHandler(completionHandler)
    requestAuthorization(options: options) { @Sendable in handler.call($0, $1) }
  }

  /// What the user decided.
  @discardableResult open func notificationSettings() async -> UNNotificationSettings {
    await Task.detached { [requests] in await requests.settings() }.value
  }

  /// What the user decided.
  @_disfavoredOverload
  open func getNotificationSettings(
    completionHandler: @escaping (UNNotificationSettings) -> Void
  ) {
    let handler = UncheckedHandler(completionHandler)
    getNotificationSettings { @Sendable in handler.call($0) }
  }

  // MARK: Categories

  /// Replaces all categories of the app. The center keeps them.
  open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) { requests.setCategories(categories) }

  /// The categories of the app.
  @discardableResult open func notificationCategories() async -> Set<UNNotificationCategory> {
    await requests.categories().value
  }

  /// The categories of the app.
  @_disfavoredOverload
  open func getNotificationCategories(
    completionHandler: @escaping (Set<UNNotificationCategory>) -> Void
  ) {
    let handler = UncheckedHandler(completionHandler)
    getNotificationCategories { @Sendable in handler.call($0) }
  }

  // MARK: Requests

  /// Adds a request. It is on disk when this returns. One with the same identifier is replaced.
  open func add(_ request: UNNotificationRequest) async throws { try await requests.add(request).value.get() }

  /// Adds a request. It is on disk when the handler is called. One with the same identifier is replaced.
  @_disfavoredOverload
  open func add(
    _ request: UNNotificationRequest, withCompletionHandler completionHandler: (((any Error)?) -> Void)?
  ) {
    let handler = completionHandler.map { UncheckedHandler($0) }
    add(request, withCompletionHandler: handler.map { handler in { @Sendable in handler.call($0) } })
  }

  /// The requests of the app that were not delivered yet, the next one first.
  @discardableResult open func pendingNotificationRequests() async -> [UNNotificationRequest] {
    await requests.pending().value
  }

  /// The requests of the app that were not delivered yet, the next one first.
  @_disfavoredOverload
  open func getPendingNotificationRequests(
    completionHandler: @escaping ([UNNotificationRequest]) -> Void
  ) {
    let handler = UncheckedHandler(completionHandler)
    getPendingNotificationRequests { @Sendable in handler.call($0) }
  }

  /// Removes requests of the app that were not delivered yet.
  open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
    requests.removePending(identifiers)
  }

  /// Removes all requests of the app that were not delivered yet.
  open func removeAllPendingNotificationRequests() { requests.removePending(nil) }

  // MARK: Delivered notifications

  /// The notifications of the app that are on the screen or in the server's list.
  @discardableResult open func deliveredNotifications() async -> [UNNotification] { await requests.delivered().value }

  /// The notifications of the app that are on the screen or in the server's list.
  @_disfavoredOverload
  open func getDeliveredNotifications(
    completionHandler: @escaping ([UNNotification]) -> Void
  ) {
    let handler = UncheckedHandler(completionHandler)
    getDeliveredNotifications { @Sendable in handler.call($0) }
  }

  /// Removes notifications of the app from the screen.
  open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
    requests.removeDelivered(identifiers)
  }

  /// Removes all notifications of the app from the screen.
  open func removeAllDeliveredNotifications() { requests.removeDelivered(nil) }

  // MARK: The badge

  /// Sets the number on the app's launcher; 0 removes it.
  open func setBadgeCount(_ newBadgeCount: Int) async throws { try await requests.setBadge(newBadgeCount).value.get() }

  /// Sets the number on the app's launcher; 0 removes it.
  @_disfavoredOverload
  open func setBadgeCount(
    _ newBadgeCount: Int, withCompletionHandler completionHandler: (((any Error)?) -> Void)?
  ) {
    let handler = completionHandler.map { UncheckedHandler($0) }
    setBadgeCount(newBadgeCount, withCompletionHandler: handler.map { handler in { @Sendable in handler.call($0) } })
  }
}

/// A handler that is called on another thread than that of its caller. Its type does not say that it may be, as in all
/// code from before Sendable. @unchecked: its caller leaves the thread to this library.
private struct UncheckedHandler<each Value>: @unchecked Sendable {
  private let handler: (repeat each Value) -> Void

  init(_ handler: @escaping (repeat each Value) -> Void) { self.handler = handler }

  func call(_ values: repeat each Value) { handler(repeat each values) }
}
