// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import suzud

/// Tests cleaning and cutting texts for display.
struct DisplayTextTests {
  @Test(arguments: [
    ("plain", "plain"), ("two\nlines", "two lines"), ("  much \t  room ", "much room"), ("a\r\nb\rc", "a b c"),
    ("", ""), (" \n\t", ""), ("a\u{2028}b\u{2029}c", "a b c"), ("Grüße, 世界 👩‍👩‍👧", "Grüße, 世界 👩‍👩‍👧"),
  ])
  func `A line of text stays one line`(text: String, line: String) {
    #expect(DisplayText.line(text) == line)
  }

  @Test(arguments: [
    ("a\nb", "a\nb"), ("a\r\nb", "a\nb"), ("a\rb", "a\nb"), ("a\r\n\r\nb", "a\n\nb"), ("a\tb", "a b"),
    ("a\u{2028}b", "a\nb"), ("  kept  ", "  kept  "),
  ])
  func `A text keeps its lines, whatever line endings it has`(text: String, shown: String) {
    #expect(DisplayText.text(text) == shown)
  }

  @Test func `The line feed is the only control character that is kept`() {
    for value: UInt32 in Array(0..<0x20) + Array(0x7f..<0xa0) {
      let scalar = Unicode.Scalar(UInt8(value))
      let text = DisplayText.text("a" + String(scalar) + "b")
      let allowed = ["ab", "a b", "a\nb"]
      #expect(allowed.contains(text), "U+\(String(value, radix: 16)) made \(text.debugDescription)")
    }
    #expect(DisplayText.text("\u{1b}[2J\u{1b}]0;mine\u{7}") == "[2J]0;mine")
  }

  @Test func `Overrides of the writing direction are removed, letters and marks of that direction stay`() {
    for value in Array(0x202a...0x202e) + Array(0x2066...0x2069) as [UInt32] {
      // The ranges contain no surrogates.
      let override = String(Unicode.Scalar(value)!)
      #expect(DisplayText.line("photo_" + override + "gpj.exe") == "photo_gpj.exe")
    }
    #expect(DisplayText.line("שלום \u{200f}abc") == "שלום \u{200f}abc")
  }

  @Test func `A long text is cut between characters, with an ellipsis, and within its bytes`() {
    for character in ["x", "ü", "世", "👩‍👩‍👧"] {
      let line = DisplayText.line(String(repeating: character, count: 2000))
      #expect(line.utf8.count <= DisplayText.longestLine)
      #expect(line.utf8.count > DisplayText.longestLine - 32)
      #expect(line.hasSuffix("…"))
      #expect(line.dropLast().allSatisfy { String($0) == character })
    }
    let exact = String(repeating: "y", count: DisplayText.longestText)
    #expect(DisplayText.text(exact) == exact)
    #expect(DisplayText.text(exact + "y").utf8.count <= DisplayText.longestText)
  }

  @Test func `A character with a thousand accents is not cut in halves`() {
    let monster = "a" + String(repeating: "\u{301}", count: 5000)
    #expect(DisplayText.line(monster) == "…")
  }

  @Test func `Escaping replaces the three special characters by their names and changes nothing else`() {
    #expect(DisplayText.escaped("<b>R&D</b> \"it's\"") == "&lt;b&gt;R&amp;D&lt;/b&gt; \"it's\"")
    #expect(DisplayText.escaped("&amp;") == "&amp;amp;")
    #expect(DisplayText.escaped("") == "")
  }
}
