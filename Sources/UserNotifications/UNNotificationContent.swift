// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import Synchronization

/// What a notification shows. ``UNMutableNotificationContent`` makes one.
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying, NSSecureCoding, @unchecked Sendable {
  // @unchecked: all values are behind the lock.
  let guarded: Mutex<ContentValues>

  /// Creates an empty content.
  public override init() {
    guarded = Mutex(ContentValues())
    super.init()
  }

  init(_ values: ContentValues) {
    guarded = Mutex(values)
    super.init()
  }

  /// Decodes a content.
  public required init?(coder: NSCoder) {
    guard let kept = KeptValues(coder) else { return nil }
    guarded = Mutex(ContentValues(kept: kept))
    super.init()
  }

  convenience init(kept: KeptValues) { self.init(ContentValues(kept: kept)) }

  var values: ContentValues { guarded.withLock { $0 } }
  var kept: KeptValues { values.kept }

  // MARK: Texts

  /// The headline.
  open var title: String { values.title }
  /// A second headline, shown as the first line of the text.
  open var subtitle: String { values.subtitle }
  /// The text.
  open var body: String { values.body }

  // MARK: Sounds and pictures

  /// The number on the app's launcher: nil keeps it, 0 removes it.
  open var badge: NSNumber? { values.badge }
  /// The sound; nil for none.
  open var sound: UNNotificationSound? { values.sound }
  /// Files that belong to it. The first image is shown.
  open var attachments: [UNNotificationAttachment] { values.attachments }
  /// The name of an image of an app that a click starts. Without effect.
  open var launchImageName: String { values.launchImageName }

  // MARK: Behaviour

  /// Values of the app, which it gets back with the response: strings, numbers, dates, data, arrays and dictionaries.
  open var userInfo: [AnyHashable: Any] { values.userInfo }
  /// The category, which has the actions.
  open var categoryIdentifier: String { values.categoryIdentifier }
  /// The name of the group that it is shown in.
  open var threadIdentifier: String { values.threadIdentifier }
  /// What an app should show for it. Kept for the app.
  open var targetContentIdentifier: String? { values.targetContentIdentifier }
  /// How urgent it is.
  open var interruptionLevel: UNNotificationInterruptionLevel { values.interruptionLevel }
  /// How important it is among those of the app, from 0 to 1: a digest names the most important ones first.
  open var relevanceScore: Double { values.relevanceScore }
  /// What a Focus filters by. Kept for the app, without effect.
  open var filterCriteria: String? { values.filterCriteria }
  /// What the summary of its category names, such as a sender.
  open var summaryArgument: String { values.summaryArgument }
  /// How many things it stands for in the summary of its category.
  open var summaryArgumentCount: Int { values.summaryArgumentCount }

  // MARK: Copies

  /// Returns an immutable copy.
  open func copy(with zone: NSZone? = nil) -> Any {
    type(of: self) == UNNotificationContent.self ? self : UNNotificationContent(values)
  }
  /// Returns a mutable copy, a ``UNMutableNotificationContent``.
  open func mutableCopy(with zone: NSZone? = nil) -> Any { UNMutableNotificationContent(values) }
  /// Contents can be archived.
  open class var supportsSecureCoding: Bool { true }
  /// Archives the content.
  open func encode(with coder: NSCoder) { kept.encode(with: coder) }
  /// Whether both have the same values.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationContent else { return false }
    return other === self || other.values == values
  }
  /// The hash of its texts.
  open override var hash: Int {
    let values = values
    return [values.title, values.subtitle, values.body].hashValue
  }

  /// Returns the content with what a provider adds to it. No provider of Linux exists, so this always throws
  /// ``UNError/contentProvidingObjectNotAllowed``.
  open func updating(from provider: any UNNotificationContentProviding) throws -> UNNotificationContent {
    throw UNError(
      .contentProvidingObjectNotAllowed, "a \(type(of: provider)) does not change the content of a notification here")
  }
}

/// An object that adds to the content of a notification, such as an intent for sending a message. Linux has none.
public protocol UNNotificationContentProviding: NSObjectProtocol {}
