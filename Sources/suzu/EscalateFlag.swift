// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// `--escalate '10m level=critical,sound=alarm'`: after a duration, what changes; `push` alone is sent over the only
/// link. The center checks the values.
enum EscalateFlag {
  private static let form = "AFTER KEY=VALUE,…, such as '10m level=critical,sound=alarm'"

  /// The value of `escalate`, one step for each flag.
  static func steps(_ texts: [String]) throws(CommandError) -> [PlainValue] {
    var steps: [PlainValue] = []
    for text in texts { steps.append(try step(text)) }
    return steps
  }

  private static func step(_ text: String) throws(CommandError) -> PlainValue {
    let parts = text.split(separator: " ", omittingEmptySubsequences: true)
    guard let after = parts.first, !after.contains("=") else {
      throw .usage("'--escalate \(PrintableText.line(text, atMost: 60))' must be \(form)")
    }
    var words: [String: PlainValue] = ["after": .text(String(after))]
    // Commas and blanks both separate.
    for change in parts.dropFirst().flatMap({ $0.split(separator: ",") }) {
      if change == "push", words["push"] == nil {
        words["push"] = .flag(true)
        continue
      }
      let pair = change.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard pair.count == 2, !pair[0].isEmpty else {
        throw .usage("'--escalate \(PrintableText.line(text, atMost: 60))' must be \(form)")
      }
      guard words[pair[0]] == nil else {
        throw .usage("'--escalate \(PrintableText.line(text, atMost: 60))': '\(pair[0])' is given twice")
      }
      words[pair[0]] = .text(pair[0] == "sound" ? NotifyCommand.fileName(pair[1]) : pair[1])
    }
    return .dictionary(words)
  }
}
