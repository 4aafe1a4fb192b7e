// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
import CoreLocation
import Foundation

@testable import UserNotifications

// Uses of triggers, categories and actions: one of each name in the tables of docs/APPLE.md, behind a comment with the
// name. They are compiled, and not run.

// ### Triggers
func useTriggers(_ request: UNNotificationRequest, _ circle: CLCircularRegion) throws {
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
func useUNNotificationCategory(_ category: UNNotificationCategory) throws {
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
func useUNNotificationAction(_ action: UNNotificationAction) throws {
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
