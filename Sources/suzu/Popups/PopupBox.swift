// SPDX-License-Identifier: Apache-2.0

/// Draws one popup as a box of a given width and maximum height.
struct PopupBox {
  struct Target: Equatable, Sendable {
    let columns: Range<Int>
    let element: PopupFrame.Element
  }

  struct Row {
    var line: StyledLine
    var targets: [Target] = []
    /// The cursor's column in the row of the reply.
    var cursor: Int?
    /// If the box is too high, rows with the lowest weight are dropped first.
    let weight: Weight
  }

  enum Weight: Int, Comparable {
    case body, progress, furtherTitle, bottom, buttons, top, title, reply

    static func < (a: Weight, b: Weight) -> Bool { a.rawValue < b.rawValue }
  }

  private(set) var rows: [Row] = []
  /// The picture at the left of the text, from the second row and the third column on; nil for none.
  private(set) var image: ImageCells?
  static let imagePosition = (column: 2, row: 1)
  private let popup: Popup
  private let theme: PopupTheme
  private let width: Int
  private let isSelected: Bool

  /// `draft` is the reply being typed. `bodyRows` limits the rows of the body. A picture that does not fit is left out.
  init(
    _ popup: Popup, draft: ReplyDraft?, isSelected: Bool, width: Int, height: Int, bodyRows: Int,
    image: ImageCells? = nil, theme: PopupTheme
  ) {
    self.popup = popup
    self.theme = theme
    self.width = width
    self.isSelected = isSelected

    var below = [progressRow].compactMap { $0 } + buttonRows
    if let draft { below.append(draftRow(draft)) }
    let room = height - 2 - below.count
    self.image = image.flatMap { width >= Self.leastWidth + $0.columns && room >= max($0.rows, 3) ? $0 : nil }
    let title = titleRows
    var text = title + self.bodyRows(most: min(bodyRows, room - title.count))
    while let image = self.image, text.count < image.rows { text.append(textRow("", .body, .plain)) }
    rows = [top] + text + below + [bottom(isReplying: draft != nil)]
    while rows.count > max(height, 1), let least = rows.map(\.weight).min(),
      let index = rows.lastIndex(where: { $0.weight == least })
    {
      rows.remove(at: index)
    }
  }

  /// Without the picture.
  private static let leastWidth = 26

  private var inner: Int { max(width - 4, 1) }
  /// The columns of the picture, and the one between it and the text.
  private var indent: Int { image.map { $0.columns + 1 } ?? 0 }
  private var border: PopupTheme.Border { isSelected ? theme.selectedBorder : theme.border }
  private var frameRole: TextRole {
    popup.urgency == .critical ? .critical : isSelected ? .selectedFrame : .frame
  }

  private func fitted(_ text: String, to columns: Int) -> String {
    theme.shown(text).fitted(to: max(columns, 0), mark: theme.ellipsis)
  }

  // MARK: Frame

  private var top: Row {
    var line = StyledLine()
    line.add(border.topLeft, frameRole)
    // The corners, the blanks, and the close mark with its blanks.
    var room = width - 7
    if popup.urgency == .critical {
      // A word in addition to the colour, or a mark if there is no room.
      let word = room >= 8 ? "CRITICAL" : "!"
      line.add(" \(word)", .critical)
      room -= word.count + 1
    }
    let name = fitted(popup.appName, to: room)
    if !name.isEmpty { line.add(" \(name)", isSelected ? .plain : .hint) }
    if line.width > 1 { line.add(" ", frameRole) }
    let mark = width - 4
    line.add(" ", frameRole, at: mark, filler: border.horizontal)
    line.add(theme.close, isSelected ? .accent : .hint)
    line.add(" ", frameRole)
    line.add(border.topRight, frameRole)
    return Row(line: line, targets: [Target(columns: mark..<(mark + 3), element: .close)], weight: .top)
  }

  private func bottom(isReplying: Bool) -> Row {
    var line = StyledLine()
    line.add(border.bottomLeft, frameRole)
    var hint: String?
    if isReplying, let reply = popup.reply {
      hint = "Enter: \(reply.submit)"
    } else if let click = popup.click {
      hint = (isSelected ? "Enter: " : "Click: ") + click.label
    }
    if let hint {
      let text = fitted(hint, to: width - 4)
      if !text.isEmpty { line.add(" \(text) ", .hint) }
    }
    line.add(border.bottomRight, frameRole, at: width - 1, filler: border.horizontal)
    return Row(line: line, weight: .bottom)
  }

