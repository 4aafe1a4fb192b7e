// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Whether an app may notify the user.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum UNAuthorizationStatus: Int, Sendable {
  /// The app has not asked yet.
  case notDetermined
  /// The user does not allow it.
  case denied
  /// The app may.
  case authorized
  /// The app may for now, without having asked. Never on Linux.
  case provisional
  /// An app clip may for some time. Never on Linux.
  case ephemeral
}

/// Whether an app may do one thing.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum UNNotificationSetting: Int, Sendable {
  /// There is no such thing here.
  case notSupported
  /// It may not.
  case disabled
  /// It may.
  case enabled
}

/// How notifications are shown.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum UNAlertStyle: Int, Sendable {
  /// Not on the screen.
  case none
  /// They disappear by themselves.
  case banner
  /// They stay until they are answered.
  case alert
}

/// When the texts of notifications are shown.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum UNShowPreviewsSetting: Int, Sendable {
  /// Always.
  case always
  /// While the session is unlocked.
  case whenAuthenticated
  /// Never.
  case never
}

/// What an app may do, as the user decided.
open class UNNotificationSettings: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // @unchecked: all properties are constants.

  private let own:
    (
      status: UNAuthorizationStatus, alert: UNNotificationSetting, badge: UNNotificationSetting,
      sound: UNNotificationSetting, previews: UNShowPreviewsSetting
    )

  /// Whether the app may notify the user.
  open var authorizationStatus: UNAuthorizationStatus { own.status }
  /// Whether it may make sounds.
  open var soundSetting: UNNotificationSetting { own.sound }
  /// Whether it may set the number on its launcher.
  open var badgeSetting: UNNotificationSetting { own.badge }
  /// Whether it may show notifications.
  open var alertSetting: UNNotificationSetting { own.alert }

  /// Whether its notifications are in the server's list; as ``alertSetting``, because a server has one switch.
  open var notificationCenterSetting: UNNotificationSetting { alertSetting }
  /// Whether its notifications are on the lock screen; as ``alertSetting``, because the server decides.
  open var lockScreenSetting: UNNotificationSetting { alertSetting }
  /// Not supported: there is no car.
  open var carPlaySetting: UNNotificationSetting { .notSupported }
  /// As ``alertSetting``: critical alerts need no permission of their own.
  open var criticalAlertSetting: UNNotificationSetting { alertSetting }
  /// Not supported: nothing reads notifications out.
  open var announcementSetting: UNNotificationSetting { .notSupported }
  /// As ``alertSetting``: urgent notifications need no permission of their own.
  open var timeSensitiveSetting: UNNotificationSetting { alertSetting }
  /// Not supported: there is no scheduled summary.
  open var scheduledDeliverySetting: UNNotificationSetting { .notSupported }
  /// Not supported: there is no such kind of notification.
  open var directMessagesSetting: UNNotificationSetting { .notSupported }
  /// How notifications are shown: as banners, or not at all.
  open var alertStyle: UNAlertStyle { alertSetting == .enabled ? .banner : .none }
  /// When the texts of notifications are shown, as the user has set it for the app; a server may hide more.
  open var showPreviewsSetting: UNShowPreviewsSetting { own.previews }
  /// False: nothing opens the app's own settings.
  open var providesAppNotificationSettings: Bool { false }

  init(
    _ status: UNAuthorizationStatus, alert: UNNotificationSetting, badge: UNNotificationSetting,
    sound: UNNotificationSetting, previews: UNShowPreviewsSetting = .always
  ) {
    own = (status, alert, badge, sound, previews)
    super.init()
  }

  private var numbers: [String: Int] {
    [
      "authorizationStatus": authorizationStatus.rawValue, "alertSetting": alertSetting.rawValue,
      "badgeSetting": badgeSetting.rawValue, "soundSetting": soundSetting.rawValue,
      "showPreviewsSetting": showPreviewsSetting.rawValue,
    ]
  }

  /// Decodes settings.
  ///
  /// The only way to make some: tests of apps do so with a coder of their own, which answers
  /// `decodeInt64(forKey: "authorizationStatus")`. So nothing else of a coder is used here.
  public required init?(coder: NSCoder) {
    func number(_ name: String) -> Int { Int(coder.decodeInt64(forKey: name)) }
    func setting(_ name: String) -> UNNotificationSetting {
      UNNotificationSetting(rawValue: number(name)) ?? .notSupported
    }
    own = (
      UNAuthorizationStatus(rawValue: number("authorizationStatus")) ?? .notDetermined, setting("alertSetting"),
      setting("badgeSetting"), setting("soundSetting"),
      UNShowPreviewsSetting(rawValue: number("showPreviewsSetting")) ?? .always
    )
    super.init()
  }

  /// Settings can be archived.
  open class var supportsSecureCoding: Bool { true }
  /// Archives the settings.
  open func encode(with coder: NSCoder) {
    for (name, number) in numbers { coder.encode(Int64(number), forKey: name) }
  }
  /// Returns the settings themselves, which never change.
  open func copy(with zone: NSZone? = nil) -> Any { self }
  /// Whether both are the same.
  open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationSettings)?.numbers == numbers }
  /// The hash of the status.
  open override var hash: Int { authorizationStatus.rawValue }
}
