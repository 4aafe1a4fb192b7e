// SPDX-License-Identifier: Apache-2.0
package import NotificationModel

/// What a link tells the center of a message: the arguments of `Push`.
package struct LinkPush: Hashable, Sendable {
  package let app: String
  /// As for Apple's push service.
  package let payload: [String: PlainValue]
  /// The id, to know duplicates by.
  package let id: String
  /// The id of its notification, which later ones of the same link replace. A sender names no other request of the app.
  package let collapse: String
  package let levels: [String]
  package let categories: [String]
  /// When it expires, in Unix seconds; nil for never.
  package let expires: Int64?
  /// The buttons that call servers: those that the link allows.
  package let calls: [LinkCall]
  /// The pictures that are to be fetched: those that the link allows.
  package var pictures: [LinkPicture]
  /// The files of those that were.
  package var files: [LinkPicture.Kind: String] = [:]
  /// The name of the link, and where the answer goes; nil if it goes nowhere.
  package let answers: Route?
  /// Whether the message asks for others, too.
  package let hasOtherCalls: Bool

  /// The id of the notification that a sender calls so.
  package static func id(of sequence: String, from name: LinkName) -> String { "\(name)/\(sequence)" }

  /// Where an answer goes.
  package struct Route: Hashable, Sendable {
    package let link: String
    package let place: String
  }

  /// The longest payload that the center takes, in bytes of JSON.
  package static let longest = 4096

  /// The arguments for a message; nil if its text is to be read as a payload, and is not valid.
  package init?(_ message: NtfyMessage, of link: LinkDefinition, _ name: LinkName) {
    var content = message.content
    content.answerPlace = link.answerTopic
    self.init(content, of: link, name)
  }

  /// The arguments for a message; nil if its text is to be read as a payload, and is not valid.
  package init?(_ message: LinkMessage, of link: LinkDefinition, _ name: LinkName) {
    app = link.app.text
    (id, collapse) = (message.id, Self.id(of: message.sequence ?? message.id, from: name))
    levels = link.levels.map(\.rawValue)
    categories = link.allowedCategories
    expires = message.expires
    answers = link.answers ? message.answerPlace.map { Route(link: name.text, place: $0) } : nil
    calls = message.calls.filter { link.hosts.contains($0.host) }.map { $0.under(name) }
    pictures = link.pictures ? message.pictures.filter { link.hosts.contains($0.host) } : []
    hasOtherCalls = calls.count < message.calls.count
    switch link.format {
    case .text: payload = Self.payload(message, of: link)
    case .apns:
      guard case .dictionary(var values)? = try? JSONReader.read(message.text),
        case .dictionary(var words)? = values["aps"]
      else { return nil }
      if let category = link.category, words["category"] == nil {
        words["category"] = .text(category.text)
        values["aps"] = .dictionary(words)
      }
      payload = values
    }
  }

  private static func payload(_ message: LinkMessage, of link: LinkDefinition) -> [String: PlainValue] {
    let whole = payload(message, text: message.text, of: link)
    let excess = PlainValue.dictionary(whole).json.utf8.count - longest
    return excess > 0 ? payload(message, text: shortened(message.text, by: excess), of: link) : whole
  }

  /// Shortens a text by at least as many bytes of JSON.
  static func shortened(_ text: String, by excess: Int) -> String {
    let mark = "…"
    var rest = text.unicodeScalars[...]
    var left = excess + mark.utf8.count
    while left > 0, let last = rest.popLast() { left -= PlainValue.text(String(last)).json.utf8.count - 2 }
    return String(rest) + mark
  }

  private static func payload(
    _ message: LinkMessage, text: String, of link: LinkDefinition
  ) -> [String: PlainValue] {
    var alert: [String: PlainValue] = ["body": .text(text)]
    alert["title"] = message.title.map { .text($0) }
    var words: [String: PlainValue] = ["alert": .dictionary(alert)]
    words["interruption-level"] = .text(Self.word(level(message.priority, of: link)))
    words["category"] = link.category.map { .text($0.text) }
    words["url"] = message.url.map { .text($0) }
    var payload: [String: PlainValue] = ["aps": .dictionary(words)]
    if !message.tags.isEmpty { payload["tags"] = .list(message.tags.map { .text($0) }) }
    return payload
  }

  /// The level of a priority; the next lower one that the link may use, or else its lowest.
  private static func level(_ priority: Int, of link: LinkDefinition) -> NotificationRequest.Level {
    let all = NotificationRequest.Level.allCases
    let wanted: NotificationRequest.Level =
      switch priority {
      case ...2: .passive
      case 3: .active
      case 4: .timeSensitive
      default: .critical
      }
    let allowed = all.filter(link.levels.contains)
    let rank = all.firstIndex(of: wanted) ?? 0
    return allowed.last { (all.firstIndex(of: $0) ?? 0) <= rank } ?? allowed.first ?? .passive
  }

  /// The word of Apple's push service.
  private static func word(_ level: NotificationRequest.Level) -> String {
    level == .timeSensitive ? "time-sensitive" : level.rawValue
  }
}
