// SPDX-License-Identifier: Apache-2.0

/// Columns of text for people. On a terminal every line fits: what is too long ends in an ellipsis, and what has no room
/// at all is left out, the least important column first. Elsewhere nothing is cut.
struct Table {
  struct Column {
    let title: String
    /// Narrower than this it says nothing.
    let least: Int
    /// What it gets before a column of rank 2 or more gets anything.
    let fair: Int
    /// The lowest stays the longest; what is of rank 0 and 1 is what the table is for.
    let rank: Int

    init(_ title: String, least: Int, fair: Int? = nil, rank: Int) {
      self.title = title
      self.least = least
      self.fair = fair ?? least
      self.rank = rank
    }
  }

  private let columns: [Column]
  /// Of each column, 0 for one that is left out.
  private let widths: [Int]
  private let isCut: Bool
  private static let gap = 2

  /// Laid out for what the first rows hold; later ones are made to fit, because all of them may be too many to look at.
  init(_ columns: [Column], rows: [[String]], width: Int?) {
    self.columns = columns
    let natural = columns.indices.map { index in
      rows.reduce(DisplayWidth.of(columns[index].title)) { max($0, DisplayWidth.of($1[index])) }
    }
    isCut = width != nil
    guard let width else {
      // A single long title should not push all the others to the right.
      widths = natural.map { min($0, 60) }
      return
    }
    widths = Self.fit(columns, natural, into: width)
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
    // What is left goes to the narrowest of those that want more, a column at a time: so the short ones become whole.
    while room > 0, let next = shown.filter({ widths[$0] < natural[$0] }).min(by: { widths[$0] < widths[$1] }) {
      grow(next, to: widths[next] + 1)
    }
    return widths
  }

  var heading: String { line(columns.map(\.title)) }

  /// All of it, as it is printed.
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
