// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A row of the report's table: a server's name, its version, and a cell for each check.
struct ReportRow {
  /// A cell's text, and the note below the table that belongs to it.
  struct Cell {
    var text: String
    var note: String?
  }

  var name: String
  var cells: [Cell]

  init(name: String, cells: [Cell]) {
    self.name = name
    self.cells = cells
  }

  /// The rows of a section that an earlier run wrote, for servers that this run does not test.
  /// - Parameter count: the number of cells; rows with other columns are left out.
  static func rows(in section: String, count: Int) -> [ReportRow] {
    let lines = section.split(separator: "\n")
    let notes = lines.reduce(into: [String: String]()) { notes, line in
      guard let dot = line.firstIndex(of: "."), let number = Int(line[..<dot]) else { return }
      notes[String(number)] = String(line[dot...].dropFirst(2).dropLast())
    }
    // The first two lines of the table are its head.
    let rows = lines.filter { $0.hasPrefix("| ") }.dropFirst(2).map { line in
      line.dropFirst(2).dropLast(2).split(separator: " | ", omittingEmptySubsequences: false).map { cell in
        let parts = cell.replacingOccurrences(of: "</sup>", with: "").components(separatedBy: "<sup>")
        return Cell(text: parts[0], note: parts.count == 2 ? notes[parts[1]] : nil)
      }
    }
    return rows.compactMap { cells in
      cells.count == count + 1 ? ReportRow(name: cells[0].text, cells: Array(cells.dropFirst())) : nil
    }
  }

  /// A table of rows, and their notes, numbered in the order of their first use.
  static func table(_ heads: [String], _ rows: [ReportRow]) -> String {
    var notes: [String] = []
    func text(_ cell: Cell) -> String {
      guard let note = cell.note else { return cell.text }
      if !notes.contains(note) { notes.append(note) }
      return cell.text + "<sup>\((notes.firstIndex(of: note) ?? 0) + 1)</sup>"
    }
    func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
    let lines = [line(heads), line(heads.map { _ in "---" })] + rows.map { line([$0.name] + $0.cells.map(text)) }
    let list = notes.enumerated().map { "\($0 + 1). \($1)." }
    return ([lines.joined(separator: "\n")] + (list.isEmpty ? [] : [list.joined(separator: "\n")]))
      .joined(separator: "\n\n")
  }
}