  /// A row between the borders; `fill` adds its content.
  private func row(_ weight: Weight, _ fill: (inout StyledLine) -> Void) -> Row {
    var line = StyledLine()
    line.add(border.vertical, frameRole)
    line.add(" ")
    fill(&line)
    line.add(" ", .plain, at: width - 2)
    line.add(border.vertical, frameRole)
    return Row(line: line, weight: weight)
  }

  // MARK: Content

  private var titleRows: [Row] {
    let shown = theme.shown(popup.summary)
    let role: TextRole = popup.urgency == .critical ? .critical : .title
    let most = isSelected ? 3 : 2
    return lines(shown, most: most).enumerated().map { index, text in
      textRow(text, index == 0 ? .title : .furtherTitle, role)
    }
  }

  private func bodyRows(most: Int) -> [Row] {
    let role: TextRole = popup.urgency == .low ? .hint : .plain
    return lines(theme.shown(popup.body), most: most).map { textRow($0, .body, role) }
  }

  /// A line of text at the right of the picture.
  private func textRow(_ text: String, _ weight: Weight, _ role: TextRole) -> Row {
    row(weight) { line in
      line.add(String(repeating: " ", count: indent))
      line.add(text, role)
    }
  }

  /// Wraps `text` to the width beside the picture; the last line ends in an ellipsis if there is more.
  private func lines(_ text: String, most: Int) -> [String] {
    guard most > 0 else { return [] }
    let inner = inner - indent
    var lines = WordWrap.lines(of: text, columns: inner, most: most + 1)
    if lines.count > most {
      lines.removeLast()
      let mark = theme.ellipsis
      lines[most - 1] = lines[most - 1].prefix(columns: inner - DisplayWidth.of(mark)) + mark
    }
    return lines
  }

  private var progressRow: Row? {
    guard let progress = popup.progress else { return nil }
    let number = "\(progress)%"
    let bar = min(inner - 5, 40)
    return row(.progress) { line in
      if bar > 0 {
        let full = bar * progress / 100
        line.add(String(repeating: theme.barFull, count: full), .accent)
        line.add(String(repeating: theme.barEmpty, count: bar - full), .hint)
        line.add(String(repeating: " ", count: 5 - number.count))
      }
      line.add(number)
    }
  }

  private var buttonRows: [Row] {
    var labels: [(key: String, label: String, element: PopupFrame.Element)] = []
    for (index, button) in popup.buttons.enumerated() {
      // Ten digits; further buttons are for the mouse only.
      labels.append((index < 9 ? "\(index + 1)" : index == 9 ? "0" : "-", button.label, .button(index)))
    }
    if let reply = popup.reply { labels.append(("r", reply.label, .reply)) }

    var rows: [Row] = []
    var current: Row?
    for (key, label, element) in labels {
      let text = fitted(label, to: inner - 4)
      let width = 4 + DisplayWidth.of(text)
      if let full = current, full.line.width + 2 + width > 2 + inner {
        rows.append(closed(full))
        current = nil
      }
      var row = current ?? opened()
      if !row.targets.isEmpty { row.line.add("  ") }
      row.targets.append(Target(columns: row.line.width..<(row.line.width + width), element: element))
      row.line.add("[\(key)]", isSelected ? .accent : .hint)
      row.line.add(" " + text)
      current = row
    }
    return rows + (current.map { [closed($0)] } ?? [])
  }

  private func opened() -> Row {
    var line = StyledLine()
    line.add(border.vertical, frameRole)
    line.add(" ")
    return Row(line: line, weight: .buttons)
  }

  private func closed(_ row: Row) -> Row {
    var row = row
    row.line.add(" ", .plain, at: width - 2)
    row.line.add(border.vertical, frameRole)
    return row
  }

  private func draftRow(_ draft: ReplyDraft) -> Row {
    // The prompt, the blank after it, and a column for the cursor at the end of the text.
    let room = max(inner - 3, 0)
    let before = theme.shown(String(draft.beforeCursor)).suffix(columns: room)
    let after = theme.shown(String(draft.afterCursor)).prefix(columns: room - DisplayWidth.of(before))
    var cursor = 0
    var row = row(.reply) { line in
      line.add("> ", .accent)
      line.add(before)
      cursor = line.width
      line.add(after)
      if draft.text.isEmpty, let reply = popup.reply { line.add(fitted(reply.placeholder, to: room), .hint) }
    }
    row.cursor = cursor
    row.targets = [Target(columns: 0..<width, element: .reply)]
    return row
  }
}
