// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// How an action behaves.
public struct UNNotificationActionOptions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt
  /// From bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// It waits until the session is unlocked.
  public static let authenticationRequired = UNNotificationActionOptions(rawValue: 1)
  /// It deletes something, and its button is marked.
  public static let destructive = UNNotificationActionOptions(rawValue: 2)
  /// It brings the app to the front.
  public static let foreground = UNNotificationActionOptions(rawValue: 4)
}

/// A button of a notification.
open class UNNotificationAction: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // @unchecked: all properties are constants.

  private let own:
    (identifier: String, title: String, options: UNNotificationActionOptions, icon: UNNotificationActionIcon?)

  /// The identifier, which the delegate gets.
  open var identifier: String { own.identifier }
  /// The label of the button.
  open var title: String { own.title }
  /// How it behaves.
  open var options: UNNotificationActionOptions { own.options }
  /// The icon, for servers that draw icons on buttons.
  open var icon: UNNotificationActionIcon? { own.icon }

  /// Creates an action without an icon.
  public convenience init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
    self.init(identifier: identifier, title: title, options: options, icon: nil)
  }

  /// Creates an action.
  public init(
    identifier: String, title: String, options: UNNotificationActionOptions = [], icon: UNNotificationActionIcon?
  ) {
    own = (identifier, title, options, icon)
    super.init()
  }

  /// Decodes an action.
  public required init?(coder: NSCoder) {
    guard let kept = KeptValues(coder), let identifier = kept.text("identifier") else { return nil }
    own = (
      identifier, kept.text("title") ?? "", UNNotificationActionOptions(rawValue: kept.unsigned("options") ?? 0),
      kept.values("icon").map(UNNotificationActionIcon.init(kept:))
    )
    super.init()
  }

  var kept: KeptValues {
    KeptValues([
      "identifier": identifier, "title": title, "options": options.isEmpty ? nil : Int(clamping: options.rawValue),
      "icon": icon?.kept.values,
    ])
  }

  /// Reads an action of either class.
  static func action(kept: KeptValues) -> UNNotificationAction? {
    guard let identifier = kept.text("identifier") else { return nil }
    let title = kept.text("title") ?? ""
    let options = UNNotificationActionOptions(rawValue: kept.unsigned("options") ?? 0)
    let icon = kept.values("icon").map(UNNotificationActionIcon.init(kept:))
    guard let button = kept.text("textInputButtonTitle") else {
      return UNNotificationAction(identifier: identifier, title: title, options: options, icon: icon)
    }
    return UNTextInputNotificationAction(
      identifier: identifier, title: title, options: options, icon: icon, textInputButtonTitle: button,
      textInputPlaceholder: kept.text("textInputPlaceholder") ?? "")
  }

  /// Actions can be archived.
  open class var supportsSecureCoding: Bool { true }
  /// Archives the action.
  open func encode(with coder: NSCoder) { kept.encode(with: coder) }
  /// Returns the action itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
  /// Whether both have the same values.
  open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationAction)?.kept == kept }
  /// The hash of its identifier.
  open override var hash: Int { identifier.hashValue }
}

/// An action that asks for a line of text.
open class UNTextInputNotificationAction: UNNotificationAction, @unchecked Sendable {
  // @unchecked: its own property is a constant, as are those of its superclass.
  private let texts: (button: String, placeholder: String)

  /// The label of the button that sends the text.
  open var textInputButtonTitle: String { texts.button }
  /// The placeholder of the empty line.
  open var textInputPlaceholder: String { texts.placeholder }

  /// Creates an action without an icon.
  public convenience init(
    identifier: String, title: String, options: UNNotificationActionOptions = [], textInputButtonTitle: String,
    textInputPlaceholder: String
  ) {
    self.init(
      identifier: identifier, title: title, options: options, icon: nil, textInputButtonTitle: textInputButtonTitle,
      textInputPlaceholder: textInputPlaceholder)
  }

  /// Creates an action.
  public init(
    identifier: String, title: String, options: UNNotificationActionOptions = [], icon: UNNotificationActionIcon?,
    textInputButtonTitle: String, textInputPlaceholder: String
  ) {
    texts = (textInputButtonTitle, textInputPlaceholder)
    super.init(identifier: identifier, title: title, options: options, icon: icon)
  }

  /// Creates an action whose button and placeholder have no texts of their own.
  public override init(
    identifier: String, title: String, options: UNNotificationActionOptions = [], icon: UNNotificationActionIcon?
  ) {
    texts = ("", "")
    super.init(identifier: identifier, title: title, options: options, icon: icon)
  }

  /// Decodes an action.
  public required init?(coder: NSCoder) {
    guard let kept = KeptValues(coder), let button = kept.text("textInputButtonTitle") else { return nil }
    texts = (button, kept.text("textInputPlaceholder") ?? "")
    super.init(coder: coder)
  }

  override var kept: KeptValues {
    KeptValues(
      super.kept.values.merging([
        "textInputButtonTitle": textInputButtonTitle, "textInputPlaceholder": textInputPlaceholder,
      ]) { $1 })
  }
}

/// The icon of an action.
open class UNNotificationActionIcon: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // @unchecked: all properties are constants.
  let name: String
  let isOfSystem: Bool

  init(_ name: String, isOfSystem: Bool) {
    self.name = name
    self.isOfSystem = isOfSystem
    super.init()
  }

  /// An image of the app. Servers draw only icons of the theme, so it is kept, and shown if the theme has one with this
  /// name.
  public convenience init(templateImageName: String) { self.init(templateImageName, isOfSystem: false) }

  /// A symbol of Apple's system. The icon theme's nearest icon is shown, or the one with this name.
  public convenience init(systemImageName: String) { self.init(systemImageName, isOfSystem: true) }

  convenience init(kept: KeptValues) { self.init(kept.text("name") ?? "", isOfSystem: kept["system"] == true) }

  var kept: KeptValues { KeptValues(["name": name, "system": isOfSystem]) }

  /// Decodes an icon.
  public required convenience init?(coder: NSCoder) {
    guard let kept = KeptValues(coder) else { return nil }
    self.init(kept: kept)
  }

  /// Icons can be archived.
  open class var supportsSecureCoding: Bool { true }
  /// Archives the icon.
  open func encode(with coder: NSCoder) { kept.encode(with: coder) }
  /// Returns the icon itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
  /// Whether both have the same name and origin.
  open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationActionIcon)?.kept == kept }
  /// The hash of its name.
  open override var hash: Int { name.hashValue }
}
