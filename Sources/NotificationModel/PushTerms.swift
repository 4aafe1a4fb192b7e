// SPDX-License-Identifier: Apache-2.0

/// What the pushes of one sender may use. The machine that receives them decides, never the sender.
package struct PushTerms: Hashable, Sendable {
  /// The levels; nil for all. Another one is lowered to `active`.
  package var levels: Set<NotificationRequest.Level>?
  /// The categories; nil for all that are registered. Another one is left out.
  package var categories: Set<Identifier>?
  /// The schemes of URLs, in lower case.
  package var schemes: Set<String>
  /// The buttons that the receiver adds, in place of those of a category.
  package var actions: [Action] = []
  /// The pictures that the receiver has fetched.
  package var icon: Picture?
  package var image: Picture?

  /// The schemes that any push may use.
  package static let usualSchemes: Set<String> = ["http", "https", "mailto", "tel", "sms", "xmpp", "geo"]

  package init(
    levels: Set<NotificationRequest.Level>? = nil, categories: Set<Identifier>? = nil,
    schemes: Set<String> = usualSchemes
  ) {
    self.levels = levels
    self.categories = categories
    self.schemes = schemes
  }

  /// The level of a push that asks for this one. If `active` is not allowed either, it is `passive`.
  func lowered(_ level: NotificationRequest.Level) -> NotificationRequest.Level {
    guard let levels, !levels.contains(level) else { return level }
    return levels.contains(.active) ? .active : .passive
  }

  /// Reads the name of a level, as Apple or as Suzu writes it.
  package static func level(_ name: String, of key: String) throws(RequestError) -> NotificationRequest.Level {
    if name == "time-sensitive" { return .timeSensitive }
    guard let level = NotificationRequest.Level(rawValue: name) else {
      throw RequestError(
        key, "must be one of 'passive', 'active', 'time-sensitive', 'critical', not \(name.quoted)")
    }
    return level
  }
}
