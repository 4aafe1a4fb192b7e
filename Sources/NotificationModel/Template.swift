// SPDX-License-Identifier: Apache-2.0

/// A text with placeholders that are filled in when an action is carried out: `{id}`, `{reply}`, `{userInfo.track}`.
///
/// `{{id}}` produces the text `{id}`. Other braces stay as they are, and so does `${NAME}`, unless the name is one of
/// ours.
public struct Template: Hashable, Sendable {
  /// A placeholder.
  public enum Place: Hashable, Sendable {
    /// The request's id.
    case id
    /// The app that owns the request.
    case app
    /// The chosen action.
    case action
    /// The text that the user typed; empty if none was requested.
    case reply
    /// The request's headline.
    case title
    /// The request's text.
    case body
    /// An entry of the request's `userInfo`.
    case userInfo(String)
    /// A detail of what happened, if the request waited for a condition.
    case event(String)

    init?(_ name: Substring) {
      switch name {
      case "id": self = .id
      case "app": self = .app
      case "action": self = .action
      case "reply": self = .reply
      case "title": self = .title
      case "body": self = .body
      case let name where name.hasPrefix("userInfo.") && name.utf8.count > "userInfo.".utf8.count:
        self = .userInfo(String(name.dropFirst("userInfo.".count)))
      case let name where name.hasPrefix("event.") && name.utf8.count > "event.".utf8.count:
        self = .event(String(name.dropFirst("event.".count)))
      default: return nil
      }
    }
  }

  enum Part: Hashable, Sendable {
    case text(Substring)
    case place(Place)
  }

  private(set) var parts: [Part] = []

  /// Whether the text has placeholders.
  public var hasPlaces: Bool {
    parts.contains { if case .place = $0 { true } else { false } }
  }

  /// The keys of `userInfo` that it needs.
  public var userInfoKeys: [String] {
    parts.compactMap { if case .place(.userInfo(let key)) = $0 { key } else { nil } }
  }

  /// The keys of `event` that it needs.
  var eventKeys: [String] {
    parts.compactMap { if case .place(.event(let key)) = $0 { key } else { nil } }
  }

  /// Refuses unknown names.
  public init(_ text: String) throws(RequestError) {
    // Most texts have no braces, and searching letter by letter takes long.
    guard text.utf8.contains(UInt8(ascii: "{")) else {
      add(text[...])
      return
    }
    var rest = text[...]
    while let brace = rest.firstIndex(of: "{") {
      let isVariable = rest[..<brace].last == "$"
      add(rest[..<brace])
      rest = rest[brace...]
      if let name = Self.name(in: rest, "{{", "}}") {
        add(rest.dropFirst().prefix(name.count + 2))
        rest = rest.dropFirst(name.count + 4)
      } else if let name = Self.name(in: rest, "{", "}") {
        if let place = Place(name) {
          parts.append(.place(place))
        } else if isVariable {
          add(rest.prefix(name.count + 2))
        } else {
          throw RequestError(
            "",
            "has the unknown placeholder {\(String(name).asLine(longest: 60))}; known are {id}, {app}, {action}, "
              + "{reply}, {title}, {body}, {userInfo.KEY} and {event.KEY}; write {{…}} for literal braces")
        }
        rest = rest.dropFirst(name.count + 2)
      } else {
        add(rest.prefix(1))
        rest = rest.dropFirst()
      }
    }
    add(rest)
  }

  private mutating func add(_ text: Substring) {
    if !text.isEmpty { parts.append(.text(text)) }
  }

  /// The placeholder name at the start of `text`: letters, digits and a few marks, or any key of `userInfo`.
  static func name(in text: Substring, _ opening: String, _ closing: String) -> Substring? {
    guard text.hasPrefix(opening) else { return nil }
    let inside = text.dropFirst(opening.count)
    let name = inside.prefix { $0 != "}" && $0 != "{" }
    guard let first = name.first, first.isASCII, first.isLetter, inside.dropFirst(name.count).hasPrefix(closing) else {
      return nil
    }
    let isName =
      name.hasPrefix("userInfo.") || name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_.".contains($0)) }
    return isName ? name : nil
  }

  /// A template whose result is this text, whatever it contains.
  package static func escaped(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let brace = rest.firstIndex(of: "{") {
      result += rest[..<brace]
      rest = rest[brace...]
      if let name = name(in: rest, "{", "}") {
        result += "{{\(name)}}"
        rest = rest.dropFirst(name.count + 2)
      } else {
        result += "{"
        rest = rest.dropFirst()
      }
    }
    return result + rest
  }

  /// The length in bytes if each placeholder has the given length.
  func length(_ lengthOf: (Place) -> Int) -> Int {
    parts.reduce(0) { sum, part in
      switch part {
      case .text(let words): sum + words.utf8.count
      case .place(let place): sum + lengthOf(place)
      }
    }
  }

  /// A value that is missing or cannot be filled in.
  public struct Gap: Error, Hashable, CustomStringConvertible {
    /// The problem in a few words.
    public let description: String

    /// Creates a gap with its problem.
    public init(_ description: String) { self.description = description }
  }

  /// Fills in the placeholders.
  ///
  /// - Parameter encode: applied to the values only.
  public func filled(
    for response: Response, of request: NotificationRequest, encode: (String) -> String = { $0 }
  ) throws(Gap) -> String {
    var text = ""
    for part in parts {
      switch part {
      case .text(let words): text += words
      case .place(let place): text += encode(try Self.value(of: place, response, request))
      }
    }
    // No argument or URL can contain it; truncated there, it would be a different one.
    if text.utf8.contains(0) { throw Gap("a value contains a NUL character") }
    return text
  }

  private static func value(
    of place: Place, _ response: Response, _ request: NotificationRequest
  ) throws(Gap) -> String {
    switch place {
    case .id: return response.id
    case .app: return response.app
    case .action: return response.action
    case .reply: return response.reply ?? ""
    case .title: return request.content.title
    case .body: return request.content.body ?? ""
    case .userInfo(let key):
      switch request.content.userInfo[key] {
      case .text(let text): return text
      case let value?: return value.json
      // An empty argument could have a completely different meaning to the program.
      case nil: throw Gap("userInfo has no \(key.quoted)")
      }
    case .event(let key):
      guard let text = response.event[key] else { throw Gap("the event has no \(key.quoted)") }
      return text
    }
  }
}
