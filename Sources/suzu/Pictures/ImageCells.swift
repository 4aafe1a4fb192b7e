// SPDX-License-Identifier: Apache-2.0

/// The size of a character cell in pixels.
struct CellSize: Equatable, Sendable {
  let width, height: Int

  /// Nil unless the numbers are those of a readable font.
  init?(width: Int, height: Int) {
    guard 2...200 ~= width, 2...400 ~= height else { return nil }
    (self.width, self.height) = (width, height)
  }

  /// That of the VT340, for terminals that do not tell.
  static let usual = CellSize(width: 10, height: 20)!  // in range
}

/// The cells that a picture takes, and which picture that is.
struct ImageCells: Equatable, Sendable {
  /// As high as a title with a few lines of text.
  static let most = (columns: 10, rows: 4)

  /// Different for each picture that was ever shown.
  let number: UInt32
  let columns, rows: Int

  /// - Parameter size: in pixels; a larger picture is drawn smaller, a smaller one at its size.
  init(_ number: UInt32, size: (width: Int, height: Int), cell: CellSize) {
    self.number = number
    let box = Self.box(of: cell)
    let drawn = Pixels.size(of: size, in: box)
    columns = min(max((drawn.width + cell.width / 2) / cell.width, 1), Self.most.columns)
    rows = min(max((drawn.height + cell.height / 2) / cell.height, 1), Self.most.rows)
  }

  /// The pixels of the largest picture.
  static func box(of cell: CellSize) -> (width: Int, height: Int) {
    (most.columns * cell.width, most.rows * cell.height)
  }

  /// The pixels of these cells.
  func pixels(_ cell: CellSize) -> (width: Int, height: Int) { (columns * cell.width, rows * cell.height) }
}
