// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// A message of ntfy: only what a link uses of it.
package struct NtfyMessage: Hashable, Sendable {
  /// The server's id of the message.
  package let id: String
  /// The id that later messages may replace or take back; nil if only this message has it.
  package let sequence: String?
  /// The topic that it was published to; empty if the server does not say.
  package let topic: String
  package let title: String?
  package let text: String
  /// 1 to 5; 3 is the usual one.
  package let priority: Int
  package let tags: [String]
  /// The page that a click opens, if it is one of the web.
  package let url: String?
  /// Whether its text is not text.
  package let isBinary: Bool
  /// The calls of servers that it asks for.
  package let calls: [LinkCall]
  /// Its icon, and an attachment that may be a picture.
  package let pictures: [LinkPicture]
  /// Whether it has actions that no link carries out.
  package let hasOtherActions: Bool

  init(_ id: String, sequence: String?, _ values: [String: PlainValue]) {
    func text(_ key: String) -> String? { if case .text(let text)? = values[key], !text.isEmpty { text } else { nil } }
    func integer(_ key: String) -> Int64? { if case .integer(let integer)? = values[key] { integer } else { nil } }
    (self.id, self.sequence, topic) = (id, sequence, text("topic") ?? "")
    (title, self.text) = (text("title"), text("message") ?? "")
    priority = integer("priority").flatMap { Int(exactly: $0) }.flatMap { (1...5).contains($0) ? $0 : nil } ?? 3
    tags = Self.texts(values["tags"])
    isBinary = text("encoding") == "base64"
    let actions = Self.actions(values["actions"])
    let pages = actions.compactMap { $0.kind == "view" ? LinkMessage.page($0.url) : nil }
    calls = Array(actions.compactMap { $0.kind == "http" ? LinkCall($0.words) : nil }.prefix(LinkCall.most))
    var attachment: String?
    if case .dictionary(let words)? = values["attachment"], case .text(let url)? = words["url"] { attachment = url }
    pictures = [LinkPicture(.icon, text("icon")), LinkPicture(.image, attachment)].compactMap(\.self)
    url = LinkMessage.page(text("click")) ?? pages.first
    // One page can be opened; a second one and an Android broadcast are left out.
    hasOtherActions =
      actions.count { $0.kind != "view" } > calls.count
      || Set(pages + [LinkMessage.page(text("click"))].compactMap(\.self)).count > 1
  }

  /// The message without its transport.
  var content: LinkMessage {
    var content = LinkMessage(id, text: text)
    (content.sequence, content.title, content.priority) = (sequence, title, priority)
    (content.tags, content.url, content.calls, content.pictures) = (tags, url, calls, pictures)
    return content
  }

  private static func texts(_ value: PlainValue?) -> [String] {
    guard case .list(let values)? = value else { return [] }
    return values.prefix(LinkMessage.mostTags).compactMap {
      if case .text(let text) = $0, text.utf8.count <= LinkMessage.longestTag { text } else { nil }
    }
  }

  private static func actions(_ value: PlainValue?) -> [(kind: String, url: String?, words: [String: PlainValue])] {
    guard case .list(let values)? = value else { return [] }
    return values.prefix(16).compactMap { value in
      guard case .dictionary(let values) = value, case .text(let kind)? = values["action"] else { return nil }
      if case .text(let url)? = values["url"] { return (kind, url, values) }
      return (kind, nil, values)
    }
  }
}
