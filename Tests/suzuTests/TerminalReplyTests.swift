// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import suzu

/// Tests what is read of a terminal's answers, which may be anything.
@Suite struct TerminalReplyTests {
  @Test func `Answers are found among keys, wherever the stream is split`() {
    let bytes = Array(
      "a\u{1B}]99;i=x : p=?;p=title,body:a=report\u{1B}\\ä\u{1B}P>|kitty(0.41)\u{1B}\\\u{1B}]99;i=x;2\u{07}\u{1B}[A\u{1B}[?62;4c"
        .utf8)
    let expected: [TerminalReply] = [
      .typed, .notification(["i": "x", "p": "?"], "p=title,body:a=report"), .typed, .version("kitty(0.41)"),
      .notification(["i": "x"], "2"), .typed, .report(.attributes([62, 4])),
    ]
    for split in 0...bytes.count {
      var parser = TerminalReplyParser()
      let replies = parser.feed(bytes[..<split]) + parser.feed(bytes[split...])
      #expect(replies == expected, "split at \(split)")
    }
  }

  @Test(arguments: [
    "\u{1B}]99\u{1B}\\", "\u{1B}]99;\u{1B}\\", "\u{1B}]52;c;x\u{1B}\\", "\u{1B}P1$r\u{1B}\\", "\u{1B}[?1;2R",
    "\u{1B}Ox",
    "\u{1B}[c",
  ])
  func `Other sequences count as typed`(text: String) {
    var parser = TerminalReplyParser()
    let replies = parser.feed(Array(text.utf8))
    #expect(!replies.isEmpty && replies.allSatisfy { $0 == .typed })
  }

  @Test func `A string without an end keeps no memory, and ends with an escape`() {
    var parser = TerminalReplyParser()
    #expect(parser.feed(Array("\u{1B}]99;i=x;".utf8) + [UInt8](repeating: 0x41, count: 1 << 20)) == [])
    #expect(MemoryLayout.size(ofValue: parser) < 64)
    #expect(parser.feed(Array("\u{1B}\\".utf8)) == [.typed])
    #expect(parser.feed(Array("\u{1B}]99;i=x;\u{1B}[?6c".utf8)) == [.typed, .report(.attributes([6]))])
    #expect(parser.feed(Array("\u{1B}]".utf8)) == [] && parser.finish() == [.typed] && parser.finish() == [])
  }

  @Test func `Invalid text is no answer`() {
    var parser = TerminalReplyParser()
    #expect(parser.feed(Array("\u{1B}]99;i=x;".utf8) + [0xFF] + Array("\u{1B}\\".utf8)) == [.typed])
  }

  @Test func `Features are those that the answer names`() {
    var features = TerminalFeatures()
    (features.hasUrgency, features.reportsEnd, features.hasButtons, features.reportsClicks) = (true, true, true, true)
    #expect(TerminalFeatures(answer: "p=title,body,buttons:a=focus,report:u=0,1,2:c=1:zz=9") == features)
    #expect(!TerminalFeatures(answer: "p=title").hasBody)
    for lie in ["", ":::", "=", "p", "c=yes:w=:u=2x", String(repeating: "p=", count: 10_000)] {
      let read = TerminalFeatures(answer: lie)
      #expect(!read.hasButtons && !read.reportsClicks && !read.reportsEnd && !read.expires && !read.hasUrgency)
    }
  }

  @Test func `Terminals are known by their answer or by the environment`() {
    #expect(KnownTerminal.answering("WezTerm 20240203")?.sequence == .osc777)
    #expect(KnownTerminal.answering("VTE(7200)") == nil)
    #expect(KnownTerminal.named(in: ["TERM_PROGRAM": "iTerm.app", "TERM": "foot"])?.name == "iTerm2")
    #expect(KnownTerminal.named(in: ["TERM": "xterm-ghostty"])?.sequence == .osc9)
    #expect(KnownTerminal.named(in: ["TERM": "xterm-256color"]) == nil)
    #expect(KnownTerminal.isMultiplexer(type: "screen-256color", version: nil))
    #expect(!KnownTerminal.isMultiplexer(type: "screen-256color", version: "kitty(0.41)"))
  }

  @Test func `Base64 is that of the standard`() {
    let vectors = [
      "": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==", "fooba": "Zm9vYmE=", "foobar": "Zm9vYmFy",
    ]
    for (text, encoded) in vectors { #expect(Base64.encoded(Array(text.utf8)) == encoded) }
    #expect(Base64.encoded([0xFB, 0xFF]) == "+/8=")
  }
}
