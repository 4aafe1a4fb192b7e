// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Writes the results as a Markdown page to the file named by SUZU_SERVER_REPORT.
enum Report {
  enum Cell: Sendable {
    case seen(String, note: String?)
    case absent(String)
    case wrong
  }

  private static let rows = Mutex<[String: [Cell]]>([:])

  /// Adds a server's row, and rewrites the page.
  static func add(_ server: any Server, _ cells: [Cell]) throws {
    guard let file = ProcessInfo.processInfo.environment["SUZU_SERVER_REPORT"] else { return }
    let rows = rows.withLock { rows in
      rows[server.name] = cells
      return rows
    }
    try page(rows).write(toFile: file, atomically: true, encoding: .utf8)
  }

  private static func page(_ rows: [String: [Cell]]) -> String {
    var notes: [String] = []
    func mark(_ note: String) -> String {
      if !notes.contains(note) { notes.append(note) }
      return "<sup>\((notes.firstIndex(of: note) ?? 0) + 1)</sup>"
    }
    func text(_ cell: Cell) -> String {
      switch cell {
      case .seen(let what, let note): "✓" + (what.isEmpty ? "" : " " + what) + (note.map(mark) ?? "")
      case .absent(let why): "–" + mark(why)
      case .wrong: "**✗**"
      }
    }
    let there = servers.filter { rows[$0.name] != nil }
    let heads = ["server", "version"] + Check.all.map(\.name)
    let lines = there.map { server in
      row([server.name, server.version] + (rows[server.name] ?? []).map(text))
    }
    let pictures = (there.map(\.name) + (there.isEmpty ? [] : [Picture.list])).map {
      "### \($0)\n![\($0)](pictures/\(Picture.fileName($0)))"
    }
    let missing = servers.filter { rows[$0.name] == nil }.map(\.name)
    var parts = [opening, ([row(heads), row(heads.map { _ in "---" })] + lines).joined(separator: "\n")]
    let legend = Check.all.map { "- *\($0.name)*: \($0.meaning)" }
    parts.insert("The columns:\n\n" + legend.joined(separator: "\n"), at: 1)
    parts.append(notes.enumerated().map { "\($0 + 1). \($1)." }.joined(separator: "\n"))
    if !missing.isEmpty { parts.append("Not tested in this run: " + missing.joined(separator: ", ") + ".") }
    parts.append("## What it looks like\n" + pictures.joined(separator: "\n\n"))
    parts.append(ending)
    return parts.joined(separator: "\n\n") + "\n"
  }

  private static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

  private static let opening = """
    # Notification servers

    What does your desktop show, and what can you click? Find its notification server in the table:
    `suzu doctor` says which one runs. ✓ means that a test saw the feature work; – means that the server
    lacks it, or that a test cannot see it: the notes below the table say which.
    """

  private static let ending = """
    ## How this page is made
    `make servers` writes it. It starts each server from its Debian package on a private bus and a
    virtual screen, sends it notifications through `suzu` and the center, and clicks on what the server
    draws. It compares the results with the expectations in `Tests/ServerTests/Servers`.
    """
}
