// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The methods with completion handlers for the protocols that apps write, to replace the center in tests. The handlers
/// of such a protocol are seldom Sendable, and a method with a Sendable handler would not be what it requires. Calls use
/// the other methods.
///
/// `@abi` gives each a symbol of its own: those of the other methods leave `Sendable` out.
extension UNUserNotificationCenter {
  /// Asks the user, if the center must.
  @_disfavoredOverload
  @abi(
    final func requestAuthorizationForProtocol(
      options: UNAuthorizationOptions, completionHandler: @escaping (Bool, (any Error)?) -> Void)
  )
  public final func requestAuthorization(
    options: UNAuthorizationOptions, completionHandler: @escaping (Bool, (any Error)?) -> Void
  ) {
    let handler = UncheckedHandler(completionHandler)
    requestAuthorization(options: options) { @Sendable in handler.call($0, $1) }
  }

  /// What the user decided.
  @_disfavoredOverload
  @abi(
    final func getNotificationSettingsForProtocol(completionHandler: @escaping (UNNotificationSettings) -> Void)
  )
  public final func getNotificationSettings(completionHandler: @escaping (UNNotificationSettings) -> Void) {
    let handler = UncheckedHandler(completionHandler)
    getNotificationSettings { @Sendable in handler.call($0) }
  }

  /// The categories of the app.
  @_disfavoredOverload
  @abi(
    final func getNotificationCategoriesForProtocol(
      completionHandler: @escaping (Set<UNNotificationCategory>) -> Void)
  )
  public final func getNotificationCategories(completionHandler: @escaping (Set<UNNotificationCategory>) -> Void) {
    let handler = UncheckedHandler(completionHandler)
    getNotificationCategories { @Sendable in handler.call($0) }
  }

  /// Adds a request.
  @_disfavoredOverload
  @abi(
    final func addForProtocol(
      _ request: UNNotificationRequest, withCompletionHandler completionHandler: (((any Error)?) -> Void)?)
  )
  public final func add(
    _ request: UNNotificationRequest, withCompletionHandler completionHandler: (((any Error)?) -> Void)?
  ) {
    let handler = completionHandler.map { UncheckedHandler($0) }
    add(request, withCompletionHandler: handler.map { handler in { @Sendable in handler.call($0) } })
  }

  /// The requests of the app that were not delivered yet.
  @_disfavoredOverload
  @abi(
    final func getPendingNotificationRequestsForProtocol(
      completionHandler: @escaping ([UNNotificationRequest]) -> Void)
  )
  public final func getPendingNotificationRequests(completionHandler: @escaping ([UNNotificationRequest]) -> Void) {
    let handler = UncheckedHandler(completionHandler)
    getPendingNotificationRequests { @Sendable in handler.call($0) }
  }

  /// The notifications of the app that are on the screen or in the server's list.
  @_disfavoredOverload
  @abi(
    final func getDeliveredNotificationsForProtocol(completionHandler: @escaping ([UNNotification]) -> Void)
  )
  public final func getDeliveredNotifications(completionHandler: @escaping ([UNNotification]) -> Void) {
    let handler = UncheckedHandler(completionHandler)
    getDeliveredNotifications { @Sendable in handler.call($0) }
  }

  /// Sets the number on the app's launcher.
  @_disfavoredOverload
  @abi(
    final func setBadgeCountForProtocol(
      _ newBadgeCount: Int, withCompletionHandler completionHandler: (((any Error)?) -> Void)?)
  )
  public final func setBadgeCount(
    _ newBadgeCount: Int, withCompletionHandler completionHandler: (((any Error)?) -> Void)?
  ) {
    let handler = completionHandler.map { UncheckedHandler($0) }
    setBadgeCount(newBadgeCount, withCompletionHandler: handler.map { handler in { @Sendable in handler.call($0) } })
  }
}

/// A handler that is called on another thread than that of its caller. Its type does not say that it may be, as in all
/// code from before Sendable.
private struct UncheckedHandler<each Value>: @unchecked Sendable {
  private let handler: (repeat each Value) -> Void

  init(_ handler: @escaping (repeat each Value) -> Void) { self.handler = handler }

  func call(_ values: repeat each Value) { handler(repeat each values) }
}
