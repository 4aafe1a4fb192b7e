// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import RunningApp

/// How an app is started by an action.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum UIUserNotificationActivationMode: UInt, Sendable {
  /// It comes to the front.
  case foreground
  /// It stays where it is.
  case background
}

/// What an action asks for.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum UIUserNotificationActionBehavior: UInt, Sendable {
  /// Nothing.
  case `default`
  /// A line of text.
  case textInput
}

/// A parameter of an action: the label of the button that sends the text.
public let UIUserNotificationTextInputActionButtonTitleKey = "UIUserNotificationTextInputActionButtonTitleKey"
/// A key of the response: the text that the user typed.
public let UIUserNotificationActionResponseTypedTextKey = "UIUserNotificationActionResponseTypedTextKey"

/// A button of a notification. ``UIMutableUserNotificationAction`` makes one.
open class UIUserNotificationAction: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
  // @unchecked: all values are behind the lock.
  struct Values: @unchecked Sendable {
    var identifier: String?
    var title: String?
    var behavior = UIUserNotificationActionBehavior.default
    var parameters: [AnyHashable: Any] = [:]
    var activationMode = UIUserNotificationActivationMode.foreground
    var isAuthenticationRequired = false
    var isDestructive = false
  }

  let guarded: Guarded<Values>

  /// Creates an action without values.
  public override init() {
    guarded = Guarded(Values())
    super.init()
  }

  init(_ values: Values) {
    guarded = Guarded(values)
    super.init()
  }

  var values: Values { guarded.withLock { $0 } }

  /// The identifier, which the delegate gets.
  open var identifier: String? { values.identifier }
  /// The label of the button.
  open var title: String? { values.title }
  /// What it asks for.
  open var behavior: UIUserNotificationActionBehavior { values.behavior }
  /// The label of the button that sends a text.
  open var parameters: [AnyHashable: Any] { values.parameters }
  /// How the app is started.
  open var activationMode: UIUserNotificationActivationMode { values.activationMode }
  /// Whether it waits until the session is unlocked. One that brings the app to the front always does.
  open var isAuthenticationRequired: Bool { values.isAuthenticationRequired }
  /// Whether it deletes something.
  open var isDestructive: Bool { values.isDestructive }

  /// Returns an immutable copy.
  open func copy(with zone: NSZone? = nil) -> Any { UIUserNotificationAction(values) }
  /// Returns a mutable copy.
  open func mutableCopy(with zone: NSZone? = nil) -> Any { UIMutableUserNotificationAction(values) }
  /// Whether both have the same values.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = (object as? UIUserNotificationAction)?.values else { return false }
    let own = values
    return own.identifier == other.identifier && own.title == other.title && own.behavior == other.behavior
      && own.activationMode == other.activationMode && own.isDestructive == other.isDestructive
      && own.isAuthenticationRequired == other.isAuthenticationRequired
      && NSDictionary(dictionary: own.parameters).isEqual(NSDictionary(dictionary: other.parameters))
  }
  /// The hash of the identifier.
  open override var hash: Int { identifier.hashValue }
}

/// A button that can be changed until its category is registered.
open class UIMutableUserNotificationAction: UIUserNotificationAction, @unchecked Sendable {
  // @unchecked: it has no property of its own; those of its superclass are behind the lock.
  /// Creates an action without values.
  public override init() { super.init() }
  override init(_ values: Values) { super.init(values) }

  private func change(_ change: (inout Values) -> Void) { guarded.withLock { change(&$0) } }

  /// The identifier, which the delegate gets.
  open override var identifier: String? {
    get { values.identifier }
    set { change { $0.identifier = newValue } }
  }
  /// The label of the button.
  open override var title: String? {
    get { values.title }
    set { change { $0.title = newValue } }
  }
  /// What it asks for.
  open override var behavior: UIUserNotificationActionBehavior {
    get { values.behavior }
    set { change { $0.behavior = newValue } }
  }
  /// The label of the button that sends a text.
  open override var parameters: [AnyHashable: Any] {
    get { values.parameters }
    set { change { $0.parameters = newValue } }
  }
  /// How the app is started.
  open override var activationMode: UIUserNotificationActivationMode {
    get { values.activationMode }
    set { change { $0.activationMode = newValue } }
  }
  /// Whether it waits until the session is unlocked.
  open override var isAuthenticationRequired: Bool {
    get { values.isAuthenticationRequired }
    set { change { $0.isAuthenticationRequired = newValue } }
  }
  /// Whether it deletes something.
  open override var isDestructive: Bool {
    get { values.isDestructive }
    set { change { $0.isDestructive = newValue } }
  }
}
