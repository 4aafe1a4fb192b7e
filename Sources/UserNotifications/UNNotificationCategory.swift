// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// How the notifications of a category behave.
public struct UNNotificationCategoryOptions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt
  /// From bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The delegate is told when the user dismisses a notification.
  public static let customDismissAction = UNNotificationCategoryOptions(rawValue: 1)
  /// Shown in a car. Without effect.
  public static let allowInCarPlay = UNNotificationCategoryOptions(rawValue: 2)
  /// Shows the title also while previews are hidden.
  public static let hiddenPreviewsShowTitle = UNNotificationCategoryOptions(rawValue: 4)
  /// Shows the subtitle also while previews are hidden.
  public static let hiddenPreviewsShowSubtitle = UNNotificationCategoryOptions(rawValue: 8)
  /// Read out by Siri. Without effect.
  public static let allowAnnouncement = UNNotificationCategoryOptions(rawValue: 16)
}

/// A named set of actions.
open class UNNotificationCategory: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // @unchecked: all properties are constants.

  private let own:
    (
      identifier: String, actions: [UNNotificationAction], intents: [String], options: UNNotificationCategoryOptions,
      placeholder: String, summary: String
    )

  /// The name that contents use.
  open var identifier: String { own.identifier }
  /// The buttons.
  open var actions: [UNNotificationAction] { own.actions }
  /// The intents that it belongs to. Kept for the app, without effect.
  open var intentIdentifiers: [String] { own.intents }
  /// How its notifications behave.
  open var options: UNNotificationCategoryOptions { own.options }
  /// What is shown in place of the text while previews are hidden. `%u` is the number of notifications of the thread.
  open var hiddenPreviewsBodyPlaceholder: String { own.placeholder }
  /// What a digest says of several notifications: `%u` is their number, and `%@` stands for their arguments.
  open var categorySummaryFormat: String { own.summary }

  /// Creates a category.
  public convenience init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    options: UNNotificationCategoryOptions = []
  ) {
    self.init(
      identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers, hiddenPreviewsBodyPlaceholder: "",
      categorySummaryFormat: "", options: options)
  }

  /// Creates a category with a text for hidden previews.
  public convenience init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    hiddenPreviewsBodyPlaceholder: String, options: UNNotificationCategoryOptions = []
  ) {
    self.init(
      identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers,
      hiddenPreviewsBodyPlaceholder: hiddenPreviewsBodyPlaceholder, categorySummaryFormat: "", options: options)
  }

  /// Creates a category with a text for hidden previews and the format of a summary.
  public init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    hiddenPreviewsBodyPlaceholder: String?, categorySummaryFormat: String?,
    options: UNNotificationCategoryOptions = []
  ) {
    own = (
      identifier, actions, intentIdentifiers, options, hiddenPreviewsBodyPlaceholder ?? "", categorySummaryFormat ?? ""
    )
    super.init()
  }

  // MARK: Keeping

  convenience init(kept: KeptValues) {
    self.init(
      identifier: kept.text("identifier") ?? "",
      actions: (kept.list("actions") ?? []).compactMap(UNNotificationAction.action(kept:)),
      intentIdentifiers: kept.texts("intentIdentifiers") ?? [],
      hiddenPreviewsBodyPlaceholder: kept.text("hiddenPreviewsBodyPlaceholder"),
      categorySummaryFormat: kept.text("categorySummaryFormat"),
      options: UNNotificationCategoryOptions(rawValue: kept.unsigned("options") ?? 0))
  }

  var kept: KeptValues {
    KeptValues([
      "identifier": identifier, "actions": actions.map(\.kept.values), "intentIdentifiers": intentIdentifiers,
      "hiddenPreviewsBodyPlaceholder": hiddenPreviewsBodyPlaceholder, "categorySummaryFormat": categorySummaryFormat,
      "options": Int(clamping: options.rawValue),
    ])
  }

  /// Decodes a category.
  public required convenience init?(coder: NSCoder) {
    guard let kept = KeptValues(coder) else { return nil }
    self.init(kept: kept)
  }

  /// Categories can be archived.
  open class var supportsSecureCoding: Bool { true }
  /// Archives the category.
  open func encode(with coder: NSCoder) { kept.encode(with: coder) }
  /// Returns the category itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
  /// Whether both have the same values.
  open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationCategory)?.kept == kept }
  /// The hash of its name.
  open override var hash: Int { identifier.hashValue }
}
