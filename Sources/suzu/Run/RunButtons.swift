// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import NotificationModel
internal import SystemFiles

/// The buttons of the notification about a command: *Again* and *Show output*.
///
/// The command's words are not in them, but in its record: in a button, braces in them would be placeholders.
struct RunButtons {
  let record: RunRecord
  let folder: String
  /// The path of `suzu`: the center need not have the `PATH` of the shell.
  let program: String
  /// The words that open a terminal; nil if none is installed.
  let terminal: [String]?

  struct Button {
    let words: [String: PlainValue]
  }

  /// - Parameter isInTerminal: whether the command was typed in a terminal, and may ask there.
  func actions(hasOutput: Bool, isInTerminal: Bool) -> [Button] {
    var again = [program, "run", "--again", record.id]
    if isInTerminal, let terminal { again = terminal + Self.inWindow + again }
    var buttons = [button("again", "Again", ["run": .list(again.map { .text($0) })])]
    if hasOutput {
      buttons.append(button("output", "Show output", output))
    } else {
      // A click on a notification presses its only button: but who clicks to be rid of it wants no second run.
      buttons.append(Button(words: ["id": .text(Action.defaultID), "title": .text("Close")]))
    }
    return buttons
  }

  private var output: [String: PlainValue] {
    guard let terminal else {
      // The program for text files.
      let path = RunRecord.file(record.id, "log", in: folder)
      return ["url": .text("file://" + PercentCoding.encoded(path, keeping: "/"))]
    }
    let words = terminal + ["sh", "-c", #""$1" run --show "$2" | ${PAGER:-less -R}"#, "sh", program, record.id]
    return ["run": .list(words.map { .text($0) })]
  }

  /// Keeps the window open, so that the output can be read.
  private static let inWindow = ["sh", "-c", #""$@"; printf '\n[Enter closes this window] '; read -r line"#, "sh"]

  /// In the foreground: there is no time limit then, and a locked session must be unlocked first.
  private func button(_ id: String, _ title: String, _ effect: [String: PlainValue]) -> Button {
    Button(words: effect.merging(["id": .text(id), "title": .text(title), "foreground": .flag(true)]) { $1 })
  }

  /// The path of this program.
  static var ownProgram: String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let path = String(decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // Braces would be placeholders, and a program that was replaced has ' (deleted)' in its path.
    return path.isEmpty || path.contains("{") || access(path, X_OK) != 0 ? "suzu" : path
  }
}
