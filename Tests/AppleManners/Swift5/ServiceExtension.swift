// SPDX-License-Identifier: Apache-2.0
import Foundation
import UserNotifications

#if canImport(UserNotificationsUI)
  import UIKit
  import UserNotificationsUI

  class NotificationViewController: UIViewController, UNNotificationContentExtension {
    func didReceive(_ notification: UNNotification) {}
  }
#endif

// The manner of an app with extensions: a notification service that adds an attachment, and a view behind canImport.
// Swift 5.

public class NotificationService: UNNotificationServiceExtension {
  var contentHandler: ((UNNotificationContent) -> Void)?
  var bestAttemptContent: UNMutableNotificationContent?

  public override func didReceive(
    _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    self.contentHandler = contentHandler
    bestAttemptContent = (request.content.mutableCopy() as? UNMutableNotificationContent)

    if let bestAttemptContent = bestAttemptContent {
      bestAttemptContent.title = "\(bestAttemptContent.title) [modified]"
      guard let aps = bestAttemptContent.userInfo["aps"] as? [String: Any],
        let encoded = aps["image"] as? String, let data = Data(base64Encoded: encoded),
        let attachment = UNNotificationAttachment.create(identifier: "image", data: data, options: nil)
      else { return contentHandler(bestAttemptContent) }
      bestAttemptContent.attachments = [attachment]
      contentHandler(bestAttemptContent)
    }
  }

  public override func serviceExtensionTimeWillExpire() {
    if let contentHandler = contentHandler, let bestAttemptContent = bestAttemptContent {
      contentHandler(bestAttemptContent)
    }
  }
}

extension UNNotificationAttachment {
  /// Writes the data into a temporary file.
  static func create(identifier: String, data: Data, options: [NSObject: AnyObject]?) -> UNNotificationAttachment? {
    let fileManager = FileManager.default
    let folder = URL(fileURLWithPath: NSTemporaryDirectory(), isDirectory: true)
      .appendingPathComponent(ProcessInfo.processInfo.globallyUniqueString, isDirectory: true)
    do {
      try fileManager.createDirectory(at: folder, withIntermediateDirectories: true, attributes: nil)
      let url = folder.appendingPathComponent(identifier + ".png")
      try data.write(to: url)
      return try UNNotificationAttachment(identifier: identifier, url: url, options: options)
    } catch let error as NSError {
      print("\(error.domain) \(error.code)")
      return nil
    }
  }
}
