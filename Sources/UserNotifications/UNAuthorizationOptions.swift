// SPDX-License-Identifier: Apache-2.0

/// What an app asks for.
public struct UNAuthorizationOptions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt
  /// From bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// A number on the app's launcher.
  public static let badge = UNAuthorizationOptions(rawValue: 1)
  /// Sounds.
  public static let sound = UNAuthorizationOptions(rawValue: 2)
  /// Notifications on the screen.
  public static let alert = UNAuthorizationOptions(rawValue: 4)
  /// Notifications in a car. Without effect.
  public static let carPlay = UNAuthorizationOptions(rawValue: 8)
  /// Critical alerts. The user is not asked about them separately.
  public static let criticalAlert = UNAuthorizationOptions(rawValue: 16)
  /// The app has settings of its own. Nothing opens them.
  public static let providesAppNotificationSettings = UNAuthorizationOptions(rawValue: 32)
  /// Without asking the user first. The user is asked all the same, where there is a question.
  public static let provisional = UNAuthorizationOptions(rawValue: 64)
  /// Read out by Siri. Without effect.
  public static let announcement = UNAuthorizationOptions(rawValue: 128)
  /// Urgent notifications. The user is not asked about them separately.
  public static let timeSensitive = UNAuthorizationOptions(rawValue: 256)
}

/// What a delegate lets be shown of a notification that comes while the app is in front.
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt
  /// From bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The number on the app's launcher.
  public static let badge = UNNotificationPresentationOptions(rawValue: 1)
  /// The sound.
  public static let sound = UNNotificationPresentationOptions(rawValue: 2)
  /// The notification, as ``banner`` and ``list`` together; their older name.
  public static let alert = UNNotificationPresentationOptions(rawValue: 4)
  /// The notification in the server's list. A server draws it as it draws others.
  public static let list = UNNotificationPresentationOptions(rawValue: 8)
  /// The notification on the screen.
  public static let banner = UNNotificationPresentationOptions(rawValue: 16)
}
