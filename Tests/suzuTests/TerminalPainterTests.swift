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
