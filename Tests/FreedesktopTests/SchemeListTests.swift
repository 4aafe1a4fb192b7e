// SPDX-License-Identifier: Apache-2.0
import Freedesktop
import Testing

/// Tests the list of URL schemes that a user writes.
struct SchemeListTests {
  @Test func `A line holds a scheme, in any case, with or without its colon, and a comment`() {
    let text = "zoommtg\n  Slack:  # work\nmagnet://\n# steam\n\n\t\r\nobsidian # notes"
    #expect(SchemeList(text).schemes == ["zoommtg", "slack", "magnet", "obsidian"])
  }

  @Test func `A text without schemes is an empty list`() {
    #expect(SchemeList("").schemes.isEmpty)
    #expect(SchemeList("# nothing\n:\n//").schemes.isEmpty)
  }
}
