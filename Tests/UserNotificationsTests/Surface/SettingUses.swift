// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
import Foundation

@testable import UserNotifications

// Uses of responses, settings and options: one of each name in the tables of docs/APPLE.md, behind a comment with the
// name. They are compiled, and not run.

// ### UNNotification and UNNotificationResponse
func useUNNotificationAndUNNotificationResponse(_ notification: UNNotification, _ response: UNNotificationResponse) throws {
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
func useUNNotificationSettings(_ settings: UNNotificationSettings) throws {
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
func useOptions() throws {
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
