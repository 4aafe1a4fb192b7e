// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
import Foundation

@testable import UserNotifications

// Uses of errors, extensions and what all classes have: one of each name in the tables of docs/APPLE.md, behind a
// comment with the name. They are compiled, and not run.

// ### UNError
func useUNError() throws {
  // `UNError`
  take(UNError.self)
  // `UNErrorDomain`
  take(UNErrorDomain)
  // `errorDomain`
  take(UNError.errorDomain)
  // `code`
  take(UNError(.notificationsNotAllowed).code)
  // `UNError.Code`
  take(UNError.Code.self)
  // `notificationsNotAllowed`
  take(UNError.notificationsNotAllowed)
  // `attachmentInvalidURL`
  take(UNError.attachmentInvalidURL)
  // `attachmentUnrecognizedType`
  take(UNError.attachmentUnrecognizedType)
  // `attachmentInvalidFileSize`
  take(UNError.attachmentInvalidFileSize)
  // `attachmentNotInDataStore`
  take(UNError.attachmentNotInDataStore)
  // `attachmentMoveIntoDataStoreFailed`
  take(UNError.attachmentMoveIntoDataStoreFailed)
  // `attachmentCorrupt`
  take(UNError.attachmentCorrupt)
  // `notificationInvalidNoDate`
  take(UNError.notificationInvalidNoDate)
  // `notificationInvalidNoContent`
  take(UNError.notificationInvalidNoContent)
  // `contentProvidingObjectNotAllowed`
  take(UNError.contentProvidingObjectNotAllowed)
  // `contentProvidingInvalid`
  take(UNError.contentProvidingInvalid)
  // `badgeInputInvalid`
  take(UNError.badgeInputInvalid)
}

// ### Others
func useOthers(_ request: UNNotificationRequest) throws {
  // `UNNotificationServiceExtension`
  take(UNNotificationServiceExtension.self)
  // `didReceive(_:withContentHandler:)`
  UNNotificationServiceExtension().didReceive(request) { take($0) }
  // `serviceExtensionTimeWillExpire()`
  UNNotificationServiceExtension().serviceExtensionTimeWillExpire()
  // `UNNotificationContentProviding`
  take((any UNNotificationContentProviding).self)
  // `localizedUserNotificationString(forKey:arguments:)`
  take(NSString.localizedUserNotificationString(forKey: "a", arguments: nil))
}

// ### All classes
func useAllClasses(_ content: UNNotificationContent, _ coder: NSCoder) throws {
  // `isEqual(_:)`
  take(content.isEqual(content) && content == content)
  // `copy()`
  take(content.copy())
  // `mutableCopy()`
  take(content.mutableCopy())
  // `NSSecureCoding`
  take(try NSKeyedArchiver.archivedData(withRootObject: content, requiringSecureCoding: true))
  // `init(coder:)`
  take(UNNotificationSettings(coder: coder) as Any)
}
