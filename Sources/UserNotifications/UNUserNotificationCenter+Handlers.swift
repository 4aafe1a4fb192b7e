// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import RunningApp

/// What has the methods with completion handlers: ``UNUserNotificationCenter``.
///
/// The compiler gives a closure the isolation of its caller unless the handler is Sendable, and a class on the main
/// actor would be called on another thread. So these methods take Sendable handlers. The class itself has methods with
/// the same names whose handlers are not Sendable, and are disfavored:
/// - A call prefers these methods, unless its handler comes in a variable that is not Sendable.
/// - A protocol that the class conforms to gets the methods of the class, whether its handlers are Sendable or not,
///   because they come before those of an extension of a protocol. With both in one class, it would be ambiguous.
@_documentation(visibility: internal)
public protocol _UNCompletionHandlers: AnyObject {}

extension _UNCompletionHandlers where Self: UNUserNotificationCenter {
  /// Asks the user, if the center must: about a sandboxed app, once.
  @preconcurrency public func requestAuthorization(
    options: UNAuthorizationOptions = [], completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    Task.detached { [requests] in
      do throws(UNError) { completionHandler(try await requests.register(options), nil) } catch {
        completionHandler(false, error)
      }
    }
  }

  /// What the user decided.
  @preconcurrency public func getNotificationSettings(
    completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void
  ) {
    Task.detached { [requests] in completionHandler(await requests.settings()) }
  }

  /// The categories of the app.
  @preconcurrency public func getNotificationCategories(
    completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
  ) {
    let categories = requests.categories()
    Task.detached { completionHandler(await categories.value) }
  }

  /// Adds a request. It is on disk when the handler is called. One with the same identifier is replaced.
  @preconcurrency public func add(
    _ request: UNNotificationRequest, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    let adding = requests.add(request)
    Task.detached {
      switch await adding.value {
      case .success: completionHandler?(nil)
      case .failure(let error):
        guard let completionHandler else {
          return warn("the request '\(request.identifier)' was not added: \(error.why)")
        }
        completionHandler(error)
      }
    }
  }

  /// The requests of the app that were not delivered yet, the next one first.
  @preconcurrency public func getPendingNotificationRequests(
    completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
  ) {
    let pending = requests.pending()
    Task.detached { completionHandler(await pending.value) }
  }

  /// The notifications of the app that are on the screen or in the server's list.
  @preconcurrency public func getDeliveredNotifications(
    completionHandler: @escaping @Sendable ([UNNotification]) -> Void
  ) {
    let delivered = requests.delivered()
    Task.detached { completionHandler(await delivered.value) }
  }

  /// Sets the number on the app's launcher; 0 removes it.
  @preconcurrency public func setBadgeCount(
    _ newBadgeCount: Int, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    let setting = requests.setBadge(newBadgeCount)
    Task.detached {
      switch await setting.value {
      case .success: completionHandler?(nil)
      case .failure(let error): completionHandler?(error)
      }
    }
  }
}
