// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// A command of several words without quotes, such as `--run play=mpc toggle` or `--run play=touch /tmp/played`: the
/// shell passes its second word as the title or the body.
struct UnquotedCommand {
  /// The problem and the right form.
  let problem: String

  /// Returns nil if no word behind `--run` can only belong to its command. A title may stand there: `--run mpc
  /// 'Music'`.
  ///
  /// - Parameter bodyIndex: the index of the word that is the body.
  init?(_ arguments: Arguments, bodyIndex: Int = 1) {
    for (index, flag) in arguments.flagsBefore.sorted(by: { $0.key < $1.key }) where flag == "run" {
      guard let typed = arguments.valuesBefore[index], !typed.contains(" ") else { continue }
      let rest = arguments.words[index...].prefix(while: Self.isArgument)
      guard let first = rest.first else { continue }
      let (id, program) = Self.parts(of: typed)
      let command = ([program] + rest).joined(separator: " ")
      let title = PrintableText.line(first, atMost: 60)
      problem =
        "'\(title)' would be the \(index < bodyIndex ? "title" : "body"); quote the command: --run "
        + id + PrintableText.line(CommandWords.quoted(command), atMost: 200)
      return
    }
    return nil
  }

  /// Whether a word is written as a program's arguments are, and titles are not.
  private static func isArgument(_ word: String) -> Bool {
    let hasPath = ["/", "./", "../", "~/"].contains(where: word.hasPrefix)
    return !word.contains(" ") && (hasPath || word.contains("://"))
  }

  /// `play=` and `mpc`, for `play=mpc`.
  private static func parts(of value: String) -> (id: String, program: String) {
    guard let sign = value.firstIndex(of: "="), !value[..<sign].contains("/") else { return ("", value) }
    return (String(value[...sign]), String(value[value.index(after: sign)...]))
  }
}
