// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Changes the content of a message from a server before it is shown.
///
/// Apple's system starts it for a push. Here the program runs it: it gives the center a closure that makes one. That is
/// called for pushes to the app with `mutable-content: 1`, and for requests of the program itself whose `userInfo` is
/// such a payload.
///
///     final class NotificationService: UNNotificationServiceExtension {
///       override func didReceive(
///         _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
///       ) {
///         let content = UNMutableNotificationContent()
///         content.title = request.content.title
///         content.body = request.content.userInfo["text"] as? String ?? ""
///         contentHandler(content)
///       }
///     }
///     let center = UNUserNotificationCenter.current()
///     center.serviceExtension = { NotificationService() }
///     let content = UNMutableNotificationContent()
///     content.title = "New message"
///     content.userInfo = ["aps": ["mutable-content": 1], "text": "Lunch?"]
///     try await center.add(UNNotificationRequest(identifier: "message-7", content: content, trigger: nil))
///
/// Each such request gets an extension of its own, on a thread that is not the main one, and is added with the content
/// that it hands back. See ``UNUserNotificationCenter/serviceExtension``.
open class UNNotificationServiceExtension: NSObject {
  /// Creates an extension.
  public override init() { super.init() }

  /// Gets a request, and hands back the content to show, within 30 seconds. Unless it is overridden, the content stays
  /// as it is.
  open func didReceive(
    _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    contentHandler(request.content)
  }

  /// The time for the change is over: what is handed back before this returns still counts.
  open func serviceExtensionTimeWillExpire() {}
}
