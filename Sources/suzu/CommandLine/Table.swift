// SPDX-License-Identifier: Apache-2.0

/// A text table. On a terminal every line fits: long cells end in an ellipsis, and the least important columns are
/// dropped first. Otherwise nothing is cut.
struct Table {
  struct Column {
    let title: String
    /// The minimum useful width.
    let least: Int
    /// The width it gets before any column of rank 2 or more.
    let fair: Int
    /// Columns with the highest rank are dropped first; ranks 0 and 1 are the essential ones.
    let rank: Int

    init(_ title: String, least: Int, fair: Int? = nil, rank: Int) {
      self.title = title
      self.least = least
      self.fair = fair ?? least
      self.rank = rank
    }
  }

  private let columns: [Column]
  /// The width of each column; 0 if dropped.
  private let widths: [Int]
  private let isCut: Bool
  private static let gap = 2

  /// Lays out columns for the given rows; later rows are cut to fit, so that a long listing need not be read whole.
  init(_ columns: [Column], rows: [[String]], width: Int?) {
    self.columns = columns
    let natural = Self.natural(columns, rows)
    isCut = width != nil
    guard let width else {
      // A single long title must not push all the others to the right.
      widths = natural.map { min($0, 60) }
      return
    }
    widths = Self.fit(columns, natural, into: width)
  }

  /// The widths that show everything.
  private static func natural(_ columns: [Column], _ rows: [[String]]) -> [Int] {
    columns.indices.map { index in
      rows.reduce(DisplayWidth.of(columns[index].title)) { max($0, DisplayWidth.of($1[index])) }
    }
  }

  /// Whether nothing need be cut or dropped.
  static func fits(_ columns: [Column], rows: [[String]], width: Int) -> Bool {
    natural(columns, rows).reduce(0, +) + gap * (columns.count - 1) <= width
  }

  private static func fit(_ columns: [Column], _ natural: [Int], into width: Int) -> [Int] {
    var widths = columns.map { _ in 0 }
    var room = width
    func grow(_ index: Int, to wanted: Int) {
      let more = max(0, min(min(wanted, natural[index]) - widths[index], room))
      widths[index] += more
      room -= more
    }
    var shown: [Int] = []
    for index in columns.indices.sorted(by: { columns[$0].rank < columns[$1].rank }) {
      if columns[index].rank > 1 { for index in shown { grow(index, to: columns[index].fair) } }
      let edge = shown.isEmpty ? 0 : gap
      guard min(columns[index].least, natural[index]) + edge <= room || shown.isEmpty else { break }
      room -= edge
      grow(index, to: columns[index].least)
      shown.append(index)
    }
    // Distribute the rest to the narrowest unfinished column, so that short columns become complete.
    while room > 0, let next = shown.filter({ widths[$0] < natural[$0] }).min(by: { widths[$0] < widths[$1] }) {
      grow(next, to: widths[next] + 1)
    }
    return widths
  }

  var heading: String { line(columns.map(\.title)) }

  /// The whole table.
  func text(_ rows: [[String]], _ ink: Ink = .none) -> String {
    ([ink.bold(heading)] + rows.map(line)).joined(separator: "\n")
  }

  func line(_ cells: [String]) -> String {
    var line = ""
    var used = 0
    var start = 0
    for (cell, width) in zip(cells, widths) where width > 0 {
      if start > 0 {
        let blanks = max(Self.gap, start - used)
        line += String(repeating: " ", count: blanks)
        used += blanks
      }
      let text = isCut ? cell.fitted(to: width, mark: "…") : cell
      line += text
      used += DisplayWidth.of(text)
      start += width + Self.gap
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
