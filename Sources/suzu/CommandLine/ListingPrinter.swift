// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Suzu

/// Prints a listing page by page, so that output begins at once and memory does not grow with the number of rows.
struct ListingPrinter {
  /// A column: its layout, and its text for a row.
  struct Column {
    let layout: Table.Column
    let text: (Listed) -> String

    init(_ title: String, least: Int, fair: Int? = nil, rank: Int, _ text: @escaping (Listed) -> String) {
      layout = Table.Column(title, least: least, fair: fair, rank: rank)
      self.text = text
    }
  }

  /// The rows per query: the center's maximum.
  static let page = 1000

  private let isJSON: Bool
  private let columns: [Column]
  private let width: Int?
  private let ink: Ink
  private let print: (String) -> Void
  private var table: Table?
  private var count = 0

  init(_ columns: [Column], isJSON: Bool, width: Int?, ink: Ink = .none, print: @escaping (String) -> Void) {
    self.columns = columns
    self.isJSON = isJSON
    self.width = width
    self.ink = ink
    self.print = print
  }

  /// Queries pages until there are no more rows or `limit` is reached. Returns whether there were any.
  @discardableResult
  mutating func run(limit: Int?, _ ask: (_ offset: Int, _ limit: Int) async throws -> [Listed]) async throws -> Bool {
    var left = limit ?? .max
    while left > 0 {
      let rows = try await ask(count, min(Self.page, left)).prefix(left)
      if rows.isEmpty { break }
      show(Array(rows))
      left -= rows.count
    }
    if isJSON { print(count == 0 ? "[]" : "]") }
    return count > 0
  }

  /// Writes a page at once: the number of writes dominates the run time.
  private mutating func show(_ rows: [Listed]) {
    defer { count += rows.count }
    if isJSON {
      // The comma precedes an object, because only the next page shows whether another follows.
      let objects = rows.map { PlainValue.dictionary($0.words).json }.joined(separator: "\n,")
      print((count == 0 ? "[" : ",") + objects)
      return
    }
    let cells = rows.map { row in columns.map { PrintableText.line($0.text(row), atMost: 1000) } }
    let isFirst = table == nil
    let table = table ?? Table(columns.map(\.layout), rows: cells, width: width)
    self.table = table
    print(((isFirst ? [ink.bold(table.heading)] : []) + cells.map(table.line)).joined(separator: "\n"))
  }
}
