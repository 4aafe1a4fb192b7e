// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import RunningApp
internal import Synchronization

/// What an app implements to get the user's responses. Each method exists in two forms, of which a class implements
/// one: `async`, or with a completion handler, which the main thread calls.
///
/// The program's main thread must run its queue for a method with a completion handler, as `RunLoop.main.run()`,
/// `dispatchMain()` and an `async` main function do.
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
  // This module is compiled without NonisolatedNonsendingByDefault: a requirement that inherits its caller's isolation
  // would make the methods of a class on the main actor nonisolated. The handlers are Sendable, so that a class may
  // declare its own with or without, and @preconcurrency, so that it may hand on its own to another delegate.

  /// A notification is due while the program runs; returns how to show it.
  ///
  /// A program without this method counts as not in front: its notifications are shown.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions

  /// The same with a completion handler.
  @preconcurrency func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void)

  /// The user chose an action, clicked on the notification, or dismissed it.
  func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async

  /// The same with a completion handler, which must be called within 30 seconds.
  @preconcurrency func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping @Sendable () -> Void)

  /// The user wants to see the app's own settings. Nothing on Linux offers that, so it is not called.
  func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}

extension UNUserNotificationCenterDelegate {
  /// Calls the method with a completion handler on the main thread.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions {
    let delegate = OnMainThread(self)
    let options = await Answer.of("userNotificationCenter(_:willPresent:withCompletionHandler:)") { answer in
      delegate.value.userNotificationCenter(center, willPresent: notification) { answer.give($0) }
    }
    return options ?? []
  }

  /// Notes that there is no such method.
  @preconcurrency public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
  ) {
    notification.isNotPresented.store(true, ordering: .relaxed)
    completionHandler([])
  }

  /// Calls the method with a completion handler on the main thread.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {
    let delegate = OnMainThread(self)
    let answer: Void? = await Answer.of("userNotificationCenter(_:didReceive:withCompletionHandler:)") { answer in
      delegate.value.userNotificationCenter(center, didReceive: response) { answer.give(()) }
    }
    if answer == nil { response.isUnanswered.store(true, ordering: .relaxed) }
  }

  /// Does nothing but say so once: an app without this method ignores responses.
  @preconcurrency public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping @Sendable () -> Void
  ) {
    // Objective-C would find the method of a subclass whose superclass conforms; Swift does not.
    warnOnce(
      "'\(type(of: self))' ignores responses: the class that conforms to UNUserNotificationCenterDelegate has no "
        + "userNotificationCenter(_:didReceive:), and a method that only a subclass has is not found")
    completionHandler()
  }

  /// Does nothing.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
  ) {}
}
