// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// A message to a topic of ntfy, as <https://docs.ntfy.sh/publish/#publish-as-json> describes it.
package struct NtfyPublication: Hashable, Sendable {
  /// The body of the request, in JSON.
  package let json: String

  /// The longest text. The server would turn a longer one into an attachment, which no lock screen shows.
  package static let longestText = 4000
  /// The longest title.
  package static let longestTitle = 250

  /// The publication of a message.
  package init(_ message: OutgoingMessage, on topic: String) {
    var words: [String: PlainValue] = [
      "topic": .text(topic), "priority": .integer(Self.priority(of: message.level)),
      // Servers from 2.16 on know it, and the others ignore it.
      "sequence_id": .text(message.id),
    ]
    // Without a text, the server would make one up.
    if message.text.isEmpty {
      words["message"] = .text(Self.cut(message.title.isEmpty ? "Notification" : message.title, to: Self.longestText))
    } else {
      words["message"] = .text(Self.cut(message.text, to: Self.longestText))
      if !message.title.isEmpty { words["title"] = .text(Self.cut(message.title, to: Self.longestTitle)) }
    }
    words["click"] = message.url.map { .text($0) }
    json = PlainValue.dictionary(words).json
  }

  /// The publication of an answer to a message. Its reply is cut if that is too long; the other desktops need not know
  /// all of it.
  package init(_ answer: LinkAnswer, on topic: String) {
    var answer = answer
    let excess = answer.json.utf8.count - Self.longestText
    if excess > 0, let reply = answer.reply { answer.reply = LinkPush.shortened(reply, by: excess) }
    json =
      PlainValue.dictionary([
        "topic": .text(topic), "message": .text(answer.json), "tags": .list([.text(LinkAnswer.mark)]),
        "priority": .integer(1),
      ]).json
  }

  /// The inverse of the level of a received priority.
  private static func priority(of level: NotificationRequest.Level) -> Int64 {
    switch level {
    case .passive: 2
    case .active: 3
    case .timeSensitive: 4
    case .critical: 5
    }
  }

  private static func cut(_ text: String, to limit: Int) -> String {
    if text.utf8.count <= limit { return text }
    var rest = text.unicodeScalars[...]
    var size = text.utf8.count
    while size > limit - 3, let last = rest.popLast() { size -= UTF8.width(last) }
    return String(rest) + "…"
  }
}
