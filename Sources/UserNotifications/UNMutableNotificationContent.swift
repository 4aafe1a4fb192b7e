// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import Synchronization

/// A content that can be changed until it becomes part of a request.
open class UNMutableNotificationContent: UNNotificationContent, @unchecked Sendable {
  // @unchecked: it has no property of its own; those of its superclass are behind the lock.

  // Written out, because the superclass has initializers that this module alone may use.

  /// Creates an empty content.
  public override init() { super.init() }
  override init(_ values: ContentValues) { super.init(values) }
  /// Decodes a content.
  public required init?(coder: NSCoder) { super.init(coder: coder) }

  private func change(_ change: (inout ContentValues) -> Void) { guarded.withLock { change(&$0) } }

  /// The headline.
  open override var title: String {
    get { values.title }
    set { change { $0.title = newValue } }
  }
  /// A second headline, shown as the first line of the text.
  open override var subtitle: String {
    get { values.subtitle }
    set { change { $0.subtitle = newValue } }
  }
  /// The text.
  open override var body: String {
    get { values.body }
    set { change { $0.body = newValue } }
  }
  /// The number on the app's launcher: nil keeps it, 0 removes it.
  open override var badge: NSNumber? {
    get { values.badge }
    set { change { $0.badge = newValue } }
  }
  /// The sound; nil for none.
  open override var sound: UNNotificationSound? {
    get { values.sound }
    set { change { $0.sound = newValue } }
  }
  /// Files that belong to it. The first image is shown.
  open override var attachments: [UNNotificationAttachment] {
    get { values.attachments }
    set { change { $0.attachments = newValue } }
  }
  /// The name of an image of an app that a click starts. Without effect.
  open override var launchImageName: String {
    get { values.launchImageName }
    set { change { $0.launchImageName = newValue } }
  }
  /// Values of the app, which it gets back with the response.
  open override var userInfo: [AnyHashable: Any] {
    get { values.userInfo }
    set { change { $0.userInfo = newValue } }
  }
  /// The category, which has the actions.
  open override var categoryIdentifier: String {
    get { values.categoryIdentifier }
    set { change { $0.categoryIdentifier = newValue } }
  }
  /// The name of the group that it is shown in.
  open override var threadIdentifier: String {
    get { values.threadIdentifier }
    set { change { $0.threadIdentifier = newValue } }
  }
  /// What an app should show for it. Kept for the app.
  open override var targetContentIdentifier: String? {
    get { values.targetContentIdentifier }
    set { change { $0.targetContentIdentifier = newValue } }
  }
  /// How urgent it is.
  open override var interruptionLevel: UNNotificationInterruptionLevel {
    get { values.interruptionLevel }
    set { change { $0.interruptionLevel = newValue } }
  }
  /// How important it is among those of the app, from 0 to 1. Kept for the app.
  open override var relevanceScore: Double {
    get { values.relevanceScore }
    set { change { $0.relevanceScore = newValue } }
  }
  /// What a Focus filters by. Kept for the app, without effect.
  open override var filterCriteria: String? {
    get { values.filterCriteria }
    set { change { $0.filterCriteria = newValue } }
  }
  /// A part of a summary. Kept for the app, without effect.
  open override var summaryArgument: String {
    get { values.summaryArgument }
    set { change { $0.summaryArgument = newValue } }
  }
  /// How many things it stands for in a summary. Kept for the app, without effect.
  open override var summaryArgumentCount: Int {
    get { values.summaryArgumentCount }
    set { change { $0.summaryArgumentCount = newValue } }
  }

  /// Returns an immutable copy.
  open override func copy(with zone: NSZone? = nil) -> Any { UNNotificationContent(values) }
}
