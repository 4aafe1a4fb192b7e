// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The results of a notification server as a section of the report: a table with a column for each release of Debian.
struct ServerResults {
  /// A cell's text, and the remark about it.
  struct Cell: Equatable {
    var text: String
    var note: String?
  }

  /// The results in one release: the version of the server, and a cell for each check.
  struct Column: Equatable {
    var version: String
    var cells: [String: Cell]
  }

  /// By the names of the releases.
  private(set) var columns: [String: Column] = [:]
  private let checks: [String]

  /// Reads the table of a section that earlier runs wrote; text around it is ignored.
  /// - Parameter checks: the rows, in order; other rows are left out.
  init(_ section: String, checks: [String]) {
    self.checks = checks
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
      line.dropFirst(2).dropLast(2).split(separator: " | ", omittingEmptySubsequences: false).map(String.init)
    }
    guard let head = rows.first, head.count > 2 else { return }
    let releases = head[1..<head.count - 1]
    for row in rows.dropFirst() where row.count == head.count {
      for (release, text) in zip(releases, row[1...]) {
        if row[0] == Self.version { columns[release] = Column(version: text, cells: [:]) }
        guard checks.contains(row[0]) else { continue }
        columns[release]?.cells[row[0]] = Cell(
          text: text, note: Self.note(of: release, in: row[head.count - 1], among: Array(releases)))
      }
    }
  }

  /// Replaces the results in a release.
  mutating func set(_ release: String, to column: Column) { columns[release] = column }

  /// The table; releases in the order of `known`, then all others.
  func table(known: [String]) -> String {
    let releases = known.filter { columns[$0] != nil } + columns.keys.filter { !known.contains($0) }.sorted()
    let versions = releases.map { columns[$0]?.version ?? "" }
    let rows = checks.map { check in
      let cells = releases.map { columns[$0]?.cells[check] }
      return [check] + cells.map { $0?.text ?? "" } + [Self.notes(cells.map { $0?.note }, in: releases)]
    }
    return MarkdownTable.text([Self.head] + releases + ["remark"], [[Self.version] + versions + [""]] + rows)
  }

  private static let head = "check"
  private static let version = "version"

  // MARK: Remarks

  /// Between the remarks of different releases.
  private static let separator = "<br>"

  /// The remarks of a row; those that are not about all releases name theirs.
  private static func notes(_ notes: [String?], in releases: [String]) -> String {
    if let first = notes.first, notes.allSatisfy({ $0 == first }) { return first ?? "" }
    return zip(releases, notes).compactMap { release, note in note.map { "\(release): \($0)" } }
      .joined(separator: separator)
  }

  private static func note(of release: String, in text: String, among releases: [String]) -> String? {
    let parts = text.components(separatedBy: separator)
    if let own = parts.first(where: { $0.hasPrefix(release + ": ") }) {
      return String(own.dropFirst(release.count + 2))
    }
    let isOfOthers = parts.contains { part in releases.contains { part.hasPrefix($0 + ": ") } }
    return text.isEmpty || isOfOthers ? nil : text
  }
}

/// Tables of Markdown.
enum MarkdownTable {
  static func text(_ heads: [String], _ rows: [[String]]) -> String {
    ([heads, heads.map { _ in "---" }] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
      .joined(separator: "\n")
  }
}
