// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import suzu

/// Tests the bytes sent to the terminal, and its detected traits.
@Suite struct TerminalPainterTests {
  private func frame(_ board: PopupBoard, _ theme: PopupTheme) -> PopupFrame {
    PopupFrame(board, columns: 40, rows: 12, theme: theme)
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func `Only changed lines are drawn in one synchronised update`() {
    let theme = PopupTheme(isUnicode: true, hasColour: true)
    var painter = TerminalPainter(theme: theme)
    var board = PopupBoard(.copy)
    #expect(text(painter.bytes(for: frame(board, theme), columns: 40)).contains("\u{1B}[2J"))
    #expect(painter.bytes(for: frame(board, theme), columns: 40).isEmpty)
    board.show(Popup(id: 6, appName: "Files", summary: "Copying", progress: 41), at: .zero)
    let update = text(painter.bytes(for: frame(board, theme), columns: 40))
    #expect(update.hasPrefix("\u{1B}[?2026h") && update.hasSuffix("\u{1B}[?2026l"))
    #expect(update.contains("41%") && !update.contains("Copying") && !update.contains("\u{1B}[2J"))
    painter.forget()
    #expect(text(painter.bytes(for: frame(board, theme), columns: 40)).contains("Copying"))
  }

  @Test func `A new width redraws everything`() {
    let theme = PopupTheme(isUnicode: true, hasColour: false)
    var painter = TerminalPainter(theme: theme)
    _ = painter.bytes(for: frame(PopupBoard(.tea), theme), columns: 40)
    #expect(text(painter.bytes(for: frame(PopupBoard(.tea), theme), columns: 50)).contains("\u{1B}[2J"))
  }

  @Test func `Without colour only weights are used`() {
    let theme = PopupTheme(isUnicode: true, hasColour: false)
    var painter = TerminalPainter(theme: theme)
    let bytes = text(painter.bytes(for: frame(PopupBoard(.tea, .disk, .chat), theme), columns: 40))
    let attributes = bytes.matches(of: /\x1B\[([0-9;]*)m/).map { String($0.1) }
    #expect(Set(attributes) == ["0", "1"])
  }

  @Test func `Lines of uncertain width place the border by column number`() {
    let theme = PopupTheme(isUnicode: true, hasColour: false)
    var painter = TerminalPainter(theme: theme)
    let wide = PopupBoard(Popup(id: 1, summary: "漢字", expiry: .never))
    #expect(text(painter.bytes(for: frame(wide, theme), columns: 40)).contains("\u{1B}[39G"))
    var plain = TerminalPainter(theme: theme)
    #expect(!text(plain.bytes(for: frame(PopupBoard(.tea), theme), columns: 40)).contains("\u{1B}[39G"))
  }

  @Test func `The cursor is visible only while typing`() {
    let theme = PopupTheme(isUnicode: true, hasColour: false)
    var painter = TerminalPainter(theme: theme)
    var board = PopupBoard(.chat)
    #expect(!text(painter.bytes(for: frame(board, theme), columns: 40)).contains("\u{1B}[?25h"))
    board.beginReply(to: 5)
    #expect(text(painter.bytes(for: frame(board, theme), columns: 40)).contains("\u{1B}[5;5H\u{1B}[?25h"))
    board.editReply { $0.insert(" ") }
    #expect(text(painter.bytes(for: frame(board, theme), columns: 40)).contains("\u{1B}[5;6H\u{1B}[?25h"))
  }

  // MARK: Pictures

  /// What draws a board with pictures, frame by frame.
  private struct Drawing {
    let theme = PopupTheme(isUnicode: true, hasColour: false)
    var painter = TerminalPainter(theme: PopupTheme(isUnicode: true, hasColour: false))
    var pictures = PopupPictures()

    init(_ way: GraphicsProtocol, _ ids: UInt32...) throws {
      pictures.way = way
      for id in ids { pictures.set(.pixels(try PictureSamples.squares(40)), of: id) }
    }

    mutating func bytes(for board: PopupBoard) -> String {
      let frame = PopupFrame(board, columns: 40, rows: 16, theme: theme, images: pictures.cells(of:))
      return String(decoding: painter.bytes(for: frame, columns: 40, pictures: &pictures), as: UTF8.self)
    }
  }

  @Test func `kitty draws a picture once, moves it, and removes it`() throws {
    var drawing = try Drawing(.kitty, 3)
    var board = PopupBoard(.tea)
    let first = drawing.bytes(for: board)
    // The text is there first, and the cursor at the picture's place.
    #expect(first.contains("Tea is ready") && first.contains(/\x1B\[2;3H\x1B_Ga=t,.*\x1B_Ga=p,/))
    #expect(first.hasSuffix("\u{1B}[?2026l"))
    #expect(drawing.bytes(for: board) == "")
    board.show(.copy, at: .zero)
    board.select(3)
    let moved = drawing.bytes(for: board)
    #expect(moved.contains("a=d,d=i,") && moved.contains(/\x1B\[6;3H\x1B_Ga=p,/) && !moved.contains("a=t,"))
    drawing.pictures.remove(3)
    _ = board.close(3, at: .zero)
    let closed = drawing.bytes(for: board)
    #expect(closed.contains("a=d,d=I,") && !closed.contains("a=p,"))
    #expect(!drawing.bytes(for: board).contains("\u{1B}_G"))
  }

  @Test func `After the screen was lost, kitty gets the picture again`() throws {
    var drawing = try Drawing(.kitty, 3)
    let board = PopupBoard(.tea)
    _ = drawing.bytes(for: board)
    drawing.painter.forget()
    let again = drawing.bytes(for: board)
    #expect(again.contains("\u{1B}_Ga=d,d=A,q=2\u{1B}\\") && again.contains("a=t,") && again.contains("a=p,"))
  }

  @Test func `Sixels are drawn again when the text below them is`() throws {
    var drawing = try Drawing(.sixel, 3)
    var board = PopupBoard(.tea)
    #expect(drawing.bytes(for: board).contains(/\x1B\[2;3H\x1BP0;1;0q/))
    #expect(drawing.bytes(for: board) == "")
    // A popup below changes nothing above; one above moves the picture.
    board.show(.copy, at: .zero)
    board.select(6)
    let moved = drawing.bytes(for: board)
    #expect(moved.contains(/\x1B\[6;3H\x1BP0;1;0q/))
    // The rows of its old place are written, which erases it there.
    for row in 2...3 { #expect(moved.contains("\u{1B}[\(row);1H")) }
    board.show(Popup(id: 3, appName: "Kitchen", summary: "Tea is cold", expiry: .never), at: .zero)
    #expect(drawing.bytes(for: board).contains("\u{1B}P0;1;0q"))
    board.show(Popup(id: 6, appName: "Files", summary: "Copying", progress: 99), at: .zero)
    let below = drawing.bytes(for: board)
    #expect(below.contains("99%") && !below.contains("\u{1B}P"))
    drawing.pictures.remove(3)
    let gone = drawing.bytes(for: board)
    #expect(!gone.contains("\u{1B}P") && gone.contains("Tea is cold"))
  }

  // MARK: Traits

  private func traits(_ environment: [String: String], input: Bool = true, output: Bool = true) -> TerminalTraits {
    TerminalTraits(inputIsTerminal: input, outputIsTerminal: output) { environment[$0] }
  }

  @Test func `The first locale variable that is set decides`() {
    #expect(traits(["LANG": "de_DE.UTF-8"]).isUnicode)
    #expect(traits(["LANG": "C.utf8"]).isUnicode)
    #expect(traits(["LANG": "ca_ES.UTF-8@valencia"]).isUnicode)
    #expect(!traits(["LC_ALL": "C", "LANG": "de_DE.UTF-8"]).isUnicode)
    #expect(traits(["LC_ALL": "", "LC_CTYPE": "C.UTF-8", "LANG": "C"]).isUnicode)
    #expect(!traits([:]).isUnicode)
    #expect(traits([:], output: false).isUnicode, "a pipe is bytes, whatever the locale")
  }

  @Test func `Colour needs a capable terminal and no NO_COLOR`() {
    #expect(traits(["TERM": "xterm"]).hasColour)
    #expect(!traits(["TERM": "xterm", "NO_COLOR": "1"]).hasColour)
    #expect(traits(["TERM": "xterm", "NO_COLOR": ""]).hasColour)
    #expect(!traits(["TERM": "dumb"]).hasColour)
    #expect(!traits(["TERM": "xterm"], output: false).hasColour)
  }

  @Test func `The full screen needs a terminal on both ends`() {
    #expect(traits(["TERM": "xterm"]).isInteractive)
    #expect(!traits(["TERM": "xterm"], input: false).isInteractive)
    #expect(!traits(["TERM": "xterm"], output: false).isInteractive)
    #expect(!traits(["TERM": "dumb"]).isInteractive)
    #expect(!traits([:]).isInteractive)
  }
}
