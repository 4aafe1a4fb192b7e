// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing
import Zoneinfo

@testable import WindowModel

/// Tests what the page *History* says of what has come.
@Suite struct HistoryListTests {
  private static func past(_ id: String, _ due: String?, _ words: [String: PlainValue]) -> ListedRequest {
    row(id, nil, words.merging(["due": due.map { .text($0) } ?? .text("")]) { $1 })
  }

  @Test func `Each day has a heading, and each row says how it ended`() {
    var list = HistoryList()
    let rows = [
      Self.past("a", "2026-11-24T09:00:00Z", ["state": .text("delivered")]),
      Self.past(
        "b", "2026-11-24T08:00:00Z",
        [
          "state": .text("closed"), "reason": .text("withdrawn"), "action": .text("join"), "reply": .text("Soon"),
          "outcome": .text("failed: exit 3"),
        ]),
      Self.past(
        "c", "2026-11-23T08:00:00Z",
        ["state": .text("closed"), "reason": .text("dismissed"), "missedDates": .integer(2)]),
    ]
    #expect(list.show(rows, clock)?.added == 3)
    #expect(list.entries.map(\.heading) == ["Today", nil, "Yesterday"])
    #expect(
      list.entries.map { "\($0.row.time) \($0.row.subtitle(clock))" } == [
        "09:00 on the screen", "08:00 answered: join · “\u{2068}Soon\u{2069}” · failed: exit 3",
        "08:00 dismissed · stands for 2 earlier",
      ])
    #expect(list.entries[2].row.spoken(clock) == "Tea, Yesterday 08:00, dismissed, stands for 2 earlier")
    #expect(list.show(rows, clock) == nil)
  }

  @Test func `Details of a past request say when it came and how it ended`() {
    let details = RequestDetails(
      Self.past("a", "2026-11-24T21:49:00Z", ["state": .text("closed"), "reason": .text("dismissed")]), clock)
    #expect(
      details.lines.map { "\($0.label): \($0.text)" } == [
        "Came: Today 21:49, 1 h ago", "Ended: dismissed", "App: dev.suzu.Suzu", "ID: a",
      ])
  }

  @Test func `Buttons can be pressed as long as the notification is on the screen`() {
    let actions: PlainValue = .list([
      .dictionary(["id": .text("yes"), "title": .text("Yes")]), .dictionary(["id": .text("no")]),
    ])
    for (state, titles) in [("delivered", ["Yes", "no"]), ("closed", []), ("due", []), ("unanswered", [])] {
      let details = RequestDetails(row("a", nil, ["actions": actions, "state": .text(state)]), clock)
      #expect(details.actions.map(\.title) == titles, "\(state)")
      #expect(details.lines.contains { $0.text == "\u{2068}Yes\u{2069}, \u{2068}no\u{2069}" })
    }
  }
}
