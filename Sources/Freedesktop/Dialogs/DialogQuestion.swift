// SPDX-License-Identifier: Apache-2.0

/// A question for `suzu-window --dialog`, which reads it as JSON from its standard input, so that no text of it is on a
/// command line.
struct DialogQuestion {
  /// How the user answers.
  enum Answer {
    /// With one of these labels; the program prints its index.
    case choice([String])
    /// With a line of text, above which `hint` stands; the program prints it.
    case line(hint: String?, button: String?)
  }

  /// Whose question it is. The program shows it in its header, where no other text can be.
  let app: String
  let text: String
  let answer: Answer

  var json: String {
    var pairs = [("app", Self.quoted(app)), ("text", Self.quoted(text))]
    switch answer {
    case .choice(let labels):
      pairs.append(("choices", "[" + labels.map(Self.quoted).joined(separator: ",") + "]"))
    case .line(let hint, let button):
      pairs.append(("line", Self.quoted(hint ?? "")))
      if let button { pairs.append(("button", Self.quoted(button))) }
    }
    return "{" + pairs.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}\n"
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      // The other control characters are not allowed in JSON, and stand for nothing in a dialog.
      case _ where scalar.value < 0x20: result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
