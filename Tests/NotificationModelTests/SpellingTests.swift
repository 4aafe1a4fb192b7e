// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing

/// Tests which words count as misspellings of others.
@Suite struct SpellingTests {
  @Test(arguments: [
    ("lst", "list"), ("dney", "deny"), ("acton", "action"), ("actoin", "action"), ("ZONE", "zone"),
    ("tomorow", "tomorrow"), ("okk", "ok"),
  ])
  func `A word with one wrong letter in three is a misspelling`(typed: String, meant: String) {
    #expect(typed.misspelling(ofOneOf: ["in", "wake", "file", meant]) == meant)
  }

  // The advice for these was '--in', '--wake' and '--file', which do something else.
  @Test(arguments: [("id", "in"), ("wait", "wake"), ("title", "file"), ("ls", "list"), ("", "in")])
  func `Another word of the same length is no misspelling`(typed: String, known: String) {
    #expect(typed.misspelling(ofOneOf: [known]) == nil)
  }

  @Test(arguments: [("", "", 0), ("abc", "", 3), ("abc", "acb", 1), ("kitten", "sitting", 3), ("ab", "ba", 1)])
  func `Swapped neighbours count as one change`(one: String, other: String, distance: Int) {
    #expect(one.distance(to: other) == distance && other.distance(to: one) == distance)
  }
}
