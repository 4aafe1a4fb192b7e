// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import suzu

/// Tests sanitizing, measuring and wrapping of text.
@Suite struct PrintableTextTests {
  @Test(arguments: [
    ("\u{1B}[31mred\u{1B}[0m", "red"),
    ("\u{1B}]0;title\u{07}x", "x"),
    ("\u{1B}]8;;http://e\u{1B}\\link\u{1B}]8;;\u{1B}\\", "link"),
    ("\u{1B}]0;never ended", "]0;never ended"),
    ("\u{1B}P1$r\u{9C}a\u{1B}(0b\u{1B}cd", "abd"),
    ("\u{9B}2Jx\u{90}y", "xy"),
    ("a\u{1B}", "a"),
    ("a\u{1B}[", "a"),
    ("a\u{1B}[12;", "a"),
    ("a\u{7}\u{8}\u{7F}\u{0}b", "ab"),
    ("evil\u{202E}gpj.exe\u{202C}", "evilgpj.exe"),
    ("\u{2066}a\u{2067}b\u{2068}c\u{2069}", "abc"),
    ("  two\n\n lines\t", "two lines"),
    ("soft\u{AD}hyphen\u{FEFF}", "softhyphen"),
    ("<b>x</b> &amp;", "<b>x</b> &amp;"),
    ("\u{1B}[31\nm", "m"),
    ("", ""), (" ", ""), ("a b", "a b"), ("a  b", "a b"), (" a", "a"), ("a ", "a"), ("a~!", "a~!"),
  ])
  func `Control sequences are removed`(raw: String, expected: String) {
    #expect(PrintableText.line(raw, atMost: 100) == expected)
  }

  @Test func `A block keeps its lines and loses surrounding empty ones`() {
    #expect(PrintableText.block("\n\na\r\nb\rc\u{85}\u{2028}d\n \n", atMost: 100) == "a\nb\nc\n\nd")
  }

  @Test func `Text that is too long ends in an ellipsis`() {
    #expect(PrintableText.line("abcdef", atMost: 3) == "abc…")
    #expect(PrintableText.line("abc", atMost: 3) == "abc")
  }

  @Test func `Combining marks are limited`() {
    let tower = "a" + String(repeating: "\u{301}", count: 500) + "b"
    #expect(PrintableText.line(tower, atMost: 1000).unicodeScalars.count == 10)
  }

  @Test func `No control character survives random text`() {
    var random = SystemRandomNumberGenerator()
    let pieces: [String] = [
      "\u{1B}", "[", "]", "P", "\\", "\u{07}", "\u{9B}", "\u{9C}", "31m", "\u{202E}", "\u{2067}", "a", "漢", "\n", "\r",
      "?",
      "\u{0}", "\u{85}", "~", " ", "\u{E000}", "\u{1F469}\u{200D}",
    ]
    for _ in 0..<3000 {
      let raw = (0..<Int.random(in: 0..<20, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
      for scalar in PrintableText.block(raw, atMost: 50).unicodeScalars {
        let isHarmless = scalar == "\n" || DisplayWidth.of(scalar) > 0 || scalar == "\u{200D}"
        #expect(isHarmless, "\(raw.debugDescription) left U+\(String(scalar.value, radix: 16))")
      }
    }
  }

  // MARK: Width

  @Test(arguments: [
    ("abc", 3), ("é", 1), ("e\u{301}", 1), ("漢字", 4), ("ｱ", 1), ("Ａ", 2), ("한글", 4), ("\u{1112}\u{1161}\u{11AB}", 2),
    ("👍", 2), ("👍🏽", 2), ("👩\u{200D}👩\u{200D}👧", 2), ("🇩🇪", 2), ("❤", 1), ("❤\u{FE0F}", 2), ("1\u{FE0F}\u{20E3}", 2),
    ("…─×█", 4), ("ไทย", 3), ("กำ", 2), ("𝄞", 1), ("𠀀", 2), ("\u{200B}", 0), ("שלום", 4), ("", 0),
  ])
  func `Text width matches terminals`(text: String, width: Int) {
    #expect(DisplayWidth.of(text) == width)
  }

  @Test func `Cutting never splits a character or exceeds the width`() {
    #expect("漢字漢字".fitted(to: 8, mark: "…") == "漢字漢字")
    #expect("漢字漢字".fitted(to: 7, mark: "…") == "漢字漢…")
    #expect("漢字漢字".fitted(to: 6, mark: "…") == "漢字…")
    #expect("ab".fitted(to: 0, mark: "…") == "")
    #expect("a漢字".suffix(columns: 3) == "字")
  }

  // MARK: Wrapping

  @Test func `Lines break at spaces, inside long words, and anywhere in CJK`() {
    #expect(WordWrap.lines(of: "the quick brown fox", columns: 10) == ["the quick", "brown fox"])
    #expect(WordWrap.lines(of: "a incomprehensible b", columns: 8) == ["a", "incompre", "hensible", "b"])
    #expect(WordWrap.lines(of: "通知は端末に", columns: 5) == ["通知", "は端", "末に"])
    #expect(WordWrap.lines(of: "one\n\n  two", columns: 8) == ["one", "", "  two"])
    #expect(WordWrap.lines(of: "", columns: 8) == [])
    #expect(WordWrap.lines(of: "漢", columns: 1) == [""])
    #expect(WordWrap.lines(of: "a b c d", columns: 1, most: 2) == ["a", "b"])
  }

  @Test func `No line is too wide and no letter is lost`() {
    var random = SystemRandomNumberGenerator()
    let letters: [Character] = ["a", "b", " ", " ", "漢", "e\u{301}", "👍🏽", "\n", "-"]
    for _ in 0..<2000 {
      let text = String((0..<Int.random(in: 0..<60)).map { _ in letters.randomElement(using: &random)! })
      let columns = Int.random(in: 2...20, using: &random)
      let lines = WordWrap.lines(of: text, columns: columns)
      #expect(lines.allSatisfy { DisplayWidth.of($0) <= columns })
      #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " && $0 != "\n" })
    }
  }
}
