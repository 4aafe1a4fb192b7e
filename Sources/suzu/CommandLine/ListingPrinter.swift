internal import CenterClient
// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// Prints a listing page by page, so that output begins at once and memory does not grow with the number of rows.
struct ListingPrinter {
  /// A column: its layout, and its text for a row.
  struct Column {
    let layout: Table.Column
    let text: (ListedRequest) -> String
    /// Whether the column is left out if it has no text in the first rows.
    let isOptional: Bool
    /// The text that need not be printed: where the table is too wide, a column with nothing else is left out.
    let usual: String?

    init(
      _ title: String, least: Int, fair: Int? = nil, rank: Int, isOptional: Bool = false, usual: String? = nil,
      _ text: @escaping (ListedRequest) -> String
    ) {
      layout = Table.Column(title, least: least, fair: fair, rank: rank)
      self.text = text
      self.isOptional = isOptional
      self.usual = usual
    }
  }

  /// The rows per query: the center's maximum.
  static let page = 1000

  private let isJSON: Bool
  private var columns: [Column]
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
  ///
  /// - Parameter isWanted: selects the rows to print; by default all.
  @discardableResult
  mutating func run(
    limit: Int?, where isWanted: ((ListedRequest) -> Bool)? = nil,
    _ ask: (_ offset: Int, _ limit: Int) async throws -> [ListedRequest]
  ) async throws -> Bool {
    var left = limit ?? .max
    var offset = 0
    while left > 0 {
      // Without a filter, no more rows are queried than printed.
      let page = try await ask(offset, isWanted == nil ? min(Self.page, left) : Self.page)
      if page.isEmpty { break }
      offset += page.count
      let rows = (isWanted.map { page.filter($0) } ?? page).prefix(left)
      if !rows.isEmpty { show(Array(rows)) }
      left -= rows.count
    }
    if isJSON { print(count == 0 ? "[]" : "]") }
    return count > 0
  }

  /// Writes a page at once: the number of writes dominates the run time.
  private mutating func show(_ rows: [ListedRequest]) {
    defer { count += rows.count }
    if isJSON {
      // The comma precedes an object, because only the next page shows whether another follows.
      let objects = rows.map { PlainValue.dictionary($0.words).json }.joined(separator: "\n,")
      print((count == 0 ? "[" : ",") + objects)
      return
    }
    if table == nil {
      columns = columns.filter { column in !column.isOptional || rows.contains { !column.text($0).isEmpty } }
      if let width, !Table.fits(columns.map(\.layout), rows: cells(of: rows), width: width) {
        columns = columns.filter { column in column.usual == nil || rows.contains { column.text($0) != column.usual } }
      }
    }
    let cells = cells(of: rows)
    let isFirst = table == nil
    let table = table ?? Table(columns.map(\.layout), rows: cells, width: width)
    self.table = table
    print(((isFirst ? [ink.bold(table.heading)] : []) + cells.map(table.line)).joined(separator: "\n"))
  }

  private func cells(of rows: [ListedRequest]) -> [[String]] {
    rows.map { row in columns.map { PrintableText.line($0.text(row), atMost: 1000) } }
  }
}
