// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
import Foundation

@testable import UserNotifications

// Uses of contents: one of each name in the tables of docs/APPLE.md, behind a comment with the
// name. They are compiled, and not run.

// ### UNNotificationContent
func useUNNotificationContent(_ content: UNNotificationContent, _ provider: any UNNotificationContentProviding) throws {
  // `UNNotificationContent`
  take(UNNotificationContent())
  // `title`
  take(content.title as Any)
  // `subtitle`
  take(content.subtitle as Any)
  // `body`
  take(content.body as Any)
  // `badge`
  take(content.badge as Any)
  // `sound`
  take(content.sound as Any)
  // `attachments`
  take(content.attachments as Any)
  // `launchImageName`
  take(content.launchImageName as Any)
  // `userInfo`
  take(content.userInfo as Any)
  // `categoryIdentifier`
  take(content.categoryIdentifier as Any)
  // `threadIdentifier`
  take(content.threadIdentifier as Any)
  // `targetContentIdentifier`
  take(content.targetContentIdentifier as Any)
  // `interruptionLevel`
  take(content.interruptionLevel as Any)
  // `relevanceScore`
  take(content.relevanceScore as Any)
  // `filterCriteria`
  take(content.filterCriteria as Any)
  // `summaryArgument`
  take(content.summaryArgument as Any)
  // `summaryArgumentCount`
  take(content.summaryArgumentCount as Any)
  // `updating(from:)`
  take(try content.updating(from: provider))
}

// ### UNMutableNotificationContent
func useUNMutableNotificationContent(_ mutable: UNMutableNotificationContent) throws {
  // `UNMutableNotificationContent`
  take(UNMutableNotificationContent())
  // `title`
  mutable.title = "T"
  // `subtitle`
  mutable.subtitle = "S"
  // `body`
  mutable.body = "B"
  // `badge`
  mutable.badge = 1
  // `sound`
  mutable.sound = .default
  // `attachments`
  mutable.attachments = []
  // `launchImageName`
  mutable.launchImageName = "L"
  // `userInfo`
  mutable.userInfo = ["a": 1]
  // `categoryIdentifier`
  mutable.categoryIdentifier = "C"
  // `threadIdentifier`
  mutable.threadIdentifier = "G"
  // `targetContentIdentifier`
  mutable.targetContentIdentifier = "X"
  // `interruptionLevel`
  mutable.interruptionLevel = .active
  // `relevanceScore`
  mutable.relevanceScore = 0.5
  // `filterCriteria`
  mutable.filterCriteria = "F"
  // `summaryArgument`
  mutable.summaryArgument = "A"
  // `summaryArgumentCount`
  mutable.summaryArgumentCount = 2
}

// ### UNNotificationSound
func useUNNotificationSound() throws {
  // `UNNotificationSound`
  take(UNNotificationSound.self)
  // `default`
  take(UNNotificationSound.default)
  // `defaultCritical`
  take(UNNotificationSound.defaultCritical)
  // `defaultRingtone`
  take(UNNotificationSound.defaultRingtone)
  // `defaultCriticalSound(withAudioVolume:)`
  take(UNNotificationSound.defaultCriticalSound(withAudioVolume: 1))
  // `criticalSoundNamed(_:)`
  take(UNNotificationSound.criticalSoundNamed(UNNotificationSoundName("a")))
  // `criticalSoundNamed(_:withAudioVolume:)`
  take(UNNotificationSound.criticalSoundNamed(UNNotificationSoundName("a"), withAudioVolume: 1))
  // `ringtoneSoundNamed(_:)`
  take(UNNotificationSound.ringtoneSoundNamed(UNNotificationSoundName("a")))
  // `init(named:)`
  take(UNNotificationSound(named: UNNotificationSoundName("a")))
  // `UNNotificationSoundName`
  take(UNNotificationSoundName(rawValue: "a").rawValue)
}

// ### UNNotificationAttachment
func useUNNotificationAttachment(_ attachment: UNNotificationAttachment) throws {
  // `UNNotificationAttachment`
  take(UNNotificationAttachment.self)
  // `init(identifier:url:options:)`
  take(try UNNotificationAttachment(identifier: "a", url: URL(fileURLWithPath: "/a.png"), options: nil))
  // `identifier`
  take(attachment.identifier)
  // `url`
  take(attachment.url)
  // `type`
  take(attachment.type)
  // `UNNotificationAttachmentOptionsTypeHintKey`
  take(UNNotificationAttachmentOptionsTypeHintKey)
  // `UNNotificationAttachmentOptionsThumbnailHiddenKey`
  take(UNNotificationAttachmentOptionsThumbnailHiddenKey)
  // `UNNotificationAttachmentOptionsThumbnailClippingRectKey`
  take(UNNotificationAttachmentOptionsThumbnailClippingRectKey)
  // `UNNotificationAttachmentOptionsThumbnailTimeKey`
  take(UNNotificationAttachmentOptionsThumbnailTimeKey)
  // `CGRect.dictionaryRepresentation`
  take(CGRect(dictionaryRepresentation: CGRect(x: 0, y: 0, width: 1, height: 1).dictionaryRepresentation) as Any)
}
