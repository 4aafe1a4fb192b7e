// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import EventLoop

/// Tests the search for the last line of an output, against the standard library's way of splitting it.
struct LastLineTests {
  private static func splitting(_ text: String) -> String {
    String((text.split(whereSeparator: \.isNewline).last ?? "").prefix(200))
  }

  @Test(arguments: [
    "", "\n", "one", "one\n", "one\ntwo", "one\r\ntwo\r\n\r\n", "one\u{2028}two\u{2029}", "ä\u{85}ö\u{85}",
    "\u{C5}\u{85}", "€\u{20A8}", "a\u{B}b\u{C}", String(repeating: "x", count: 300), "e\u{301}\nu\u{308}\n",
  ])
  func `The last line is that of the split text`(text: String) {
    #expect(LastLine.of(Array(text.utf8)) == Self.splitting(text))
  }

  @Test func `The last line of random text is that of the split text`() {
    let parts = ["a", "é", "\n", "\r\n", "\u{85}", "\u{2028}", "€", "🎉", " ", "\u{B}"]
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in parts.randomElement(using: &random)! }.joined()
      #expect(LastLine.of(Array(text.utf8)) == Self.splitting(text), "\(text.unicodeScalars.map(\.value))")
    }
  }
}
