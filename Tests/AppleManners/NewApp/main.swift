// SPDX-License-Identifier: Apache-2.0
import UIKit

// The manner of an app of today that still has an application delegate: it sets the delegate of the center while it
// launches. Swift 6.

final class AppDelegate: UIResponder, UIApplicationDelegate {
  let model = Model()

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    UNUserNotificationCenter.current().delegate = self
    model.note("launched")
    return true
  }
}

extension AppDelegate: UNUserNotificationCenterDelegate {
  func userNotificationCenter(_ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse) async {
    model.note("response \(response.actionIdentifier) \(response.notification.request.content.title)")
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions { [.banner, .list, .sound] }
}

@MainActor final class Model {
  private let pipe = ProcessInfo.processInfo.environment["APP_LINES"].flatMap { FileHandle(forUpdatingAtPath: $0) }

  func note(_ line: String) { pipe?.write(Data((line + "\n").utf8)) }
}

_ = UIApplicationMain(
  CommandLine.argc, CommandLine.unsafeArgv, nil, NSStringFromClass(AppDelegate.self))
