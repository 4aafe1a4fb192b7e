// SPDX-License-Identifier: Apache-2.0
import Foundation
import Freedesktop
import Synchronization

/// Writes the results as a section of the Markdown page in the file named by SUZU_SERVER_REPORT: one for each release of
/// Debian. The sections of other releases stay.
enum Report {
  enum Cell: Sendable {
    case seen(String, note: String?)
    case absent(String)
    case wrong
  }

  private static let tested = Mutex<[String: ReportRow]>([:])

  /// Adds a server's row, and rewrites the section: rows of servers that this run has not tested yet stay.
  static func add(_ server: any Server, _ cells: [Cell]) throws {
    guard let file = ProcessInfo.processInfo.environment["SUZU_SERVER_REPORT"] else { return }
    let new = tested.withLock { tested in
      tested[server.name] = row(of: server, cells)
      return tested
    }
    var page = Page((try? String(contentsOfFile: file, encoding: .utf8)) ?? "")
    page.opening = opening + "\n\nThe columns:\n\n" + legend
    let old = ReportRow.rows(in: page.text(of: Release.current.name), count: heads.count - 1)
    let known = Dictionary(old.map { ($0.name, $0) }) { $1 }.merging(new) { $1 }
    page.set(Release.current.name, to: results(known))
    let folder = URL(filePath: file).deletingLastPathComponent().appending(path: "pictures").path
    for (heading, text) in [(differing, differences), (looks, pictures(in: folder)), (making, ending)] {
      page.set(heading, to: text)
      page.moveToEnd(heading)
    }
    try page.text.write(toFile: file, atomically: true, encoding: .utf8)
  }

  private static let differing = "What differs between versions"
  private static let looks = "What it looks like"
  private static let making = "How this page is made"
  private static let legend = Check.all.map { "- *\($0.name)*: \($0.meaning)" }.joined(separator: "\n")
  private static let heads = ["server", "version"] + Check.all.map(\.name)

  private static func row(of server: any Server, _ cells: [Cell]) -> ReportRow {
    let results = cells.map { cell -> ReportRow.Cell in
      switch cell {
      case .seen(let what, let note): .init(text: "✓" + (what.isEmpty ? "" : " " + what), note: note)
      case .absent(let why): .init(text: "–", note: why)
      case .wrong: .init(text: "**✗**", note: nil)
      }
    }
    return ReportRow(name: server.name, cells: [.init(text: server.version, note: nil)] + results)
  }

  private static func results(_ rows: [String: ReportRow]) -> String {
    let missing = servers.map(\.name).filter { rows[$0] == nil }
    return ReportRow.table(heads, servers.compactMap { rows[$0.name] })
      + (missing.isEmpty
        ? "" : "\n\nThis release does not have, or no run has tested: " + missing.joined(separator: ", ") + ".")
  }

  /// The facts about servers that hold for some versions only.
  private static let differences: String = {
    let rows = KnownServer.facts.filter { $0.from != nil || $0.until != nil }.map { fact in
      let range = [fact.from.map { "from \($0)" }, fact.until.map { "before \($0)" }].compactMap { $0 }
      return ReportRow(
        name: fact.name,
        cells: [.init(text: range.joined(separator: ", "), note: nil), .init(text: fact.reason, note: nil)])
    }
    return "Servers are called by the names that they report.\n\n"
      + ReportRow.table(["server", "versions", "what was seen"], rows)
  }()

  /// Each picture, in every release that it was taken in.
  private static func pictures(in folder: String) -> String {
    let shown = Picture.titles.compactMap { title -> String? in
      let lines = Release.pictured.compactMap { release -> String? in
        let file = Picture.fileName(title, in: release)
        guard FileManager.default.fileExists(atPath: folder + "/" + file) else { return nil }
        return "\(release.name):\n\n![\(title) in \(release.name)](pictures/\(file))"
      }
      return lines.isEmpty ? nil : (["### " + title] + lines).joined(separator: "\n\n")
    }
    return shown.joined(separator: "\n\n")
  }

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
    `SUITE=trixie` it uses the packages of that release of Debian. The differences between versions are
    from `KnownServer.facts`, which the center itself uses.
    """
}
