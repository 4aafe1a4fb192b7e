// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
import CoreLocation
import Foundation
import UIKit

// Uses of UIKit: one of each name in the tables of docs/APPLE.md, behind a comment with the
// name. They are compiled, and not run.

// ### UIKit
@MainActor func useUIKit(oldDelegate: any UIApplicationDelegate) async throws {
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
  // `UILocalNotificationDefaultSoundName`
  take(UILocalNotificationDefaultSoundName)
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
  // `UIUserNotificationActivationMode`
  take(UIUserNotificationActivationMode.self)
  // `UIUserNotificationActivationMode.foreground`
  take(UIUserNotificationActivationMode.foreground)
  // `UIUserNotificationActivationMode.background`
  take(UIUserNotificationActivationMode.background)
  // `isDestructive`
  oldAction.isDestructive = true
  // `isAuthenticationRequired`
  oldAction.isAuthenticationRequired = true
  // `behavior`
  oldAction.behavior = .textInput
  // `UIUserNotificationActionBehavior`
  take(UIUserNotificationActionBehavior.self)
  // `UIUserNotificationActionBehavior.default`
  take(UIUserNotificationActionBehavior.default)
  // `UIUserNotificationActionBehavior.textInput`
  take(UIUserNotificationActionBehavior.textInput)
  // `parameters`
  oldAction.parameters = [UIUserNotificationTextInputActionButtonTitleKey: "Send"]
  // `UIUserNotificationTextInputActionButtonTitleKey`
  take(UIUserNotificationTextInputActionButtonTitleKey)
  // `UIUserNotificationActionResponseTypedTextKey`
  take(UIUserNotificationActionResponseTypedTextKey)
  // `UIMutableUserNotificationCategory`
  let oldCategory = UIMutableUserNotificationCategory()
  // `setActions(_:for:)`
  oldCategory.setActions([oldAction], for: .minimal)
  // `actions(for:)`
  take(oldCategory.actions(for: .default) as Any)
  // `UIUserNotificationAction`
  take(UIUserNotificationAction.self)
  // `UIUserNotificationCategory`
  take(UIUserNotificationCategory.self)
  // `UIUserNotificationActionContext`
  take(UIUserNotificationActionContext.self)
  // `UIUserNotificationActionContext.default`
  take(UIUserNotificationActionContext.default)
  // `UIUserNotificationActionContext.minimal`
  take(UIUserNotificationActionContext.minimal)
  // `UIUserNotificationSettings`
  let oldSettings = UIUserNotificationSettings(types: [.alert, .badge, .sound], categories: [oldCategory])
  // `types`
  take(oldSettings.types)
  // `categories`
  take(oldSettings.categories as Any)
  // `UIUserNotificationType`
  take(UIUserNotificationType.alert)
  // `UIUserNotificationType.badge`
  take(UIUserNotificationType.badge)
  // `UIUserNotificationType.sound`
  take(UIUserNotificationType.sound)
  // `UIUserNotificationType.alert`
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
  // `UIApplicationState`
  take(UIApplicationState.self)
  // `UIApplicationState.active`
  take(UIApplicationState.active)
  // `UIApplicationState.inactive`
  take(UIApplicationState.inactive)
  // `UIApplicationState.background`
  take(UIApplicationState.background)
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
  // `UIBackgroundTaskIdentifier.invalid`
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
  // `UIBackgroundFetchResult.newData`
  take(UIBackgroundFetchResult.newData)
  // `UIBackgroundFetchResult.noData`
  take(UIBackgroundFetchResult.noData)
  // `UIBackgroundFetchResult.failed`
  take(UIBackgroundFetchResult.failed)
  // `UIResponder`
  take(UIResponder.self)
  // `UIWindow`
  take(UIWindow.self)
  // `makeKeyAndVisible()`
  UIWindow().makeKeyAndVisible()
}
