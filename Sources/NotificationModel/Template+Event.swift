// SPDX-License-Identifier: Apache-2.0

extension Template {
  /// The template with the values of an event in it, as the text of a template again; a placeholder whose value the
  /// event lacks stays as text.
  static func settled(_ text: String, _ event: [String: String], encode: (String) -> String = { $0 }) -> String {
    guard text.utf8.contains(UInt8(ascii: "{")), let template = try? Template(text) else { return text }
    return template.parts.map { part in
      switch part {
      case .place(.event(let key)): literal(event[key].map(encode) ?? "{event.\(key)}")
      case .place(let place): "{\(place.name)}"
      case .text(let words): literal(words)
      }
    }.joined()
  }

  /// The template that produces this text.
  private static func literal(_ text: some StringProtocol) -> String {
    var literal = ""
    var rest = Substring(text)
    while let brace = rest.firstIndex(of: "{") {
      literal += rest[..<brace]
      rest = rest[brace...]
      let length = name(in: rest, "{", "}").map { $0.count + 2 }
      literal += length.map { "{\(rest.prefix($0))}" } ?? "{"
      rest = rest.dropFirst(length ?? 1)
    }
    return literal + rest
  }
}

extension Template.Place {
  /// The word between the braces.
  fileprivate var name: String {
    switch self {
    case .id: "id"
    case .app: "app"
    case .action: "action"
    case .reply: "reply"
    case .title: "title"
    case .body: "body"
    case .userInfo(let key): "userInfo.\(key)"
    case .event(let key): "event.\(key)"
    }
  }
}
