// SPDX-License-Identifier: Apache-2.0
public import Foundation
package import Synchronization

/// The action identifier of a click on the notification itself.
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"

/// The action identifier of a dismissal, for categories with ``UNNotificationCategoryOptions/customDismissAction``.
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

/// What the user did with a notification.
open class UNNotificationResponse: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // @unchecked: the properties are constants or guarded.

  private let own: (notification: UNNotification, actionIdentifier: String)

  /// The notification.
  open var notification: UNNotification { own.notification }
  /// The identifier of the chosen action, or one of the two for a click and a dismissal.
  open var actionIdentifier: String { own.actionIdentifier }
  /// Lets the program raise its window: a token of the desktop, for `XDG_ACTIVATION_TOKEN`. Apple's system needs none.
  public let activationToken: String?
  /// Whether the delegate released its completion handler without calling it.
  package let isUnanswered = Atomic(false)

  init(notification: UNNotification, actionIdentifier: String, activationToken: String? = nil) {
    own = (notification, actionIdentifier)
    self.activationToken = activationToken
    super.init()
  }

  /// Decodes a response.
  public required init?(coder: NSCoder) {
    let action = coder.text("actionIdentifier")
    guard let notification = coder.value(UNNotification.self, "notification") ?? coder.ofTest(UNNotification.init),
      coder.isOfTest || action != nil
    else { return nil }
    own = (notification, action ?? "")
    activationToken = nil
    super.init()
  }

  /// Responses can be archived.
  open class var supportsSecureCoding: Bool { true }
  /// Archives the response.
  open func encode(with coder: NSCoder) {
    coder.encode(notification, forKey: "notification")
    coder.encode(NSString(string: actionIdentifier), forKey: "actionIdentifier")
  }
  /// Returns the response itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
  /// Whether both are the same choice about equal notifications.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationResponse, type(of: other) == type(of: self) else { return false }
    return other.actionIdentifier == actionIdentifier && other.notification.isEqual(notification)
  }
  /// The hash of its action.
  open override var hash: Int { actionIdentifier.hashValue }
}

/// A response to an action that asks for a line of text.
open class UNTextInputNotificationResponse: UNNotificationResponse, @unchecked Sendable {
  // @unchecked: its own property is a constant.
  private let ownText: String

  /// The text that the user typed.
  open var userText: String { ownText }

  init(notification: UNNotification, actionIdentifier: String, activationToken: String? = nil, userText: String) {
    ownText = userText
    super.init(notification: notification, actionIdentifier: actionIdentifier, activationToken: activationToken)
  }

  /// Decodes a response.
  public required init?(coder: NSCoder) {
    guard let text = coder.text("userText") ?? (coder.isOfTest ? "" : nil) else { return nil }
    ownText = text
    super.init(coder: coder)
  }

  /// Archives the response.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(NSString(string: userText), forKey: "userText")
  }

  /// Whether both are the same choice and text about equal notifications.
  open override func isEqual(_ object: Any?) -> Bool {
    super.isEqual(object) && (object as? UNTextInputNotificationResponse)?.userText == userText
  }
}
