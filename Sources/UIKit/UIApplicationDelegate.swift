// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import RunningApp
internal import Synchronization

/// The result of fetching the data that a notification announced.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum UIBackgroundFetchResult: UInt, Sendable {
  /// There were new ones.
  case newData
  /// There were none.
  case noData
  /// They could not be had.
  case failed
}

/// What an app implements to follow its life and its notifications. The main thread calls all methods.
///
/// A class that is marked with `@main` and conforms to this protocol is the app: see ``UIApplicationMain(_:_:_:_:)``.
@preconcurrency @MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
  // MARK: Life

  /// The app is about to start.
  func application(
    _ application: UIApplication, willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
  /// The app has started. The options have the notification whose click has started it.
  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
  /// The app has started, in the oldest form.
  func applicationDidFinishLaunching(_ application: UIApplication)
  /// The app is used: called once, after it has started.
  func applicationDidBecomeActive(_ application: UIApplication)
  /// Not called: windows are not known.
  func applicationWillResignActive(_ application: UIApplication)
  /// Not called: windows are not known.
  func applicationDidEnterBackground(_ application: UIApplication)
  /// Not called: windows are not known.
  func applicationWillEnterForeground(_ application: UIApplication)
  /// The app was asked to end, by SIGTERM or SIGINT.
  func applicationWillTerminate(_ application: UIApplication)

  // MARK: Notifications

  /// The user has decided on what the app asked for.
  func application(_ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings)
  /// The user clicked on a notification, or one is due while the app runs.
  func application(_ application: UIApplication, didReceive notification: UILocalNotification)
  /// The user chose an action of a notification.
  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    for notification: UILocalNotification, completionHandler: @escaping @Sendable () -> Void)
  /// The user chose an action of a notification, and may have typed a text:
  /// ``UIUserNotificationActionResponseTypedTextKey``.
  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    for notification: UILocalNotification, withResponseInfo responseInfo: [AnyHashable: Any],
    completionHandler: @escaping @Sendable () -> Void)
  /// The same without a handler.
  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?, for notification: UILocalNotification,
    withResponseInfo responseInfo: sending [AnyHashable: Any]
  ) async
  /// The same without a handler.
  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?, for notification: UILocalNotification
  ) async

  // MARK: Remote notifications

  /// The user chose an action of a notification that came as a push.
  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    forRemoteNotification userInfo: [AnyHashable: Any], completionHandler: @escaping @Sendable () -> Void)
  /// The same, if the user may have typed a text: ``UIUserNotificationActionResponseTypedTextKey``.
  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    forRemoteNotification userInfo: [AnyHashable: Any], withResponseInfo responseInfo: [AnyHashable: Any],
    completionHandler: @escaping @Sendable () -> Void)
  /// The user clicked on a notification that came as a push, or a push came that is not shown.
  func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any])
  /// The same, with a handler that must be called within 30 seconds.
  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void)
  /// Not called.
  func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
  /// Called for each registration: there is no push service.
  func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)
  /// Not called: a program of Linux fetches when it wants to.
  func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void)

  /// Not called: the desktop opens URLs with programs that their desktop entries name.
  func application(
    _ application: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
  ) -> Bool
}

extension UIApplicationDelegate {
  /// Starts the app.
  public func application(
    _ application: UIApplication, willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }
  /// Calls the oldest form.
  public func application(
    _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    applicationDidFinishLaunching(application)
    return true
  }
  /// Does nothing.
  public func applicationDidFinishLaunching(_ application: UIApplication) {}
  /// Does nothing.
  public func applicationDidBecomeActive(_ application: UIApplication) {}
  /// Does nothing.
  public func applicationWillResignActive(_ application: UIApplication) {}
  /// Does nothing.
  public func applicationDidEnterBackground(_ application: UIApplication) {}
  /// Does nothing.
  public func applicationWillEnterForeground(_ application: UIApplication) {}
  /// Does nothing.
  public func applicationWillTerminate(_ application: UIApplication) {}
  /// Does nothing.
  public func application(
    _ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings
  ) {}
  /// Does nothing.
  public func application(_ application: UIApplication, didReceive notification: UILocalNotification) {}
  /// Does nothing.
  public func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    for notification: UILocalNotification, completionHandler: @escaping @Sendable () -> Void
  ) {
    notification.isUnhandled.store(true, ordering: .relaxed)
    completionHandler()
  }
  /// Calls the form without the text.
  public func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    for notification: UILocalNotification, withResponseInfo responseInfo: [AnyHashable: Any],
    completionHandler: @escaping @Sendable () -> Void
  ) {
    self.application(
      application, handleActionWithIdentifier: identifier, for: notification, completionHandler: completionHandler)
  }
  /// Calls the form with a handler.
  public func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?, for notification: UILocalNotification,
    withResponseInfo responseInfo: sending [AnyHashable: Any]
  ) async {
    await wait(notification) { handler in
      self.application(
        application, handleActionWithIdentifier: identifier, for: notification, withResponseInfo: responseInfo,
        completionHandler: handler)
    }
  }
  /// Calls the form with a handler.
  public func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?, for notification: UILocalNotification
  ) async {
    await wait(notification) { handler in
      self.application(
        application, handleActionWithIdentifier: identifier, for: notification, completionHandler: handler)
    }
  }
  /// Does nothing.
  public func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    forRemoteNotification userInfo: [AnyHashable: Any], completionHandler: @escaping @Sendable () -> Void
  ) { completionHandler() }
  /// Calls the form without the text.
  public func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    forRemoteNotification userInfo: [AnyHashable: Any], withResponseInfo responseInfo: [AnyHashable: Any],
    completionHandler: @escaping @Sendable () -> Void
  ) {
    self.application(
      application, handleActionWithIdentifier: identifier, forRemoteNotification: userInfo,
      completionHandler: completionHandler)
  }
  /// Does nothing.
  public func application(_ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]) {}
  /// Calls the form without a handler.
  public func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void
  ) {
    self.application(application, didReceiveRemoteNotification: userInfo)
    completionHandler(.noData)
  }
  /// Does nothing.
  public func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) {}
  /// Does nothing.
  public func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) {}
  /// Does nothing.
  public func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler: @escaping @Sendable (UIBackgroundFetchResult) -> Void
  ) { completionHandler(.noData) }
  /// Does nothing.
  public func application(
    _ application: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
  ) -> Bool { false }
}

extension UIApplicationDelegate {
  /// Waits for the handler of a call about a notification, or for its release.
  private func wait(
    _ notification: UILocalNotification, _ call: @escaping @MainActor (@escaping @Sendable () -> Void) -> Void
  ) async {
    let answer: Void? = await Answer.of("application(_:handleActionWithIdentifier:…completionHandler:)") { answer in
      call { answer.give(()) }
    }
    if answer == nil { notification.isUnanswered.store(true, ordering: .relaxed) }
  }
}
