// SPDX-License-Identifier: Apache-2.0

/// Splits a command line into words as a shell does: at spaces, with quotes and backslashes. Nothing is expanded, so
/// that no text that is filled in later can become a command.
enum CommandWords {
  /// - Parameter what: names the text in errors: the flag with its value, as typed.
  static func split(_ text: String, of what: String) throws(CommandError) -> [String] {
    var words: [String] = []
    // nil: between two words.
    var word: String?
    var quote: Character?
    var rest = text[...]
    while let character = rest.popFirst() {
      switch (character, quote) {
      case ("\\", nil),
        ("\\", "\"") where rest.first == "\"" || rest.first == "\\":
        guard let next = rest.popFirst() else { throw .usage("'\(what)' ends with a backslash") }
        word = (word ?? "") + String(next)
      case (_, let open?) where character == open: quote = nil
      case (_, .some): word?.append(character)
      case ("'", nil), ("\"", nil):
        quote = character
        word = word ?? ""
      case (_, nil) where character.isWhitespace:
        if let word { words.append(word) }
        word = nil
      case ("~", nil) where word == nil:
        throw .usage("'\(what)': no shell runs this, so '~' has no effect; write the whole path, or use sh -c '…'")
      case (_, nil) where operators.contains(character):
        throw .usage(
          "'\(what)': no shell runs this, so '\(character)' has no effect; quote it, or use sh -c '…'")
      default: word = (word ?? "") + String(character)
      }
    }
    if let quote { throw .usage("'\(what)': the quotation mark \(quote) is not closed") }
    if let word { words.append(word) }
    guard words.first?.isEmpty == false else { throw .usage("'\(what)' must name a program") }
    return words
  }

  /// The text as one word for a shell: in quotes, if it needs them.
  static func quoted(_ text: String) -> String {
    let text = PrintableText.line(text, atMost: 100)
    let isPlain =
      !text.isEmpty && text.first != "=" && text.utf8.allSatisfy { isLetterOrDigit($0) || ":-._/@=".utf8.contains($0) }
    return isPlain ? text : "'\(text.replacing("'", with: #"'\''"#))'"
  }

  /// A command line with a first argument, which may begin with a dash.
  static func command(_ verb: String, _ argument: String, _ flags: String = "") -> String {
    let flags = flags.isEmpty ? "" : " " + flags
    return argument.hasPrefix("-")
      ? "suzu \(verb)\(flags) -- \(quoted(argument))" : "suzu \(verb) \(quoted(argument))\(flags)"
  }

  /// A command in a message: in quotes, unless it has some itself.
  static func shown(_ command: String) -> String { command.contains("'") ? command : "'\(command)'" }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: byte > 127
    }
  }

  /// What only a shell carries out.
  private static let operators: Set<Character> = ["|", "&", ";", "<", ">", "(", ")", "$", "`", "*"]
}
