// SPDX-License-Identifier: Apache-2.0
internal import SystemFiles

/// A text in which only `{event.KEY}` is filled in: the title or the body of a request that waits for a condition.
///
/// `{{event.KEY}}` produces the text `{event.KEY}`. All other braces stay as they are.
package enum EventText {
  /// The longest value, in bytes: other programs send it, and it is stored.
  package static let longestValue = 1024

  /// The text with the values, each passed through `encode`; a missing one is empty.
  static func filled(_ text: String, _ event: [String: String], encode: (String) -> String = { $0 }) -> String {
    if isPlain(text) { return text }
    var filled = ""
    read(text) {
      filled += $0
    } key: {
      filled += encode(event[$0] ?? "")
    }
    return filled
  }

  /// Whether a text has no values to fill in.
  static func isPlain(_ text: String) -> Bool { !text.utf8.contains(UInt8(ascii: "{")) }

  /// The keys in the text.
  static func keys(in text: String) -> [String] {
    var keys: [String] = []
    read(text) { _ in
    } key: {
      keys.append($0)
    }
    return keys
  }

  private static func read(_ text: String, text tell: (Substring) -> Void, key: (String) -> Void) {
    var rest = text[...]
    while let brace = rest.firstIndex(of: "{") {
      tell(rest[..<brace])
      rest = rest[brace...]
      if let name = name(in: rest, "{{event.", "}}") {
        tell("{event.\(name)}")
        rest = rest.dropFirst(name.count + 10)
      } else if let name = name(in: rest, "{event.", "}") {
        key(String(name))
        rest = rest.dropFirst(name.count + 8)
      } else {
        tell(rest.prefix(1))
        rest = rest.dropFirst()
      }
    }
    tell(rest)
  }

  private static func name(in text: Substring, _ opening: String, _ closing: String) -> Substring? {
    guard text.hasPrefix(opening) else { return nil }
    let inside = text.dropFirst(opening.count)
    let name = inside.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    return !name.isEmpty && inside.dropFirst(name.count).hasPrefix(closing) ? name : nil
  }
}

extension NotificationRequest {
  /// Fills what happened into its texts, if it waits for a condition.
  package mutating func fill(with event: [String: String]) {
    guard content.mayNeedDetails, let occasions = schedule.occasions else { return }
    content.title = EventText.filled(content.title, event)
    content.subtitle = content.subtitle.map { EventText.filled($0, event) }
    // Other programs choose the values: they must not become markup.
    let isMarkup = content.markup
    content.body = content.body.map { body in
      EventText.filled(body, event) { isMarkup ? Self.escaped($0) : $0 }
    }
    if content.title.isEmpty && (content.body ?? "").isEmpty { content.title = occasions.condition.text }
  }

  /// The request with what happened also in what its buttons do, so that it needs no condition any more.
  package func settled(with event: [String: String]) -> NotificationRequest {
    guard !event.isEmpty else { return self }
    var settled = self
    settled.fill(with: event)
    settled.content.url = settled.content.url.map { Template.settled($0, event) { PercentCoding.encoded($0) } }
    settled.content.actions = settled.content.actions.map { action in
      var action = action
      switch action.effect {
      case .run(let words): action.effect = .run(words.map { Template.settled($0, event) })
      case .url(let url): action.effect = .url(Template.settled(url, event) { PercentCoding.encoded($0) })
      case .http(let call):
        action.effect = .http(
          call.mapped {
            Template.settled($0, event) { PercentCoding.encoded($0) }
          } texts: {
            Template.settled($0, event)
          })
      case .launch, .snooze, .snoozeUntil, nil: break
      }
      return action
    }
    return settled
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  /// Refuses `{event.KEY}` with a key that the condition does not have, or without a condition.
  func checkEventKeys() throws(RequestError) {
    if let condition = schedule.occasions?.condition {
      for (key, text) in [("title", content.title), ("subtitle", content.subtitle), ("body", content.body)] {
        for name in EventText.keys(in: text ?? "") { try Self.check(name, of: condition, in: key) }
      }
    }
    if let url = content.url { try checkEventKeys(in: [url], of: "url") }
    for (index, action) in content.actions.enumerated() {
      switch action.effect {
      case .run(let words): try checkEventKeys(in: words, of: "actions[\(index)].run")
      case .url(let url): try checkEventKeys(in: [url], of: "actions[\(index)].url")
      case .http(let call): try checkEventKeys(in: call.templates, of: "actions[\(index)].http")
      case .launch, .snooze, .snoozeUntil, nil: break
      }
    }
  }

  private func checkEventKeys(in texts: [String], of key: String) throws(RequestError) {
    for text in texts where text.contains("{event.") {
      for name in try Template(text).eventKeys {
        guard let condition = schedule.occasions?.condition else {
          throw RequestError(key, "has {event.\(name.asLine(longest: 60))}, which only a request with 'on' has")
        }
        try Self.check(name, of: condition, in: key)
      }
    }
  }

  private static func check(_ name: String, of condition: Condition, in key: String) throws(RequestError) {
    guard !condition.subject.hasEventKey(name) else { return }
    let keys = condition.subject.eventKeys + Condition.commonEventKeys
    let better = name.misspelling(ofOneOf: keys).map { "; did you mean {event.\($0)}?" } ?? ""
    throw RequestError(
      key,
      "has the unknown placeholder {event.\(name.asLine(longest: 60))}; '\(condition.subject.kind)' has "
        + keys.map { "{event.\($0)}" }.joined(separator: ", ") + better)
  }
}

extension NotificationRequest.Content {
  /// Whether its texts may contain `{event.KEY}`, or would be empty.
  package var mayNeedDetails: Bool {
    title.isEmpty || ![title, subtitle ?? "", body ?? ""].allSatisfy(EventText.isPlain)
  }
}
