// SPDX-License-Identifier: Apache-2.0
import Foundation
import Freedesktop
import Synchronization

/// Writes the results to the Markdown page in the file named by SUZU_SERVER_REPORT: a section for each server. The
/// results of other servers, and those in other releases of Debian, stay.
enum Report {
  enum Cell: Sendable {
    case seen(String, note: String?)
    case absent(String)
    case wrong
  }

  /// Writes a server's results in this release.
  static func add(_ server: any Server, _ cells: [Cell]) throws {
    guard let file = ProcessInfo.processInfo.environment["SUZU_SERVER_REPORT"] else { return }
    let folder = URL(filePath: file).deletingLastPathComponent().appending(path: "pictures").path
    let old = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    let results = [server.name: (Release.current.name, column(of: server, cells))]
    try page(old, adding: results, pictures: folder).write(toFile: file, atomically: true, encoding: .utf8)
  }

  /// The page after an earlier one.
  /// - Parameter new: by server, a release and the results in it.
  /// - Parameter folder: where the pictures are.
  static func page(
    _ old: String, adding new: [String: (String, ServerResults.Column)] = [:], pictures folder: String
  ) -> String {
    var page = Page(old)
    page.opening = opening + "\n\n" + legend
    for server in servers {
      var results = ServerResults(page.text(of: server.name), checks: Check.all.map(\.name))
      if let (release, column) = new[server.name] { results.set(release, to: column) }
      guard !results.columns.isEmpty else { continue }
      let table = results.table(known: Release.pictured.map(\.name))
      page.set(server.name, to: ([table] + pictures(of: server.name, in: folder)).joined(separator: "\n\n"))
      page.moveToEnd(server.name)
    }
    for title in [Picture.list, Picture.groups] {
      page.set(title, to: pictures(of: title, in: folder).joined(separator: "\n\n"))
      page.moveToEnd(title)
    }
    for (heading, text) in [(differing, differences), (making, ending)] {
      page.set(heading, to: text)
      page.moveToEnd(heading)
    }
    return page.text
  }

  private static let differing = "What differs between versions"
  private static let making = "How this page is made"
  private static let legend =
    "The rows:\n\n" + Check.all.map { "- *\($0.name)*: \($0.meaning)" }.joined(separator: "\n")

  private static func column(of server: any Server, _ cells: [Cell]) -> ServerResults.Column {
    let results = cells.map { cell -> ServerResults.Cell in
      switch cell {
      case .seen(let what, let note): .init(text: "✓" + (what.isEmpty ? "" : " " + what), note: note)
      case .absent(let why): .init(text: "–", note: why)
      case .wrong: .init(text: "**✗**", note: nil)
      }
    }
    let cells = Dictionary(zip(Check.all.map(\.name), results)) { $1 }
    return ServerResults.Column(version: server.version, cells: cells)
  }

  /// The facts about servers that hold for some versions only.
  private static let differences: String = {
    let rows = KnownServer.facts.filter { $0.from != nil || $0.until != nil }.map { fact in
      let range = [fact.from.map { "from \($0)" }, fact.until.map { "before \($0)" }].compactMap { $0 }
      return [fact.name, range.joined(separator: ", "), fact.reason]
    }
    return "Servers are called by the names that they report.\n\n"
      + MarkdownTable.text(["server", "versions", "what was seen"], rows)
  }()

  /// A picture in every release that it was taken in.
  private static func pictures(of title: String, in folder: String) -> [String] {
    Release.pictured.compactMap { release -> String? in
      let file = Picture.fileName(title, in: release)
      guard FileManager.default.fileExists(atPath: folder + "/" + file) else { return nil }
      return "\(release.name):\n\n![\(title) in \(release.name)](pictures/\(file))"
    }
  }

  private static let opening = """
    # Tested notification servers

    For developers: what a test saw each server do, and in which version. [Desktops](SERVERS.md) says
    what this means for you. ✓ means that a test saw the feature work; – means that the server lacks it,
    or that a test cannot see it. A server without a column for a release is not in it, or was not
    tested there.
    """

  private static let ending = """
    `make servers` writes it. It starts each server from its Debian package on a private bus and a
    virtual screen, sends it notifications through `suzu` and the center, and clicks on what the server
    draws. It compares the results with the expectations in `Tests/ServerTests/Servers`. With
    `SUITE=trixie` it uses the packages of that release of Debian. The differences between versions are
    from `KnownServer.facts`, which the center itself uses.
    """
}
