// SPDX-License-Identifier: Apache-2.0

/// The whole screen, computed from the board, the size and the theme.
struct PopupFrame: Equatable, Sendable {
  /// An element that can be clicked.
  enum Element: Equatable, Sendable {
    case body, close, reply
    /// Counted from zero.
    case button(Int)
  }

  struct Target: Equatable, Sendable {
    let id: UInt32
    let element: Element
  }

  struct Position: Equatable, Sendable {
    let column, row: Int
  }

  private struct Area: Equatable, Sendable {
    let row: Int
    let columns: Range<Int>
    let target: Target
  }

  /// A picture on top of the text, which leaves the room free.
  struct Picture: Equatable, Sendable {
    let id: UInt32
    let cells: ImageCells
    /// Of its upper left cell.
    let position: Position

    var rows: Range<Int> { position.row..<position.row + cells.rows }
  }

  /// Longer lines are hard to read.
  static let widest = 80

  /// One line per row; none is wider than the screen.
  private(set) var lines: [StyledLine] = []
  /// The cursor's position; nil if hidden.
  private(set) var cursor: Position?
  private(set) var pictures: [Picture] = []
  private var areas: [Area] = []

  /// - Parameter images: the cells of the picture of a popup.
  init(
    _ board: PopupBoard, columns: Int, rows: Int, theme: PopupTheme, note: String = "",
    images: (UInt32) -> ImageCells? = { _ in nil }
  ) {
    let columns = max(columns, 1)
    let rows = max(rows, 1)
    let room = rows > 3 ? rows - 1 : rows
    if board.entries.isEmpty {
      var line = StyledLine()
      line.add(theme.shown(note.isEmpty ? "No notifications." : note), .hint)
      lines = [line]
    } else {
      place(board, columns: columns, room: room, theme: theme, note: note, images)
    }
    while lines.count < room { lines.append(StyledLine()) }
    if room < rows { lines.append(Self.help(for: board, columns: columns, theme: theme)) }
    lines = lines.prefix(rows).map { $0.fitted(to: columns) }
  }

  /// The element at a position. Later areas cover earlier ones.
  func target(at position: Position) -> Target? {
    areas.last { $0.row == position.row && $0.columns.contains(position.column) }?.target
  }

  // MARK: Layout

  private mutating func place(
    _ board: PopupBoard, columns: Int, room: Int, theme: PopupTheme, note: String, _ images: (UInt32) -> ImageCells?
  ) {
    let width = min(columns, Self.widest)
    let entries = board.entries
    let selected = entries.firstIndex { $0.popup.id == board.selection } ?? 0
    // A line below the boxes shows the number of hidden popups, or the note.
    let space = room > 4 && (entries.count > 1 || !note.isEmpty) ? room - 1 : room

    func box(_ index: Int) -> PopupBox {
      let popup = entries[index].popup
      let draft = board.draft?.id == popup.id ? board.draft : nil
      return PopupBox(
        popup, draft: draft, isSelected: index == selected, width: width, height: space,
        bodyRows: index == selected ? .max : 4, image: images(popup.id), theme: theme)
    }

    // Shows the popups from the newest to the selected one if they fit; otherwise the selected one is the lowest.
    var first = selected
    let middle = box(selected)
    var boxes = [middle]
    var used = middle.rows.count
    while first > 0 {
      let above = box(first - 1)
      if used + above.rows.count > space { break }
      boxes.insert(above, at: 0)
      used += above.rows.count
      first -= 1
    }
    var next = selected + 1
    while next < entries.count, used < space {
      let below = box(next)
      if used + below.rows.count > space { break }
      boxes.append(below)
      used += below.rows.count
      next += 1
    }
    for (offset, box) in boxes.enumerated() { add(box, of: entries[first + offset].popup.id, width: width) }
    guard space < room else { return }
    while lines.count < space { lines.append(StyledLine()) }
    lines.append(Self.status(above: first, below: entries.count - next, note: note, theme: theme))
  }

  private mutating func add(_ box: PopupBox, of id: UInt32, width: Int) {
    if let cells = box.image {
      let (column, row) = PopupBox.imagePosition
      pictures.append(Picture(id: id, cells: cells, position: Position(column: column, row: lines.count + row)))
    }
    for row in box.rows {
      let number = lines.count
      areas.append(Area(row: number, columns: 0..<width, target: Target(id: id, element: .body)))
      for target in row.targets {
        areas.append(Area(row: number, columns: target.columns, target: Target(id: id, element: target.element)))
      }
      if let column = row.cursor { cursor = Position(column: column, row: number) }
      lines.append(row.line)
    }
  }

  private static func status(above: Int, below: Int, note: String, theme: PopupTheme) -> StyledLine {
    var line = StyledLine()
    switch (above, below) {
    case (0, 0): line.add(theme.shown(note), .hint)
    case (0, _): line.add("\(below) more", .title)
    case (_, 0): line.add("\(above) more above", .title)
    default: line.add("\(above) above, \(below) below", .title)
    }
    return line
  }

  // MARK: Help

  /// As many of the currently useful keys as fit, the important ones first.
  static func help(for board: PopupBoard, columns: Int, theme: PopupTheme) -> StyledLine {
    var keys: [(key: String, meaning: String)] = []
    if let draft = board.draft {
      keys = [("Enter", (board[draft.id]?.reply?.submit ?? "send").lowercased()), ("Esc", "cancel")]
    } else if let selected = board.selected {
      if !selected.buttons.isEmpty { keys.append((selected.buttons.count == 1 ? "1" : "1-9", "press")) }
      keys.append(("d", "dismiss"))
      keys.append(("q", "quit"))
      if selected.click != nil { keys.append(("Enter", "open")) }
      if selected.reply != nil { keys.append(("r", "reply")) }
      if board.entries.count > 1 { keys += [("Tab", "next"), ("D", "dismiss all")] }
    } else {
      keys = [("q", "quit")]
    }
    var line = StyledLine()
    for (key, meaning) in keys {
      let meaning = theme.shown(meaning)
      let gap = line.width == 0 ? 0 : 2
      guard line.width + gap + DisplayWidth.of(key + meaning) + 1 <= columns else { break }
      line.add(String(repeating: " ", count: gap))
      line.add(key, .accent)
      line.add(" " + meaning, .hint)
    }
    return line
  }
}
