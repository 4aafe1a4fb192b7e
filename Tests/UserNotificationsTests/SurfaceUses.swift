// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
import CoreLocation
import Foundation
import UIKit
@testable import UserNotifications

// One use of each name in the tables of docs/APPLE.md, behind a comment with the name. It is compiled, and not run.

private func take<Value>(_ value: Value) {}

// ### UNUserNotificationCenter
func use1(_ center: UNUserNotificationCenter, _ delegate: any UNUserNotificationCenterDelegate & Sendable, _ request: UNNotificationRequest, _ content: UNNotificationContent, _ mutable: UNMutableNotificationContent, _ category: UNNotificationCategory, _ action: UNNotificationAction, _ notification: UNNotification, _ response: UNNotificationResponse, _ settings: UNNotificationSettings, _ attachment: UNNotificationAttachment, _ provider: any UNNotificationContentProviding, _ circle: CLCircularRegion) async throws {
  // `UNUserNotificationCenter`
  take(UNUserNotificationCenter.self)
  // `current()`
  let current = UNUserNotificationCenter.current()
  take(current)
  // `delegate`
  take(center.delegate as Any)
  // `supportsContentExtensions`
  take(center.supportsContentExtensions)
  // `requestAuthorization(options:completionHandler:)`
  center.requestAuthorization(options: [.alert]) { granted, error in take((granted, error as Any)) }
  // `requestAuthorization(options:) async`
  take(try await center.requestAuthorization(options: [.alert]))
  // `setNotificationCategories(_:)`
  center.setNotificationCategories([category])
  // `getNotificationCategories(completionHandler:)`
  center.getNotificationCategories { take($0) }
  // `notificationCategories() async`
  take(await center.notificationCategories())
  // `getNotificationSettings(completionHandler:)`
  center.getNotificationSettings { take($0) }
  // `notificationSettings() async`
  take(await center.notificationSettings())
  // `add(_:withCompletionHandler:)`
  center.add(request) { take($0 as Any) }
  // `add(_:) async`
  try await center.add(request)
  // `getPendingNotificationRequests(completionHandler:)`
  center.getPendingNotificationRequests { take($0) }
  // `pendingNotificationRequests() async`
  take(await center.pendingNotificationRequests())
  // `removePendingNotificationRequests(withIdentifiers:)`
  center.removePendingNotificationRequests(withIdentifiers: ["a"])
  // `removeAllPendingNotificationRequests()`
  center.removeAllPendingNotificationRequests()
  // `getDeliveredNotifications(completionHandler:)`
  center.getDeliveredNotifications { take($0) }
  // `deliveredNotifications() async`
  take(await center.deliveredNotifications())
  // `removeDeliveredNotifications(withIdentifiers:)`
  center.removeDeliveredNotifications(withIdentifiers: ["a"])
  // `removeAllDeliveredNotifications()`
  center.removeAllDeliveredNotifications()
  // `setBadgeCount(_:withCompletionHandler:)`
  center.setBadgeCount(1) { take($0 as Any) }
  // `setBadgeCount(_:) async`
  try await center.setBadgeCount(1)
  // `appIdentifier`
  take(UNUserNotificationCenter.appIdentifier)
}

// ### UNUserNotificationCenterDelegate
func use2(_ center: UNUserNotificationCenter, _ delegate: any UNUserNotificationCenterDelegate & Sendable, _ request: UNNotificationRequest, _ content: UNNotificationContent, _ mutable: UNMutableNotificationContent, _ category: UNNotificationCategory, _ action: UNNotificationAction, _ notification: UNNotification, _ response: UNNotificationResponse, _ settings: UNNotificationSettings, _ attachment: UNNotificationAttachment, _ provider: any UNNotificationContentProviding, _ circle: CLCircularRegion) async throws {
  // `UNUserNotificationCenterDelegate`
  take((any UNUserNotificationCenterDelegate).self)
  // `userNotificationCenter(_:willPresent:withCompletionHandler:)`
  delegate.userNotificationCenter(center, willPresent: notification) { take($0) }
  // `userNotificationCenter(_:willPresent:) async`
  take(await delegate.userNotificationCenter(center, willPresent: notification))
  // `userNotificationCenter(_:didReceive:withCompletionHandler:)`
  delegate.userNotificationCenter(center, didReceive: response) {}
  // `userNotificationCenter(_:didReceive:) async`
  await delegate.userNotificationCenter(center, didReceive: response)
  // `userNotificationCenter(_:openSettingsFor:)`
  delegate.userNotificationCenter(center, openSettingsFor: nil)
}

// ### UNNotificationRequest
func use3(_ center: UNUserNotificationCenter, _ delegate: any UNUserNotificationCenterDelegate & Sendable, _ request: UNNotificationRequest, _ content: UNNotificationContent, _ mutable: UNMutableNotificationContent, _ category: UNNotificationCategory, _ action: UNNotificationAction, _ notification: UNNotification, _ response: UNNotificationResponse, _ settings: UNNotificationSettings, _ attachment: UNNotificationAttachment, _ provider: any UNNotificationContentProviding, _ circle: CLCircularRegion) async throws {
  // `UNNotificationRequest`
  take(UNNotificationRequest.self)
  // `init(identifier:content:trigger:)`
  take(UNNotificationRequest(identifier: "a", content: content, trigger: nil))
  // `identifier`
  take(request.identifier)
  // `content`
  take(request.content)
  // `trigger`
  take(request.trigger as Any)
}

