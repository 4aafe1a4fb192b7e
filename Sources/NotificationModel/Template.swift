// SPDX-License-Identifier: Apache-2.0

/// A text with places that are filled in when an action is carried out: `{id}`, `{reply}`, `{userInfo.track}`.
///
/// `{{id}}` stands for the text `{id}`. A brace that begins no name is a brace, and `${NAME}` is left to whoever reads
/// it, unless the name is one of ours.
public struct Template: Hashable, Sendable {
  /// What can be filled in.
  public enum Place: Hashable, Sendable {
    /// The request's identifier.
    case id
    /// Whose request it is.
    case app
    /// The action that was chosen.
    case action
    /// What the user typed; nothing, where nothing was asked.
    case reply
    /// The request's headline.
    case title
    /// The request's text.
    case body
    /// An entry of the request's `userInfo`.
    case userInfo(String)

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
      default: return nil
      }
    }
  }

  private enum Part: Hashable, Sendable {
    case text(Substring)
    case place(Place)
  }

  private var parts: [Part] = []

  /// Whether anything is filled in at all.
  public var hasPlaces: Bool {
    parts.contains { if case .place = $0 { true } else { false } }
  }

  /// Refuses names that are not known.
  public init(_ text: String) throws(RequestError) {
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
            "has the unknown place {\(String(name).asLine(longest: 60))}: there are {id}, {app}, {action}, {reply}, "
              + "{title}, {body} and {userInfo.KEY}; the text itself is written {{…}}")
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

  /// The name that `text` begins with, between these braces: letters, digits and a few marks, or any key of `userInfo`.
  private static func name(in text: Substring, _ opening: String, _ closing: String) -> Substring? {
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

  /// How many bytes the text has where each place has so many.
  func length(_ lengthOf: (Place) -> Int) -> Int {
    parts.reduce(0) { sum, part in
      switch part {
      case .text(let words): sum + words.utf8.count
      case .place(let place): sum + lengthOf(place)
      }
    }
  }

  /// What is not there to be filled in, or cannot be.
  public struct Gap: Error, Hashable, CustomStringConvertible {
    /// In half a sentence.
    public let description: String

    /// Half a sentence.
    public init(_ description: String) { self.description = description }
  }

  /// The text with its places filled.
  ///
  /// - Parameter encode: applied to what is filled in, and to nothing else.
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
    // No argument and no URL can carry it; cut off there it would be another one.
    if text.utf8.contains(0) { throw Gap("a value holds the character NUL") }
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
    case .title: return request.title
    case .body: return request.body ?? ""
    case .userInfo(let key):
      switch request.userInfo[key] {
      case .text(let text): return text
      case let value?: return value.json
      // An empty argument in its place could mean something quite different to the program.
      case nil: throw Gap("userInfo has no \(key.quoted)")
      }
    }
  }
}
