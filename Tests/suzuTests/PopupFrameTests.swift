// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import suzu

/// Tests the layout of popups at several screen sizes.
@Suite struct PopupFrameTests {
  static let unicode = PopupTheme(isUnicode: true, hasColour: false)
  static let ascii = PopupTheme(isUnicode: false, hasColour: false)

  private func trimmed(_ frame: PopupFrame) -> String {
    // Without trailing blanks, which swift-format would remove from the expected texts.
    frame.lines.map { line in
      var text = line.text
      while text.last == " " { text.removeLast() }
      return text
    }.joined(separator: "\n")
  }

  @Test func `The frame at 80 columns is as drawn here`() {
    let board = PopupBoard(.tea, .disk, .copy)
    #expect(
      trimmed(PopupFrame(board, columns: 80, rows: 16, theme: Self.unicode)) == """
        ┌ Files ──────────────────────────────────────────────────────────────────── × ┐
        │ Copying                                                                      │
        │ ████████████████░░░░░░░░░░░░░░░░░░░░░░░░  40%                                │
        └──────────────────────────────────────────────────────────────────────────────┘
        ┌ CRITICAL Disk ──────────────────────────────────────────────────────────── × ┐
        │ Disk is full                                                                 │
        │ No room left on /home.                                                       │
        │ [1] Clean up                                                                 │
        └──────────────────────────────────────────────────────────────────────────────┘
        ╔ Kitchen ══════════════════════════════════════════════════════════════════ × ╗
        ║ Tea is ready                                                                 ║
        ║ It has drawn for four minutes.                                               ║
        ║ [1] Done  [2] Snooze                                                         ║
        ╚ Enter: Show ═════════════════════════════════════════════════════════════════╝

        1-9 press  d dismiss  q quit  Enter open  Tab next  D dismiss all
        """)
  }

  @Test func `The frame at 40 columns shows a half typed reply`() {
    var board = PopupBoard(.tea, .chat)
    board.beginReply(to: 5)
    board.editReply { $0.insert("Yes, 漢字 soon") }
    let frame = PopupFrame(board, columns: 40, rows: 13, theme: Self.unicode)
    #expect(
      trimmed(frame) == """
        ╔ Chat ═════════════════════════════ × ╗
        ║ Ann                                  ║
        ║ Are you coming?                      ║
        ║ [r] Answer                           ║
        ║ > Yes, 漢字 soon                     ║
        ╚ Enter: Send it ══════════════════════╝
        ┌ Kitchen ────────────────────────── × ┐
        │ Tea is ready                         │
        │ It has drawn for four minutes.       │
        │ [1] Done  [2] Snooze                 │
        └ Click: Show ─────────────────────────┘

        Enter send it  Esc cancel
        """)
    #expect(frame.cursor == PopupFrame.Position(column: 18, row: 4))
  }

  @Test func `The frame at 20 columns is as drawn here`() {
    let board = PopupBoard(.tea, .disk)
    #expect(
      trimmed(PopupFrame(board, columns: 20, rows: 16, theme: Self.unicode)) == """
        ┌ CRITICAL Disk  × ┐
        │ Disk is full     │
        │ No room left on  │
        │ /home.           │
        │ [1] Clean up     │
        └──────────────────┘
        ╔ Kitchen ══════ × ╗
        ║ Tea is ready     ║
        ║ It has drawn for ║
        ║ four minutes.    ║
        ║ [1] Done         ║
        ║ [2] Snooze       ║
        ╚ Enter: Show ═════╝


        1-9 press  d dismiss
        """)
  }

  @Test func `A picture stands at the left of the text`() {
    let board = PopupBoard(.tea, .disk)
    let images = { (id: UInt32) in
      ImageCells(id, size: id == 3 ? (64, 64) : (30, 20), cell: CellSize(width: 10, height: 20)!)
    }
    let frame = PopupFrame(board, columns: 40, rows: 14, theme: Self.unicode, images: images)
    #expect(
      trimmed(frame) == """
        ┌ CRITICAL Disk ──────────────────── × ┐
        │     Disk is full                     │
        │     No room left on /home.           │
        │ [1] Clean up                         │
        └──────────────────────────────────────┘
        ╔ Kitchen ══════════════════════════ × ╗
        ║        Tea is ready                  ║
        ║        It has drawn for four         ║
        ║        minutes.                      ║
        ║ [1] Done  [2] Snooze                 ║
        ╚ Enter: Show ═════════════════════════╝


        1-9 press  d dismiss  q quit  Enter open
        """)
    #expect(
      frame.pictures == [
        .init(id: 4, cells: images(4), position: .init(column: 2, row: 1)),
        .init(id: 3, cells: images(3), position: .init(column: 2, row: 6)),
      ])
  }

  @Test func `A picture needs room, and no text gives way to it`() {
    let board = PopupBoard(.tea)
    let images = { (id: UInt32) in ImageCells(id, size: (80, 80), cell: CellSize(width: 10, height: 20)!) }
    for (columns, rows) in [(33, 20), (40, 7), (1, 1), (20, 3)] {
      let frame = PopupFrame(board, columns: columns, rows: rows, theme: Self.unicode, images: images)
      #expect(frame.pictures.isEmpty && frame == PopupFrame(board, columns: columns, rows: rows, theme: Self.unicode))
    }
    for columns in 34...80 {
      for rows in 1...20 {
        let frame = PopupFrame(board, columns: columns, rows: rows, theme: Self.unicode, images: images)
        for picture in frame.pictures {
          for row in picture.rows {
            let line = frame.lines[row].text
            #expect(line.hasPrefix("║" + String(repeating: " ", count: 10)) && line.hasSuffix("║"), "\(line)")
          }
        }
        #expect(rows < 9 || frame.pictures.count == 1)
      }
    }
  }

  @Test func `The ASCII theme writes only ASCII`() {
    let hostile = Popup(
      id: 1, appName: "Чат", summary: "漢字 ok", body: "naïve…", actions: [("a", "Да"), ("default", "Öffnen")],
      urgency: .critical, progress: 50)
    let frame = PopupFrame(PopupBoard(hostile), columns: 30, rows: 8, theme: Self.ascii)
    #expect(
      trimmed(frame) == """
        + CRITICAL ??? =========== x +
        | ???? ok                    |
        | na?ve?                     |
        | ##########...........  50% |
        | [1] ??                     |
        + Enter: ?ffnen =============+

        1 press  d dismiss  q quit
        """)
  }

  @Test func `Wide characters keep the borders straight`() {
    let popup = Popup(
      id: 1, appName: "日本語アプリ", summary: "会議は十分後に始まります", body: "👩‍👩‍👧 と 🇩🇪 e\u{301}a ไทย",
      actions: [("a", "はい"), ("b", "いいえ")], expiry: .never)
    for width in 12...60 {
      let frame = PopupFrame(PopupBoard(popup), columns: width, rows: 20, theme: Self.unicode)
      for line in frame.lines where "╔║╚".contains(line.text.first ?? " ") {
        #expect(line.width == width)
        #expect(DisplayWidth.of(line.text) == width, "\(line.text)")
      }
    }
  }

  @Test func `Hidden popups are counted and the selected one is always visible`() {
    var board = PopupBoard()
    for id in 1...10 { board.show(.plain(UInt32(id), .never), at: .zero) }
    func text() -> String { trimmed(PopupFrame(board, columns: 30, rows: 12, theme: Self.unicode)) }
    #expect(text().contains("Popup 10") && text().contains("7 more\n"))
    board.select(5)
    #expect(text().contains("Popup 5") && text().contains("3 above, 4 below"))
    board.select(1)
    #expect(text().contains("Popup 1") && text().contains("7 more above"))
  }

  @Test func `The selected popup shows its whole text and the others a few lines`() {
    let body = (1...9).map { "line \($0)" }.joined(separator: "\n")
    let long = Popup(id: 1, summary: "Long", body: body, expiry: .never)
    var board = PopupBoard(long, .plain(2, .never))
    func text() -> String { trimmed(PopupFrame(board, columns: 30, rows: 24, theme: Self.unicode)) }
    #expect(text().contains("line 9"))
    board.select(2)
    #expect(text().contains("line 4…") && !text().contains("line 5"))
  }

  @Test func `A low screen keeps title, buttons and reply`() {
    let popup = Popup(
      id: 1, summary: "A title that takes more than one line", body: "body\nbody\nbody",
      actions: [("a", "Yes"), ("inline-reply", "Answer")], progress: 3, expiry: .never)
    var board = PopupBoard(popup)
    board.beginReply(to: 1)
    let lines = PopupFrame(board, columns: 24, rows: 4, theme: Self.unicode).lines.map(\.text)
    #expect(lines.count == 4)
    #expect(lines.contains { $0.contains("A title") } && lines.contains { $0.contains("> ") })
  }

  @Test func `The cursor stays inside a long reply`() {
    var board = PopupBoard(.chat)
    board.beginReply(to: 5)
    board.editReply { $0.insert(String(repeating: "漢", count: 100) + "end") }
    let frame = PopupFrame(board, columns: 24, rows: 10, theme: Self.unicode)
    #expect(frame.text.contains("漢end"))
    #expect((frame.cursor?.column ?? 99) < 22)
    board.editReply { $0.edit(.home) }
    let home = PopupFrame(board, columns: 24, rows: 10, theme: Self.unicode)
    #expect(home.cursor?.column == 4)
    #expect(home.lines.allSatisfy { $0.width <= 24 })
  }

  @Test func `Every size works and no line is too wide`() {
    var board = PopupBoard(.tea, .disk, .chat, .copy)
    for isReplying in [false, true] {
      if isReplying { board.beginReply(to: 5) }
      for theme in [Self.unicode, Self.ascii] {
        for columns in 0...40 {
          for rows in 0...12 {
            let frame = PopupFrame(board, columns: columns, rows: rows, theme: theme, note: "a note")
            #expect(frame.lines.count == max(rows, 1))
            #expect(frame.lines.allSatisfy { DisplayWidth.of($0.text) <= max(columns, 1) })
          }
        }
      }
    }
  }

  @Test func `An empty board says so, or shows the note`() {
    #expect(
      trimmed(PopupFrame(PopupBoard(), columns: 30, rows: 4, theme: Self.ascii)) == "No notifications.\n\n\nq quit")
    #expect(
      trimmed(PopupFrame(PopupBoard(), columns: 30, rows: 4, theme: Self.ascii, note: "Waiting"))
        == "Waiting\n\n\nq quit")
  }

  @Test func `Every element is found at its position`() {
    let board = PopupBoard(.tea, .chat)
    let frame = PopupFrame(board, columns: 40, rows: 12, theme: Self.unicode)
    func target(_ column: Int, _ row: Int) -> PopupFrame.Target? {
      frame.target(at: PopupFrame.Position(column: column, row: row))
    }
    #expect(target(37, 0) == .init(id: 5, element: .close))
    #expect(target(3, 2) == .init(id: 5, element: .body))
    #expect(target(4, 3) == .init(id: 5, element: .reply))
    #expect(target(2, 8) == .init(id: 3, element: .button(0)))
    #expect(target(9, 8) == .init(id: 3, element: .button(0)))
    #expect(target(10, 8) == .init(id: 3, element: .body))
    #expect(target(12, 8) == .init(id: 3, element: .button(1)))
    #expect(target(37, 5) == .init(id: 3, element: .close))
    #expect(target(3, 11) == nil)
    #expect(target(60, 3) == nil)
  }
}
