// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What to show, when, and under which name.
open class UNNotificationRequest: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // @unchecked: all properties are constants.

  private let own: (identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?)

  /// The name of the request within the app. Adding another request with it replaces this one.
  open var identifier: String { own.identifier }
  /// What to show.
  open var content: UNNotificationContent { own.content }
  /// When to show it; nil for now.
  open var trigger: UNNotificationTrigger? { own.trigger }

  /// Creates a request, with a copy of the content.
  public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
    own = (identifier, content.copy() as? UNNotificationContent ?? content, trigger)
    super.init()
  }

  /// Decodes a request.
  public required convenience init?(coder: NSCoder) {
    guard let values = KeptValues(coder), let identifier = values.text("identifier") else { return nil }
    self.init(
      identifier: identifier, content: UNNotificationContent(kept: values.values("content") ?? KeptValues()),
      trigger: values.values("trigger").flatMap(UNNotificationTrigger.trigger(kept:)))
  }

  /// Requests can be archived.
  open class var supportsSecureCoding: Bool { true }
  /// Archives the request.
  open func encode(with coder: NSCoder) { kept.encode(with: coder) }
  /// Returns the request itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
  /// Whether both have the same name, content and trigger.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationRequest else { return false }
    return other.identifier == identifier && other.content.isEqual(content) && other.trigger == trigger
  }
  /// The hash of its name.
  open override var hash: Int { identifier.hashValue }
  /// Its name, for logs. The texts that the user sees are left out.
  open override var description: String { "<UNNotificationRequest \(identifier)>" }

  var kept: KeptValues {
    KeptValues(["identifier": identifier, "content": content.kept.values, "trigger": trigger?.keptWithClass?.values])
  }
}
