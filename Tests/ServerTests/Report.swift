// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Writes the results as a section of the Markdown page in the file named by SUZU_SERVER_REPORT: one for each release of
/// Debian. The sections of other releases stay.
enum Report {
  enum Cell: Sendable {
    case seen(String, note: String?)
    case absent(String)
    case wrong
  }

  private static let rows = Mutex<[String: [Cell]]>([:])

  /// Adds a server's row, and rewrites the section.
  static func add(_ server: any Server, _ cells: [Cell]) throws {
    guard let file = ProcessInfo.processInfo.environment["SUZU_SERVER_REPORT"] else { return }
    let rows = rows.withLock { rows in
      rows[server.name] = cells
      return rows
    }
    var page = Page((try? String(contentsOfFile: file, encoding: .utf8)) ?? "")
    page.opening = opening + "\n\nThe columns:\n\n" + legend
    page.set(release, to: results(rows))
    // Only the pictures of the page's own folder, which are those of one release, are shown.
    let folder = URL(filePath: file).deletingLastPathComponent().appending(path: "pictures").path
    if ProcessInfo.processInfo.environment["SUZU_PICTURES"] == folder { page.set(looks, to: pictures(rows)) }
    page.moveToEnd(looks)
    page.set(making, to: ending)
    page.moveToEnd(making)
    try page.text.write(toFile: file, atomically: true, encoding: .utf8)
  }

  private static let looks = "What it looks like"
  private static let making = "How this page is made"
  private static let legend = Check.all.map { "- *\($0.name)*: \($0.meaning)" }.joined(separator: "\n")

  /// The release that the servers are from: 'Debian 13 (trixie)'.
  private static var release: String {
    let lines = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8))?.split(separator: "\n") ?? []
    let name = lines.first { $0.hasPrefix("PRETTY_NAME=") }?.split(separator: "\"").last ?? "An unknown system"
    return name.replacingOccurrences(of: " GNU/Linux", with: "")
  }

  private static func pictures(_ rows: [String: [Cell]]) -> String {
    let names = servers.map(\.name).filter { rows[$0] != nil } + [Picture.list]
    return names.map { "### \($0)\n![\($0)](pictures/\(Picture.fileName($0)))" }.joined(separator: "\n\n")
  }

  private static func results(_ rows: [String: [Cell]]) -> String {
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
    let missing = servers.filter { rows[$0.name] == nil }.map(\.name)
    var parts = [([row(heads), row(heads.map { _ in "---" })] + lines).joined(separator: "\n")]
    parts.append(notes.enumerated().map { "\($0 + 1). \($1)." }.joined(separator: "\n"))
    if !missing.isEmpty { parts.append("Not tested in this run: " + missing.joined(separator: ", ") + ".") }
    return parts.joined(separator: "\n\n")
  }

  private static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

  private static let opening = """
    # Notification servers

    What does your desktop show, and what can you click? Find its notification server in the table:
    `suzu doctor` says which one runs. ✓ means that a test saw the feature work; – means that the server
    lacks it, or that a test cannot see it: the notes below the table say which.
    """

  private static let ending = """
    `make servers` writes it. It starts each server from its Debian package on a private bus and a
    virtual screen, sends it notifications through `suzu` and the center, and clicks on what the server
    draws. It compares the results with the expectations in `Tests/ServerTests/Servers`. With
    `SUITE=trixie` it uses the packages of that release of Debian.
    """
}
