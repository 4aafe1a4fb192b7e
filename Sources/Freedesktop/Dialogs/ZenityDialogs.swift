// SPDX-License-Identifier: Apache-2.0

/// The dialogs of `zenity`. It reads the rows of a list from its input, and has its other texts on the command line.
struct ZenityDialogs: DialogProgram {
  let name = "zenity"
  // Its own 1 is also GTK's exit status without a screen.
  let cancellationStatus: Int32 = 3
  /// zenity reads its exit statuses from the environment, where they may have been changed.
  let environment = ["ZENITY_OK": "0", "ZENITY_CANCEL": "3", "ZENITY_ESC": "3", "ZENITY_ERROR": "2"]

  func command(for list: Chooser) -> DialogCommand? {
    let title = DialogText.line(list.title)
    // Wide enough for a sentence, and high enough for the rows, up to half a screen. zenity 4 draws 240 pixels around
    // the rows: with less, the last ones are out of sight.
    let height = 240 + 24 * min(list.choices.count + (list.heading.isEmpty ? 0 : 1), 12)
    let arguments = [
      "--list", "--title=" + title, "--text=" + Self.markup(title), "--hide-header", "--column=number",
      "--column=label", "--hide-column=1", "--print-column=1", "--width=420", "--height=\(height)",
    ]
    // The heading is a row that can be selected like the others, but it is not a choice.
    return DialogCommand(arguments: arguments, input: Self.rows(of: list), outputOfNoChoice: Self.headingKey)
  }

  func command(for line: Prompt) -> DialogCommand? {
    let text = Self.label(DialogText.paragraph(line.text))
    return DialogCommand(
      arguments: ["--entry", "--title=" + DialogText.line(line.title), "--text=" + text, "--width=420"])
  }

  private static let headingKey = "-"

  /// Each cell is a line. Some versions drop an empty one.
  private static func rows(of list: Chooser) -> String {
    func row(_ key: String, _ text: String) -> String { "\(key)\n\(text.isEmpty ? " " : DialogText.line(text))\n" }
    let first = list.heading.isEmpty ? "" : row(headingKey, "Choose an action for: " + list.heading)
    return list.choices.enumerated().reduce(into: first) { $0 += row(String($1.offset), $1.element) }
  }

  /// For texts that it parses as Pango markup after C escapes: `--text` of its lists, which have no `--no-markup`.
  private static func markup(_ text: String) -> String {
    DialogText.escapingBackslashes(DialogText.escapingMarkup(text))
  }

  /// For texts that it parses with mnemonics after C escapes: `--text` of its entries.
  private static func label(_ text: String) -> String {
    DialogText.escapingBackslashes(DialogText.replacing(text) { $0 == "_" ? "__" : nil })
  }
}
