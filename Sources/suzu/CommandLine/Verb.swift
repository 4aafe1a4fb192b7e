// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// One thing that the command can do.
struct Verb {
  let name: String
  /// What stands behind the name.
  let synopsis: String
  /// One line for the list of verbs.
  let summary: String
  let flags: [Flag]
  /// Lines that a person could type.
  let examples: [String]
  /// Does it; returns the exit status.
  let run: @Sendable (Arguments, EventLoop) async throws -> Int32

  /// What `--help` prints.
  var help: String {
    var lines = ["suzu \(name): \(summary)", "Usage: suzu \(name) \(synopsis)", ""]
    let shown = flags.map { ($0.form, $0.help) }
    let width = shown.map(\.0.count).max() ?? 0
    for (form, help) in shown {
      lines.append("  " + form + String(repeating: " ", count: width - form.count + 2) + help)
    }
    if !shown.isEmpty { lines.append("") }
    lines.append("Examples:")
    lines += examples.map { "  " + $0 }
    return lines.joined(separator: "\n")
  }
}
