// SPDX-License-Identifier: Apache-2.0

/// The dialogs of `kdialog`. It has all texts on its command line, and so shows no lists: other users could read the
/// contents of a notification.
struct KDialogDialogs: DialogProgram {
  let name = "kdialog"
  let cancellationStatus: Int32 = 1

  func command(for list: Chooser) -> DialogCommand? { nil }

  func command(for line: Prompt) -> DialogCommand? {
    let text = Self.label(DialogText.paragraph(line.text))
    return DialogCommand(arguments: ["--title=" + DialogText.line(line.title), "--inputbox=" + text])
  }

  /// It passes texts to a Qt label after its own escapes. Qt guesses whether a text is rich, and reads `&` in plain
  /// text as a mnemonic; so the text is marked as rich.
  private static func label(_ text: String) -> String {
    let lines = DialogText.replacing(DialogText.escapingMarkup(text)) { $0 == "\n" ? "<br/>" : nil }
    return DialogText.escapingBackslashes("<qt>" + lines + "</qt>")
  }
}
