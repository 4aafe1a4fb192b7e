// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The name of a task that goes on while the app is in the background.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  /// The number of the task.
  public let rawValue: Int
  /// From a number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// No task.
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

extension UIApplication {
  // MARK: Notifications of the life of the app

  /// Posted once, when the app has started.
  nonisolated public static let didFinishLaunchingNotification =
    NSNotification.Name("UIApplicationDidFinishLaunchingNotification")
  /// Posted once, after the app has started.
  nonisolated public static let didBecomeActiveNotification =
    NSNotification.Name("UIApplicationDidBecomeActiveNotification")
  /// Posted when the app was asked to end, by SIGTERM or SIGINT.
  nonisolated public static let willTerminateNotification =
    NSNotification.Name("UIApplicationWillTerminateNotification")
  /// Not posted: windows are not known.
  nonisolated public static let willResignActiveNotification =
    NSNotification.Name("UIApplicationWillResignActiveNotification")
  /// Not posted: windows are not known.
  nonisolated public static let didEnterBackgroundNotification =
    NSNotification.Name("UIApplicationDidEnterBackgroundNotification")
  /// Not posted: windows are not known.
  nonisolated public static let willEnterForegroundNotification =
    NSNotification.Name("UIApplicationWillEnterForegroundNotification")

  // MARK: Background tasks

  /// Returns a number: a program of Linux is not suspended, so every task goes on. The handler is never called.
  @discardableResult
  public func beginBackgroundTask(expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil)
    -> UIBackgroundTaskIdentifier
  { UIBackgroundTaskIdentifier(rawValue: 1) }

  /// Returns a number: a program of Linux is not suspended, so every task goes on. The handler is never called.
  @discardableResult
  public func beginBackgroundTask(
    withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier { UIBackgroundTaskIdentifier(rawValue: 1) }

  /// Does nothing.
  public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}

  /// The shortest time between two fetches in the background.
  nonisolated public static let backgroundFetchIntervalMinimum: TimeInterval = 0
  /// No fetches in the background.
  nonisolated public static let backgroundFetchIntervalNever: TimeInterval = .greatestFiniteMagnitude
  /// Does nothing: nothing starts an app to fetch. A program of Linux goes on in the background.
  public func setMinimumBackgroundFetchInterval(_ minimumBackgroundFetchInterval: TimeInterval) {}

  // MARK: Settings of the app

  /// The URL of the app's page in Apple's settings. Nothing opens it here: ``canOpenURL(_:)`` is false for it.
  nonisolated public static let openSettingsURLString = "app-settings:"
  /// The URL of the app's notifications in Apple's settings. Nothing opens it here: ``canOpenURL(_:)`` is false for it.
  nonisolated public static let openNotificationSettingsURLString = "app-settings:notifications"
}