// ### UNNotificationContent
func use4(_ center: UNUserNotificationCenter, _ delegate: any UNUserNotificationCenterDelegate & Sendable, _ request: UNNotificationRequest, _ content: UNNotificationContent, _ mutable: UNMutableNotificationContent, _ category: UNNotificationCategory, _ action: UNNotificationAction, _ notification: UNNotification, _ response: UNNotificationResponse, _ settings: UNNotificationSettings, _ attachment: UNNotificationAttachment, _ provider: any UNNotificationContentProviding, _ circle: CLCircularRegion) async throws {
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
func use5(_ center: UNUserNotificationCenter, _ delegate: any UNUserNotificationCenterDelegate & Sendable, _ request: UNNotificationRequest, _ content: UNNotificationContent, _ mutable: UNMutableNotificationContent, _ category: UNNotificationCategory, _ action: UNNotificationAction, _ notification: UNNotification, _ response: UNNotificationResponse, _ settings: UNNotificationSettings, _ attachment: UNNotificationAttachment, _ provider: any UNNotificationContentProviding, _ circle: CLCircularRegion) async throws {
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
func use6(_ center: UNUserNotificationCenter, _ delegate: any UNUserNotificationCenterDelegate & Sendable, _ request: UNNotificationRequest, _ content: UNNotificationContent, _ mutable: UNMutableNotificationContent, _ category: UNNotificationCategory, _ action: UNNotificationAction, _ notification: UNNotification, _ response: UNNotificationResponse, _ settings: UNNotificationSettings, _ attachment: UNNotificationAttachment, _ provider: any UNNotificationContentProviding, _ circle: CLCircularRegion) async throws {
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
func use7(_ center: UNUserNotificationCenter, _ delegate: any UNUserNotificationCenterDelegate & Sendable, _ request: UNNotificationRequest, _ content: UNNotificationContent, _ mutable: UNMutableNotificationContent, _ category: UNNotificationCategory, _ action: UNNotificationAction, _ notification: UNNotification, _ response: UNNotificationResponse, _ settings: UNNotificationSettings, _ attachment: UNNotificationAttachment, _ provider: any UNNotificationContentProviding, _ circle: CLCircularRegion) async throws {
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

// ### Triggers
func use8(_ center: UNUserNotificationCenter, _ delegate: any UNUserNotificationCenterDelegate & Sendable, _ request: UNNotificationRequest, _ content: UNNotificationContent, _ mutable: UNMutableNotificationContent, _ category: UNNotificationCategory, _ action: UNNotificationAction, _ notification: UNNotification, _ response: UNNotificationResponse, _ settings: UNNotificationSettings, _ attachment: UNNotificationAttachment, _ provider: any UNNotificationContentProviding, _ circle: CLCircularRegion) async throws {
  // `UNNotificationTrigger`
  take(UNNotificationTrigger.self)
  // `repeats`
  take(request.trigger?.repeats as Any)
  // `UNPushNotificationTrigger`
  take(UNPushNotificationTrigger.self)
  // `UNTimeIntervalNotificationTrigger`
  take(UNTimeIntervalNotificationTrigger.self)
  // `UNTimeIntervalNotificationTrigger.init(timeInterval:repeats:)`
  let interval = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true)
  // `timeInterval`
  take(interval.timeInterval)
  // `UNTimeIntervalNotificationTrigger.nextTriggerDate()`
  take(interval.nextTriggerDate() as Any)
  // `UNCalendarNotificationTrigger`
  take(UNCalendarNotificationTrigger.self)
  // `init(dateMatching:repeats:)`
  let calendar = UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 7), repeats: true)
  // `dateComponents`
  take(calendar.dateComponents)
  // `UNCalendarNotificationTrigger.nextTriggerDate()`
  take(calendar.nextTriggerDate() as Any)
  // `UNLocationNotificationTrigger`
  take(UNLocationNotificationTrigger.self)
  // `init(region:repeats:)`
  let location = UNLocationNotificationTrigger(region: circle, repeats: false)
  // `region`
  take(location.region)
}

// ### UNNotificationCategory
func use9(_ center: UNUserNotificationCenter, _ delegate: any UNUserNotificationCenterDelegate & Sendable, _ request: UNNotificationRequest, _ content: UNNotificationContent, _ mutable: UNMutableNotificationContent, _ category: UNNotificationCategory, _ action: UNNotificationAction, _ notification: UNNotification, _ response: UNNotificationResponse, _ settings: UNNotificationSettings, _ attachment: UNNotificationAttachment, _ provider: any UNNotificationContentProviding, _ circle: CLCircularRegion) async throws {
  // `UNNotificationCategory`
  take(UNNotificationCategory.self)
  // `init(identifier:actions:intentIdentifiers:options:)`
  take(UNNotificationCategory(identifier: "a", actions: [], intentIdentifiers: [], options: []))
  // `init(identifier:actions:intentIdentifiers:hiddenPreviewsBodyPlaceholder:options:)`
  take(UNNotificationCategory(identifier: "a", actions: [], intentIdentifiers: [], hiddenPreviewsBodyPlaceholder: "", options: []))
  // `init(identifier:actions:intentIdentifiers:hiddenPreviewsBodyPlaceholder:categorySummaryFormat:options:)`
  take(UNNotificationCategory(identifier: "a", actions: [], intentIdentifiers: [], hiddenPreviewsBodyPlaceholder: nil, categorySummaryFormat: nil, options: []))
  // `identifier`
  take(category.identifier)
  // `actions`
  take(category.actions)
  // `intentIdentifiers`
  take(category.intentIdentifiers)
  // `hiddenPreviewsBodyPlaceholder`
  take(category.hiddenPreviewsBodyPlaceholder)
  // `categorySummaryFormat`
  take(category.categorySummaryFormat)
  // `options`
  take(category.options)
  // `UNNotificationCategoryOptions`
  take(UNNotificationCategoryOptions.self)
  // `customDismissAction`
  take(UNNotificationCategoryOptions.customDismissAction)
  // `allowInCarPlay`
  take(UNNotificationCategoryOptions.allowInCarPlay)
  // `hiddenPreviewsShowTitle`
  take(UNNotificationCategoryOptions.hiddenPreviewsShowTitle)
  // `hiddenPreviewsShowSubtitle`
  take(UNNotificationCategoryOptions.hiddenPreviewsShowSubtitle)
  // `allowAnnouncement`
  take(UNNotificationCategoryOptions.allowAnnouncement)
}

// ### UNNotificationAction
func use10(_ center: UNUserNotificationCenter, _ delegate: any UNUserNotificationCenterDelegate & Sendable, _ request: UNNotificationRequest, _ content: UNNotificationContent, _ mutable: UNMutableNotificationContent, _ category: UNNotificationCategory, _ action: UNNotificationAction, _ notification: UNNotification, _ response: UNNotificationResponse, _ settings: UNNotificationSettings, _ attachment: UNNotificationAttachment, _ provider: any UNNotificationContentProviding, _ circle: CLCircularRegion) async throws {
  // `UNNotificationAction`
  take(UNNotificationAction.self)
  // `init(identifier:title:options:)`
  take(UNNotificationAction(identifier: "a", title: "A", options: []))
  // `init(identifier:title:options:icon:)`
  take(UNNotificationAction(identifier: "a", title: "A", options: [], icon: nil))
  // `identifier`
  take(action.identifier)
  // `title`
  take(action.title)
  // `options`
  take(action.options)
  // `icon`
  take(action.icon as Any)
  // `UNNotificationActionOptions`
  take(UNNotificationActionOptions.self)
  // `authenticationRequired`
  take(UNNotificationActionOptions.authenticationRequired)
  // `destructive`
  take(UNNotificationActionOptions.destructive)
  // `foreground`
  take(UNNotificationActionOptions.foreground)
  // `UNTextInputNotificationAction`
  take(UNTextInputNotificationAction.self)
  // `UNTextInputNotificationAction.init(identifier:title:options:)`
  take(UNTextInputNotificationAction(identifier: "a", title: "A", options: []))
  // `init(identifier:title:options:textInputButtonTitle:textInputPlaceholder:)`
  take(UNTextInputNotificationAction(identifier: "a", title: "A", options: [], textInputButtonTitle: "B", textInputPlaceholder: "C"))
  // `init(identifier:title:options:icon:textInputButtonTitle:textInputPlaceholder:)`
  let input = UNTextInputNotificationAction(identifier: "a", title: "A", options: [], icon: nil, textInputButtonTitle: "B", textInputPlaceholder: "C")
  // `textInputButtonTitle`
  take(input.textInputButtonTitle)
  // `textInputPlaceholder`
  take(input.textInputPlaceholder)
  // `UNNotificationActionIcon`
  take(UNNotificationActionIcon.self)
  // `init(templateImageName:)`
  take(UNNotificationActionIcon(templateImageName: "a"))
  // `init(systemImageName:)`
  take(UNNotificationActionIcon(systemImageName: "trash"))
}

// ### UNNotification and UNNotificationResponse
func use11(_ center: UNUserNotificationCenter, _ delegate: any UNUserNotificationCenterDelegate & Sendable, _ request: UNNotificationRequest, _ content: UNNotificationContent, _ mutable: UNMutableNotificationContent, _ category: UNNotificationCategory, _ action: UNNotificationAction, _ notification: UNNotification, _ response: UNNotificationResponse, _ settings: UNNotificationSettings, _ attachment: UNNotificationAttachment, _ provider: any UNNotificationContentProviding, _ circle: CLCircularRegion) async throws {
  // `UNNotification`
  take(UNNotification.self)
  // `date`
  take(notification.date)
  // `request`
  take(notification.request)
  // `UNNotificationResponse`
  take(UNNotificationResponse.self)
  // `notification`
  take(response.notification)
  // `actionIdentifier`
  take(response.actionIdentifier)
  // `activationToken`
  take(response.activationToken as Any)
  // `UNTextInputNotificationResponse`
  take(UNTextInputNotificationResponse.self)
  // `userText`
  take((response as? UNTextInputNotificationResponse)?.userText as Any)
  // `UNNotificationDefaultActionIdentifier`
  take(UNNotificationDefaultActionIdentifier)
  // `UNNotificationDismissActionIdentifier`
  take(UNNotificationDismissActionIdentifier)
}

// ### UNNotificationSettings
func use12(_ center: UNUserNotificationCenter, _ delegate: any UNUserNotificationCenterDelegate & Sendable, _ request: UNNotificationRequest, _ content: UNNotificationContent, _ mutable: UNMutableNotificationContent, _ category: UNNotificationCategory, _ action: UNNotificationAction, _ notification: UNNotification, _ response: UNNotificationResponse, _ settings: UNNotificationSettings, _ attachment: UNNotificationAttachment, _ provider: any UNNotificationContentProviding, _ circle: CLCircularRegion) async throws {
  // `UNNotificationSettings`
  take(UNNotificationSettings.self)
  // `authorizationStatus`
  take(settings.authorizationStatus)
  // `soundSetting`
  take(settings.soundSetting)
  // `badgeSetting`
  take(settings.badgeSetting)
  // `alertSetting`
  take(settings.alertSetting)
  // `notificationCenterSetting`
  take(settings.notificationCenterSetting)
  // `lockScreenSetting`
  take(settings.lockScreenSetting)
  // `carPlaySetting`
  take(settings.carPlaySetting)
  // `alertStyle`
  take(settings.alertStyle)
  // `showPreviewsSetting`
  take(settings.showPreviewsSetting)
  // `criticalAlertSetting`
  take(settings.criticalAlertSetting)
  // `providesAppNotificationSettings`
  take(settings.providesAppNotificationSettings)
  // `announcementSetting`
  take(settings.announcementSetting)
  // `timeSensitiveSetting`
  take(settings.timeSensitiveSetting)
  // `scheduledDeliverySetting`
  take(settings.scheduledDeliverySetting)
  // `directMessagesSetting`
  take(settings.directMessagesSetting)
  // `UNAuthorizationStatus`
  take(UNAuthorizationStatus.self)
  // `notDetermined`
  take(UNAuthorizationStatus.notDetermined)
  // `denied`
  take(UNAuthorizationStatus.denied)
  // `authorized`
  take(UNAuthorizationStatus.authorized)
  // `provisional`
  take(UNAuthorizationStatus.provisional)
  // `ephemeral`
  take(UNAuthorizationStatus.ephemeral)
  // `UNNotificationSetting`
  take(UNNotificationSetting.self)
  // `notSupported`
  take(UNNotificationSetting.notSupported)
  // `disabled`
  take(UNNotificationSetting.disabled)
  // `enabled`
  take(UNNotificationSetting.enabled)
  // `UNAlertStyle`
  take(UNAlertStyle.self)
  // `UNAlertStyle.none`
  take(UNAlertStyle.none)
  // `UNAlertStyle.banner`
  take(UNAlertStyle.banner)
  // `UNAlertStyle.alert`
  take(UNAlertStyle.alert)
  // `UNShowPreviewsSetting`
  take(UNShowPreviewsSetting.self)
  // `always`
  take(UNShowPreviewsSetting.always)
  // `whenAuthenticated`
  take(UNShowPreviewsSetting.whenAuthenticated)
  // `never`
  take(UNShowPreviewsSetting.never)
}

// ### Options
func use13(_ center: UNUserNotificationCenter, _ delegate: any UNUserNotificationCenterDelegate & Sendable, _ request: UNNotificationRequest, _ content: UNNotificationContent, _ mutable: UNMutableNotificationContent, _ category: UNNotificationCategory, _ action: UNNotificationAction, _ notification: UNNotification, _ response: UNNotificationResponse, _ settings: UNNotificationSettings, _ attachment: UNNotificationAttachment, _ provider: any UNNotificationContentProviding, _ circle: CLCircularRegion) async throws {
  // `UNAuthorizationOptions`
  take(UNAuthorizationOptions.self)
  // `UNAuthorizationOptions.badge`
  take(UNAuthorizationOptions.badge)
  // `UNAuthorizationOptions.sound`
  take(UNAuthorizationOptions.sound)
  // `UNAuthorizationOptions.alert`
  take(UNAuthorizationOptions.alert)
  // `UNAuthorizationOptions.carPlay`
  take(UNAuthorizationOptions.carPlay)
  // `UNAuthorizationOptions.criticalAlert`
  take(UNAuthorizationOptions.criticalAlert)
  // `UNAuthorizationOptions.providesAppNotificationSettings`
  take(UNAuthorizationOptions.providesAppNotificationSettings)
  // `UNAuthorizationOptions.provisional`
  take(UNAuthorizationOptions.provisional)
  // `UNAuthorizationOptions.announcement`
  take(UNAuthorizationOptions.announcement)
  // `UNAuthorizationOptions.timeSensitive`
  take(UNAuthorizationOptions.timeSensitive)
  // `UNNotificationPresentationOptions`
  take(UNNotificationPresentationOptions.self)
  // `UNNotificationPresentationOptions.badge`
  take(UNNotificationPresentationOptions.badge)
  // `UNNotificationPresentationOptions.sound`
  take(UNNotificationPresentationOptions.sound)
  // `UNNotificationPresentationOptions.alert`
  take(UNNotificationPresentationOptions.alert)
  // `UNNotificationPresentationOptions.list`
  take(UNNotificationPresentationOptions.list)
  // `UNNotificationPresentationOptions.banner`
  take(UNNotificationPresentationOptions.banner)
  // `UNNotificationInterruptionLevel`
  take(UNNotificationInterruptionLevel.self)
  // `UNNotificationInterruptionLevel.passive`
  take(UNNotificationInterruptionLevel.passive)
  // `UNNotificationInterruptionLevel.active`
  take(UNNotificationInterruptionLevel.active)
  // `UNNotificationInterruptionLevel.timeSensitive`
  take(UNNotificationInterruptionLevel.timeSensitive)
  // `UNNotificationInterruptionLevel.critical`
  take(UNNotificationInterruptionLevel.critical)
}

// ### UNError
func use14(_ center: UNUserNotificationCenter, _ delegate: any UNUserNotificationCenterDelegate & Sendable, _ request: UNNotificationRequest, _ content: UNNotificationContent, _ mutable: UNMutableNotificationContent, _ category: UNNotificationCategory, _ action: UNNotificationAction, _ notification: UNNotification, _ response: UNNotificationResponse, _ settings: UNNotificationSettings, _ attachment: UNNotificationAttachment, _ provider: any UNNotificationContentProviding, _ circle: CLCircularRegion) async throws {
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
func use15(_ center: UNUserNotificationCenter, _ delegate: any UNUserNotificationCenterDelegate & Sendable, _ request: UNNotificationRequest, _ content: UNNotificationContent, _ mutable: UNMutableNotificationContent, _ category: UNNotificationCategory, _ action: UNNotificationAction, _ notification: UNNotification, _ response: UNNotificationResponse, _ settings: UNNotificationSettings, _ attachment: UNNotificationAttachment, _ provider: any UNNotificationContentProviding, _ circle: CLCircularRegion) async throws {
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
func use18(_ content: UNNotificationContent, _ coder: NSCoder) throws {
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

// ### CoreLocation
func use16(_ center: UNUserNotificationCenter, _ delegate: any UNUserNotificationCenterDelegate & Sendable, _ request: UNNotificationRequest, _ content: UNNotificationContent, _ mutable: UNMutableNotificationContent, _ category: UNNotificationCategory, _ action: UNNotificationAction, _ notification: UNNotification, _ response: UNNotificationResponse, _ settings: UNNotificationSettings, _ attachment: UNNotificationAttachment, _ provider: any UNNotificationContentProviding, _ circle: CLCircularRegion, located: any CLLocationManagerDelegate) async throws {
  // `CLLocationCoordinate2D`
  take(CLLocationCoordinate2D(latitude: 1, longitude: 2))
  // `CLLocationCoordinate2DMake(_:_:)`
  take(CLLocationCoordinate2DMake(1, 2))
  // `CLLocationCoordinate2DIsValid(_:)`
  take(CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
  // `latitude`
  take(CLLocationCoordinate2D().latitude)
  // `longitude`
  take(CLLocationCoordinate2D().longitude)
  // `kCLLocationCoordinate2DInvalid`
  take(kCLLocationCoordinate2DInvalid)
  // `CLLocationDegrees`
  take(CLLocationDegrees(1))
  // `CLLocationDistance`
  take(CLLocationDistance(1))
  // `CLLocationAccuracy`
  take(CLLocationAccuracy(1))
  // `CLLocationSpeed`
  take(CLLocationSpeed(1))
  // `CLLocationDirection`
  take(CLLocationDirection(1))
  // `CLLocationSpeedAccuracy`
  take(CLLocationSpeedAccuracy(1))
  // `CLLocationDirectionAccuracy`
  take(CLLocationDirectionAccuracy(1))
  // `CLLocation`
  take(CLLocation(latitude: 1, longitude: 2).distance(from: CLLocation(latitude: 1, longitude: 2)))
  // `CLLocation.init(coordinate:altitude:horizontalAccuracy:verticalAccuracy:course:courseAccuracy:speed:speedAccuracy:timestamp:)`
  let moving = CLLocation(
    coordinate: CLLocationCoordinate2D(), altitude: 0, horizontalAccuracy: 1, verticalAccuracy: 1, course: 1,
    courseAccuracy: 1, speed: 1, speedAccuracy: 1, timestamp: Date())
  // `courseAccuracy`
  take(moving.courseAccuracy)
  // `speedAccuracy`
  take(moving.speedAccuracy)
  // `distance(from:)`
  take(moving.distance(from: moving))
  // `CLRegion`
  take(CLRegion.self)
  // `CLRegion.identifier`
  take(circle.identifier)
  // `notifyOnEntry`
  circle.notifyOnEntry = true
  // `notifyOnExit`
  circle.notifyOnExit = false
  // `CLCircularRegion`
  take(circle.contains(CLLocationCoordinate2D()))
  // `CLCircularRegion.init(center:radius:identifier:)`
  take(CLCircularRegion(center: CLLocationCoordinate2D(), radius: 10, identifier: "a"))
  // `center`
  take(circle.center)
  // `radius`
  take(circle.radius)
  // `contains(_:)`
  take(circle.contains(CLLocationCoordinate2D()))
  // `CLBeaconRegion`
  take(CLBeaconRegion(uuid: UUID(), identifier: "a"))
  // `CLBeaconIdentityConstraint`
  take(CLBeaconIdentityConstraint(uuid: UUID(), major: 1, minor: 2))
  // `uuid`
  take(CLBeaconRegion(uuid: UUID(), identifier: "a").uuid)
  // `proximityUUID`
  take(CLBeaconRegion(proximityUUID: UUID(), identifier: "a").proximityUUID)
  // `major`
  take(CLBeaconRegion(uuid: UUID(), major: 1, identifier: "a").major as Any)
  // `minor`
  take(CLBeaconRegion(uuid: UUID(), major: 1, minor: 2, identifier: "a").minor as Any)
  // `beaconIdentityConstraint`
  take(CLBeaconRegion(uuid: UUID(), identifier: "a").beaconIdentityConstraint)
  // `notifyEntryStateOnDisplay`
  CLBeaconRegion(uuid: UUID(), identifier: "a").notifyEntryStateOnDisplay = true
  // `CLLocationManager`
  let manager = CLLocationManager()
  // `CLLocationManager.delegate`
  take(manager.delegate as Any)
  // `locationServicesEnabled()`
  take(CLLocationManager.locationServicesEnabled())
  // `accuracyAuthorization`
  take(manager.accuracyAuthorization)
  // `isMonitoringAvailable(for:)`
  take(CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self))
  // `significantLocationChangeMonitoringAvailable()`
  take(CLLocationManager.significantLocationChangeMonitoringAvailable())
  // `isRangingAvailable()`
  take(CLLocationManager.isRangingAvailable())
  // `headingAvailable()`
  take(CLLocationManager.headingAvailable())
  // `requestWhenInUseAuthorization()`
  manager.requestWhenInUseAuthorization()
  // `requestAlwaysAuthorization()`
  manager.requestAlwaysAuthorization()
  // `requestTemporaryFullAccuracyAuthorization(withPurposeKey:)`
  try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "a")
  // `CLLocationManager.authorizationStatus`
  take(manager.authorizationStatus)
  // `requestLocation()`
  manager.requestLocation()
  // `startUpdatingLocation()`
  manager.startUpdatingLocation()
  // `stopUpdatingLocation()`
  manager.stopUpdatingLocation()
  // `startMonitoringSignificantLocationChanges()`
  manager.startMonitoringSignificantLocationChanges()
  // `stopMonitoringSignificantLocationChanges()`
  manager.stopMonitoringSignificantLocationChanges()
  // `CLLocationManager.location`
  take(manager.location as Any)
  // `startMonitoring(for:)`
  manager.startMonitoring(for: circle)
  // `stopMonitoring(for:)`
  manager.stopMonitoring(for: circle)
  // `monitoredRegions`
  take(manager.monitoredRegions)
  // `maximumRegionMonitoringDistance`
  take(manager.maximumRegionMonitoringDistance)
  // `requestState(for:)`
  manager.requestState(for: circle)
  // `desiredAccuracy`
  manager.desiredAccuracy = kCLLocationAccuracyBest
  // `distanceFilter`
  manager.distanceFilter = kCLDistanceFilterNone
  // `activityType`
  manager.activityType = CLActivityType.fitness
  // `showsBackgroundLocationIndicator`
  manager.showsBackgroundLocationIndicator = true
  // `allowsBackgroundLocationUpdates`
  manager.allowsBackgroundLocationUpdates = true
  // `pausesLocationUpdatesAutomatically`
  manager.pausesLocationUpdatesAutomatically = false
  // `CLLocationManagerDelegate`
  take((any CLLocationManagerDelegate).self)
  // `locationManagerDidChangeAuthorization(_:)`
  located.locationManagerDidChangeAuthorization(manager)
  // `locationManager(_:didChangeAuthorization:)`
  located.locationManager(manager, didChangeAuthorization: .denied)
  // `locationManager(_:didUpdateLocations:)`
  located.locationManager(manager, didUpdateLocations: [moving])
  // `locationManager(_:didFailWithError:)`
  located.locationManager(manager, didFailWithError: CLError(.denied))
  // `locationManager(_:monitoringDidFailFor:withError:)`
  located.locationManager(manager, monitoringDidFailFor: nil, withError: CLError(.denied))
  // `locationManager(_:didDetermineState:for:)`
  located.locationManager(manager, didDetermineState: .inside, for: circle)
  // `locationManager(_:didEnterRegion:)`
  located.locationManager(manager, didEnterRegion: circle)
  // `locationManager(_:didExitRegion:)`
  located.locationManager(manager, didExitRegion: circle)
  // `locationManager(_:didStartMonitoringFor:)`
  located.locationManager(manager, didStartMonitoringFor: circle)
  // `locationManagerDidPauseLocationUpdates(_:)`
  located.locationManagerDidPauseLocationUpdates(manager)
  // `locationManagerDidResumeLocationUpdates(_:)`
  located.locationManagerDidResumeLocationUpdates(manager)
  // `CLRegionState`
  take([CLRegionState.unknown, .inside, .outside])
  // `CLAuthorizationStatus`
  take(CLAuthorizationStatus.authorizedAlways)
  // `CLAuthorizationStatus.notDetermined`
  take(CLAuthorizationStatus.notDetermined)
  // `restricted`
  take(CLAuthorizationStatus.restricted)
  // `CLAuthorizationStatus.denied`
  take(CLAuthorizationStatus.denied)
  // `authorizedAlways`
  take([CLAuthorizationStatus.authorizedAlways, .authorized])
  // `authorizedWhenInUse`
  take(CLAuthorizationStatus.authorizedWhenInUse)
  // `CLAccuracyAuthorization`
  take([CLAccuracyAuthorization.fullAccuracy, .reducedAccuracy])
  // `CLActivityType`
  take([CLActivityType.other, .automotiveNavigation, .fitness, .otherNavigation, .airborne])
  // `CLError`
  take(CLError.denied)
  // `kCLErrorDomain`
  take(kCLErrorDomain)
  // `CLError.denied`
  take(CLError.denied)
  // `locationUnknown`
  take(CLError.locationUnknown)
  // `regionMonitoringDenied`
  take(CLError.regionMonitoringDenied)
  // `CLError.Code`
  take(CLError.Code.network)
}

// ### UIKit
@MainActor func use17(oldDelegate: any UIApplicationDelegate) async throws {
  // `UILocalNotification`
  let old = UILocalNotification()
  // `fireDate`
  old.fireDate = Date()
  // `timeZone`
  old.timeZone = nil
  // `repeatInterval`
  old.repeatInterval = .day
  // `repeatCalendar`
  old.repeatCalendar = nil
  // `alertBody`
  old.alertBody = "B"
  // `alertTitle`
  old.alertTitle = "T"
  // `alertAction`
  old.alertAction = "A"
  // `hasAction`
  old.hasAction = true
  // `alertLaunchImage`
  old.alertLaunchImage = "L"
  // `soundName`
  old.soundName = UILocalNotificationDefaultSoundName
  // `UILocalNotification.applicationIconBadgeNumber`
  old.applicationIconBadgeNumber = 1
  // `UILocalNotification.userInfo`
  old.userInfo = [:]
  // `category`
  old.category = "C"
  // `UILocalNotification.region`
  old.region = nil
  // `regionTriggersOnce`
  old.regionTriggersOnce = true
  // `UIMutableUserNotificationAction`
  let oldAction = UIMutableUserNotificationAction()
  // `activationMode`
  oldAction.activationMode = .background
  // `isDestructive`
  oldAction.isDestructive = true
  // `isAuthenticationRequired`
  oldAction.isAuthenticationRequired = true
  // `behavior`
  oldAction.behavior = .textInput
  // `parameters`
  oldAction.parameters = [UIUserNotificationTextInputActionButtonTitleKey: "Send"]
  // `UIMutableUserNotificationCategory`
  let oldCategory = UIMutableUserNotificationCategory()
  // `setActions(_:for:)`
  oldCategory.setActions([oldAction], for: .minimal)
  // `actions(for:)`
  take(oldCategory.actions(for: .default) as Any)
  // `UIUserNotificationSettings`
  let oldSettings = UIUserNotificationSettings(types: [.alert, .badge, .sound], categories: [oldCategory])
  // `types`
  take(oldSettings.types)
  // `categories`
  take(oldSettings.categories as Any)
  // `UIUserNotificationType`
  take(UIUserNotificationType.alert)
  // `UIApplication.shared`
  let application = UIApplication.shared
  // `registerUserNotificationSettings(_:)`
  application.registerUserNotificationSettings(oldSettings)
  // `currentUserNotificationSettings`
  take(application.currentUserNotificationSettings as Any)
  // `scheduleLocalNotification(_:)`
  application.scheduleLocalNotification(old)
  // `presentLocalNotificationNow(_:)`
  application.presentLocalNotificationNow(old)
  // `cancelLocalNotification(_:)`
  application.cancelLocalNotification(old)
  // `cancelAllLocalNotifications()`
  application.cancelAllLocalNotifications()
  // `scheduledLocalNotifications`
  application.scheduledLocalNotifications = []
  // `UIApplication.applicationIconBadgeNumber`
  application.applicationIconBadgeNumber -= 1
  // `registerForRemoteNotifications()`
  application.registerForRemoteNotifications()
  // `unregisterForRemoteNotifications()`
  application.unregisterForRemoteNotifications()
  // `isRegisteredForRemoteNotifications`
  take(application.isRegisteredForRemoteNotifications)
  // `setMinimumBackgroundFetchInterval(_:)`
  application.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalMinimum)
  // `UIApplication.backgroundFetchIntervalMinimum`
  take(UIApplication.backgroundFetchIntervalMinimum)
  // `UIApplication.backgroundFetchIntervalNever`
  take(UIApplication.backgroundFetchIntervalNever)
  // `applicationState`
  take(application.applicationState)
  // `open(_:options:completionHandler:)`
  application.open(URL(fileURLWithPath: "/"), options: [:], completionHandler: nil)
  // `open(_:options:) async`
  take(await application.open(URL(fileURLWithPath: "/"), options: [:]))
  // `openURL(_:)`
  application.openURL(URL(fileURLWithPath: "/"))
  // `canOpenURL(_:)`
  take(application.canOpenURL(URL(fileURLWithPath: "/")))
  // `UIApplication.openSettingsURLString`
  take(UIApplication.openSettingsURLString)
  // `UIApplication.openNotificationSettingsURLString`
  take(UIApplication.openNotificationSettingsURLString)
  // `beginBackgroundTask(withName:expirationHandler:)`
  let task: UIBackgroundTaskIdentifier = application.beginBackgroundTask(withName: "a") {}
  // `endBackgroundTask(_:)`
  application.endBackgroundTask(task)
  // `UIBackgroundTaskIdentifier`
  take(UIBackgroundTaskIdentifier.invalid)
  // `UIApplication.didBecomeActiveNotification`
  take(UIApplication.didBecomeActiveNotification)
  // `UIApplication.willEnterForegroundNotification`
  take(UIApplication.willEnterForegroundNotification)
  // `UIApplication.didFinishLaunchingNotification`
  take(UIApplication.didFinishLaunchingNotification)
  // `UIApplication.willTerminateNotification`
  take(UIApplication.willTerminateNotification)
  // `UIApplication.didEnterBackgroundNotification`
  take(UIApplication.didEnterBackgroundNotification)
  // `UIApplication.willResignActiveNotification`
  take(UIApplication.willResignActiveNotification)
  // `UIApplicationMain(_:_:_:_:)`
  take(UIApplicationMain as Any)
  // `LaunchOptionsKey.localNotification`
  take(UIApplication.LaunchOptionsKey.localNotification)
  // `LaunchOptionsKey.remoteNotification`
  take(UIApplication.LaunchOptionsKey.remoteNotification)
  // `LaunchOptionsKey.url`
  take(UIApplication.LaunchOptionsKey.url)
  // `LaunchOptionsKey.location`
  take(UIApplication.LaunchOptionsKey.location)
  // `UIApplicationDelegate`
  take((any UIApplicationDelegate).self)
  // `application(_:willFinishLaunchingWithOptions:)`
  take(oldDelegate.application(application, willFinishLaunchingWithOptions: nil))
  // `application(_:didFinishLaunchingWithOptions:)`
  take(oldDelegate.application(application, didFinishLaunchingWithOptions: nil))
  // `applicationDidFinishLaunching(_:)`
  oldDelegate.applicationDidFinishLaunching(application)
  // `applicationDidBecomeActive(_:)`
  oldDelegate.applicationDidBecomeActive(application)
  // `applicationWillTerminate(_:)`
  oldDelegate.applicationWillTerminate(application)
  // `applicationWillResignActive(_:)`
  oldDelegate.applicationWillResignActive(application)
  // `applicationDidEnterBackground(_:)`
  oldDelegate.applicationDidEnterBackground(application)
  // `applicationWillEnterForeground(_:)`
  oldDelegate.applicationWillEnterForeground(application)
  // `application(_:open:options:)`
  take(oldDelegate.application(application, open: URL(fileURLWithPath: "/"), options: [:]))
  // `application(_:performFetchWithCompletionHandler:)`
  oldDelegate.application(application) { take($0) }
  // `application(_:didRegister:)`
  oldDelegate.application(application, didRegister: oldSettings)
  // `application(_:didReceive:)`
  oldDelegate.application(application, didReceive: old)
  // `application(_:handleActionWithIdentifier:for:completionHandler:)`
  oldDelegate.application(application, handleActionWithIdentifier: "a", for: old) {}
  // `application(_:handleActionWithIdentifier:for:withResponseInfo:completionHandler:)`
  oldDelegate.application(application, handleActionWithIdentifier: "a", for: old, withResponseInfo: [:]) {}
  // `application(_:handleActionWithIdentifier:for:) async`
  await oldDelegate.application(application, handleActionWithIdentifier: "a", for: old)
  // `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`
  oldDelegate.application(application, didReceiveRemoteNotification: [:]) { take($0) }
  // `application(_:handleActionWithIdentifier:forRemoteNotification:completionHandler:)`
  oldDelegate.application(application, handleActionWithIdentifier: "a", forRemoteNotification: [:]) {}
  // `application(_:didReceiveRemoteNotification:)`
  oldDelegate.application(application, didReceiveRemoteNotification: [:])
  // `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`
  oldDelegate.application(application, didRegisterForRemoteNotificationsWithDeviceToken: Data())
  // `application(_:didFailToRegisterForRemoteNotificationsWithError:)`
  oldDelegate.application(application, didFailToRegisterForRemoteNotificationsWithError: CLError(.denied))
  // `UIBackgroundFetchResult`
  take([UIBackgroundFetchResult.newData, .noData, .failed])
  // `UIResponder`
  take(UIResponder.self)
  // `UIWindow`
  take(UIWindow.self)
  // `makeKeyAndVisible()`
  UIWindow().makeKeyAndVisible()
}

