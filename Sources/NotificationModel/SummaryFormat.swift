// SPDX-License-Identifier: Apache-2.0

/// A text of a category with a number in it, such as `{count} more messages from {names}` about several notifications
/// that are told as one.
///
/// `{{count}}` produces the text `{count}`. Other braces stay as they are.
public struct SummaryFormat: Hashable, Sendable {
  private enum Part: Hashable {
    case text(String)
    case count
    case names
  }

  /// The text of the author.
  public let text: String
  private var parts: [Part] = []

  /// The maximum length in bytes. A digest has one such text for each group in it.
  static let longest = 1000

  /// Refuses unknown placeholders.
  ///
  /// - Parameter hasNames: whether `{names}` is known.
  public init(_ text: String, hasNames: Bool = true) throws(RequestError) {
    guard text.utf8.count <= Self.longest else {
      throw RequestError("", "has \(text.utf8.count) bytes; at most \(Self.longest) are allowed")
    }
    self.text = text
    var (rest, literal) = (text[...], "")
    while let brace = rest.firstIndex(of: "{") {
      literal += rest[..<brace]
      rest = rest[brace...]
      if let name = Template.name(in: rest, "{{", "}}") {
        literal += rest.dropFirst().prefix(name.count + 2)
        rest = rest.dropFirst(name.count + 4)
      } else if let name = Template.name(in: rest, "{", "}") {
        guard name == "count" || hasNames && name == "names" else {
          let known = hasNames ? "known are {count} and {names}" : "known is {count}"
          throw RequestError(
            "",
            "has the unknown placeholder {\(String(name).asLine(longest: 60))}; \(known); write {{…}} for literal braces"
          )
        }
        parts += [.text(literal), name == "count" ? .count : .names]
        literal = ""
        rest = rest.dropFirst(name.count + 2)
      } else {
        literal += rest.prefix(1)
        rest = rest.dropFirst()
      }
    }
    parts.append(.text(literal + rest))
  }

  /// The text for this many things, and the names of what they are about.
  public func filled(count: Int, names: String = "") -> String {
    parts.reduce(into: "") { text, part in
      switch part {
      case .text(let literal): text += literal
      case .count: text += "\(count)"
      case .names: text += names
      }
    }
  }
}
