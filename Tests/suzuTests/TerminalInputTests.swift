// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import suzu

/// Tests parsing of terminal input into keys.
@Suite struct TerminalInputTests {
  private func keys(_ text: String) -> [TerminalKey] {
    var input = TerminalInput()
    return input.feed(text.utf8)
  }

  @Test(
    arguments: [
      ("1d", [.text("1"), .text("d")]),
      ("\r\n\t\u{7F}\u{8}", [.enter, .enter, .tab, .backspace, .backspace]),
      ("\u{3}\u{4}\u{C}\u{15}\u{17}", [.control("c"), .control("d"), .control("l"), .control("u"), .control("w")]),
      ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D\u{1B}OA\u{1B}OB", [.up, .down, .right, .left, .up, .down]),
      ("\u{1B}[1;5A\u{1B}[Z\u{1B}[H\u{1B}[4~\u{1B}[3~\u{1B}[6~", [.up, .backTab, .home, .end, .delete, .pageDown]),
      ("\u{1B}[<0;12;5M\u{1B}[<0;12;5m", [.click(column: 11, row: 4)]),
      (
        "\u{1B}[<64;1;1M\u{1B}[<65;1;1M\u{1B}[<2;1;1M\u{1B}[<32;1;1M\u{1B}[<4;3;3M",
        [.wheelUp, .wheelDown, .click(column: 2, row: 2)]
      ),
      ("\u{1B}[200~q\u{1B}[A\r1\u{1B}[201~q", [.paste("q\u{1B}[A\r1"), .text("q")]),
      ("ä漢👍", [.text("ä"), .text("漢"), .text("👍")]),
      ("\u{1B}\u{1B}[A", [.escape, .up]),
      ("\u{1B}\u{3}", [.escape, .control("c")]),
    ] as [(String, [TerminalKey])])
  func `Bytes become keys`(bytes: String, expected: [TerminalKey]) {
    #expect(keys(bytes) == expected)
  }

  @Test(arguments: [
    "\u{1B}[15~", "\u{1B}[[A", "\u{1B}OP", "\u{1B}[>0;276;0c", "\u{1B}]11;rgb:0000/0000/0000\u{7}",
    "\u{1B}]0;d\u{1B}\\", "\u{1B}P1$r0m\u{1B}\\", "\u{1B}[I", "\u{1B}[O", "\u{1B}[M !!", "\u{1B}d", "\u{1B}ä",
    "\u{1B}[97;5u",
    "\u{1B}[12;40R", "\u{1B}_Gi=1;OK\u{1B}\\", "\u{1B}[<0;0;0M", "\u{1B}[<q", "\u{1B}[2;99999999999999999999~",
    "\u{85}",
    "\u{1B}[11111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111d",
  ])
  func `Unknown sequences are skipped whole`(sequence: String) {
    #expect(keys(sequence + "x") == [.text("x")])
  }

  @Test func `Answers about pictures are found among keys, wherever the stream is split`() {
    let bytes = Array(
      "a\u{1B}_Gi=\(KittyGraphics.question);OK\u{1B}\\\u{1B}[6;20;9t\u{1B}[?1;0;16S\u{1B}[?62;4;22cb".utf8)
    let expected: [TerminalKey] = [
      .text("a"), .report(.kittyGraphics(true)), .report(.cell(CellSize(width: 9, height: 20)!)),
      .report(.colours(16)), .report(.attributes([62, 4, 22])), .text("b"),
    ]
    for split in 0...bytes.count {
      var input = TerminalInput()
      #expect(input.feed(bytes[..<split]) + input.feed(bytes[split...]) == expected, "split at \(split)")
    }
    #expect(keys("\u{1B}_Gi=\(KittyGraphics.question);ENOTSUPPORTED:no\u{1B}\\") == [.report(.kittyGraphics(false))])
  }

  @Test(arguments: [
    "\u{1B}[6;0;0t", "\u{1B}[6;99999;9t", "\u{1B}[6t", "\u{1B}[8;24;80t", "\u{1B}[?1;3;0S", "\u{1B}[?2;0;1;1S",
    "\u{1B}_\u{1B}\\", "\u{1B}_G\u{1B}\\", "\u{1B}_X;OK\u{1B}\\", "\u{1B}_G;OK\u{1B}\\", "\u{1B}_Gi=\u{7}",
  ])
  func `Other answers are none, and nothing of them is a key`(sequence: String) {
    #expect(keys(sequence + "x") == [.text("x")])
  }

