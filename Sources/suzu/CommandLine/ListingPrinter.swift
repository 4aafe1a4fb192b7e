// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
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
  /// The heading above a row; rows with the same one stand together. Nil for a table without headings.
  private let group: ((ListedRequest) -> String)?
  private var lastGroup: String?
  private let print: (String) -> Void
  private var table: Table?
  private var count = 0

  init(
    _ columns: [Column], isJSON: Bool, width: Int?, ink: Ink = .none, group: ((ListedRequest) -> String)? = nil,
    print: @escaping (String) -> Void
  ) {
    self.group = group
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
    _ ask: (_ cursor: ListingCursor?, _ limit: Int) async throws -> ListedPage
  ) async throws -> Bool {
    var left = limit ?? .max
    var cursor: ListingCursor?
    while left > 0 {
      // Without a filter, no more rows are queried than printed.
      let page = try await ask(cursor, isWanted == nil ? min(Self.page, left) : Self.page)
      let rows = (isWanted.map { page.filter($0) } ?? page.rows).prefix(left)
      if !rows.isEmpty { show(Array(rows)) }
      left -= rows.count
      cursor = page.next
      if cursor == nil { break }
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
    let lines = zip(rows, cells).flatMap { row, cells in (heading(of: row).map { [$0] } ?? []) + [table.line(cells)] }
    print(((isFirst ? [ink.bold(table.heading)] : []) + lines).joined(separator: "\n"))
  }

  /// The heading of the row's group, if the row is the first of it.
  private mutating func heading(of row: ListedRequest) -> String? {
    guard let name = group?(row), name != lastGroup else { return nil }
    lastGroup = name
    return ink.bold(width.map { name.fitted(to: $0, mark: "…") } ?? name)
  }

  private func cells(of rows: [ListedRequest]) -> [[String]] {
    rows.map { row in columns.map { PrintableText.line($0.text(row), atMost: 1000) } }
  }
}
