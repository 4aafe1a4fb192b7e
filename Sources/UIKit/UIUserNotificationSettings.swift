// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What an app asks for.
public struct UIUserNotificationType: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt
  /// From bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// A number on the app's launcher.
  public static let badge = UIUserNotificationType(rawValue: 1)
  /// Sounds.
  public static let sound = UIUserNotificationType(rawValue: 2)
  /// Notifications on the screen.
  public static let alert = UIUserNotificationType(rawValue: 4)
}

/// What an app asks for, with the categories of its notifications.
open class UIUserNotificationSettings: NSObject, @unchecked Sendable {
  // @unchecked: all properties are constants.

  /// What the app asked for, or may do.
  public let types: UIUserNotificationType
  /// The categories.
  public let categories: Set<UIUserNotificationCategory>?

  /// Creates settings.
  public init(types: UIUserNotificationType, categories: Set<UIUserNotificationCategory>?) {
    self.types = types
    self.categories = categories
    super.init()
  }

  /// Whether both have the same values.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UIUserNotificationSettings else { return false }
    return other.types == types && (other.categories ?? []) == (categories ?? [])
  }
  /// The hash of the types.
  open override var hash: Int { types.rawValue.hashValue }
}
