// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import UserNotifications

/// Settings, categories and actions of the older form in the newer one.
extension UIUserNotificationType {
  var options: UNAuthorizationOptions {
    var options: UNAuthorizationOptions = []
    if contains(.alert) { options.insert(.alert) }
    if contains(.badge) { options.insert(.badge) }
    if contains(.sound) { options.insert(.sound) }
    return options
  }
}

extension UNNotificationSettings {
  var types: UIUserNotificationType {
    guard authorizationStatus == .authorized else { return [] }
    var types: UIUserNotificationType = []
    if alertSetting == .enabled { types.insert(.alert) }
    if badgeSetting == .enabled { types.insert(.badge) }
    if soundSetting == .enabled { types.insert(.sound) }
    return types
  }
}

extension UIUserNotificationCategory {
  /// The category with all its actions, those of the smaller context first: where there is little room, the first ones
  /// are shown. Nil without a name.
  var category: UNNotificationCategory? {
    guard let identifier else { return nil }
    var seen: Set<String> = []
    let all = (values.actions[.minimal] ?? []) + (values.actions[.default] ?? [])
    let actions = all.compactMap(\.action).filter { seen.insert($0.identifier).inserted }
    return UNNotificationCategory(identifier: identifier, actions: actions, intentIdentifiers: [])
  }
}

extension UIUserNotificationAction {
  fileprivate var action: UNNotificationAction? {
    let values = values
    guard let identifier = values.identifier else { return nil }
    var options: UNNotificationActionOptions = []
    // An action that brings the app to the front waits for the unlock by itself.
    if values.activationMode == .foreground { options.insert(.foreground) }
    if values.isAuthenticationRequired { options.insert(.authenticationRequired) }
    if values.isDestructive { options.insert(.destructive) }
    guard values.behavior == .textInput else {
      return UNNotificationAction(identifier: identifier, title: values.title ?? "", options: options)
    }
    let button = values.parameters[UIUserNotificationTextInputActionButtonTitleKey] as? String
    return UNTextInputNotificationAction(
      identifier: identifier, title: values.title ?? "", options: options, textInputButtonTitle: button ?? "",
      textInputPlaceholder: "")
  }
}
