// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// A terminal as the programs of an SSH login see it, on a machine without a desktop.
struct SSHTerminal {
  let terminal: PseudoTerminal
  let environment: [String: String]

  init(type: String = "xterm-256color", variables: [String: String] = [:]) throws {
    terminal = try PseudoTerminal()
    // No address, so that a bus of the machine is not found.
    environment = [
      "PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "TERM": type, "SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22",
      "SSH_TTY": terminal.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus",
    ].merging(variables) { $1 }
  }

  func suzu(_ arguments: String...) throws -> RunningProgram {
    try terminal.start(Session.programs + "/suzu", arguments, environment: environment)
  }

  /// The question of OSC 99, and those that follow it.
  static let question = "\u{1B}]99;i=suzu-question:p=?;\u{1B}\\\u{1B}[>q\u{1B}[c"
  /// The answer of a terminal that can do everything.
  static let full = "p=title,body,?,close,icon,alive,buttons:a=focus,report:o=always:u=0,1,2:c=1:s=system,silent:w=1"
  static let attributes = "\u{1B}[?62;c"

  /// Waits for the question, and answers it.
  func answer(_ features: String?, version: String? = nil) -> Bool {
    guard terminal.awaitOutput(Self.question) != nil else { return false }
    if let features { terminal.send("\u{1B}]99;i=suzu-question:p=?;\(features)\u{1B}\\") }
    if let version { terminal.send("\u{1B}P>|\(version)\u{1B}\\") }
    terminal.send(Self.attributes)
    return true
  }

  /// The next notification of OSC 99: the metadata of its first part, and the texts by type.
  func notification() throws -> (metadata: [String: String], texts: [String: String]) {
    var metadata: [String: String] = [:]
    var texts: [String: String] = [:]
    while let part = terminal.awaitOutput("\u{1B}\\") {
      guard let start = part.firstRange(of: "\u{1B}]99;") else { continue }
      let parts = part[start.upperBound...].dropLast(2).split(separator: ";", omittingEmptySubsequences: false)
      let words = Dictionary(
        parts[0].split(separator: ":").map { pair in
          let halves = pair.split(separator: "=", maxSplits: 1).map(String.init)
          return (halves[0], halves.count > 1 ? halves[1] : "")
        }, uniquingKeysWith: { first, _ in first })
      if metadata.isEmpty { metadata = words }
      texts[words["p"] ?? "title", default: ""] += Self.decoded(String(parts[1]))
      if words["d"] != "0" { return (metadata, texts) }
    }
    throw TestFailure("no notification in \(terminal.output.debugDescription)")
  }

  static func decoded(_ text: String) -> String {
    (try? RunningProgram.run("base64", ["-d"], environment: ["PATH": "/usr/bin:/bin"], input: text).output) ?? ""
  }
}