  @Test func `An answer without an end keeps no memory, and Ctrl-C ends it`() {
    var input = TerminalInput()
    #expect(input.feed(Array("\u{1B}_G".utf8) + [UInt8](repeating: 0x41, count: 1 << 20)) == [])
    #expect(input.feed([0x03]) == [.control("c")])
  }

  @Test func `Invalid UTF-8 is skipped and later keys are read`() {
    var input = TerminalInput()
    #expect(
      input.feed([0xFF, 0xC3, 0x71, 0xE2, 0x82, 0x1B, 0x5B, 0x41, 0xC0, 0xAF, 0xED, 0xA0, 0x80, 0x78]) == [
        .text("q"), .up, .text("x"),
      ])
  }

  @Test func `A lone Escape becomes a key only after a pause`() {
    var input = TerminalInput()
    #expect(input.silenceLimit == nil)
    #expect(input.feed([0x1B]) == [])
    #expect(input.silenceLimit == .milliseconds(100))
    #expect(input.silence() == [.escape])
    #expect(input.silenceLimit == nil)
    #expect(input.feed("[A".utf8) == [.text("["), .text("A")])
  }

  @Test func `An unfinished sequence is dropped and an unfinished paste is kept`() {
    var input = TerminalInput()
    #expect(input.feed("\u{1B}[1;".utf8) == [])
    #expect(input.silence() == [])
    #expect(input.feed("\u{1B}]0;abc".utf8) == [])
    #expect(input.silence() == [])
    #expect(input.feed("\u{1B}[200~abc".utf8) == [])
    #expect(input.silence() == [.paste("abc")])
    #expect(input.feed("x".utf8) == [.text("x")])
  }

  @Test func `A huge paste is cut and its end still found`() {
    var input = TerminalInput()
    let long = String(repeating: "a", count: 300_000)
    let keys = input.feed("\u{1B}[200~\(long)\u{1B}[201~x".utf8)
    #expect(keys.count == 2)
    #expect(keys.first == .paste(String(repeating: "a", count: TerminalInput.longestPaste)))
    #expect(keys.last == .text("x"))
  }

  @Test func `Splitting the stream anywhere makes no difference`() {
    var random = SystemRandomNumberGenerator()
    let pieces: [[UInt8]] = [
      "\u{1B}", "\u{1B}[", "\u{1B}[A", "\u{1B}[<0;3;4M", "\u{1B}[200~", "\u{1B}[201~", "\u{1B}]0;", "\u{7}", "\u{1B}\\",
      "ä", "漢", "👍", "q",
      ";5", "~", "\u{3}", "\u{1B}O", "M", "\u{1B}P",
    ].map { Array($0.utf8) }
    for _ in 0..<3000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0..<15, using: &random) {
        bytes +=
          Bool.random(using: &random) ? pieces.randomElement(using: &random)! : [.random(in: 0...255, using: &random)]
      }
      var whole = TerminalInput()
      var expected = whole.feed(bytes)
      expected += whole.silence()
      var cut = TerminalInput()
      var keys: [TerminalKey] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...rest.count, using: &random)
        keys += cut.feed(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      keys += cut.silence()
      #expect(keys == expected, "\(bytes)")
      #expect(cut.silenceLimit == nil)
    }
  }

  @Test func `Text survives splitting anywhere`() {
    var random = SystemRandomNumberGenerator()
    let letters: [Unicode.Scalar] = ["A", "é", "漢", "👍", "\u{301}"]
    let scalars = (0..<500).map { _ in letters.randomElement(using: &random)! }
    let text = String(String.UnicodeScalarView(scalars))
    for size in 1...7 {
      var input = TerminalInput()
      var keys: [TerminalKey] = []
      let bytes = Array(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: size) { keys += input.feed(bytes[start...].prefix(size)) }
      #expect(keys == scalars.map { .text($0) })
    }
  }
}
