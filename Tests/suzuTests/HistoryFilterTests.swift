// SPDX-License-Identifier: Apache-2.0
import CenterClient
import NotificationModel
import Testing
import Zoneinfo

@testable import suzu

/// Tests which rows `suzu history` selects.
@Suite struct HistoryFilterTests {
  private static func accepts(_ arguments: [String], _ row: [String: PlainValue]) throws -> Bool {
    // Now is 2026-11-20T10:00:00Z.
    let filter = try HistoryFilter(
      Arguments(arguments, flags: Verb.history.flags), time: try UnderstoodTimeTests.paris())
    return filter.selection.map { $0(ListedRequest(row)) } ?? true
  }

  @Test func `A row must match the id and the state, and the center selects by date and text`() throws {
    let row: [String: PlainValue] = ["id": "a", "state": "closed", "due": "2026-11-20T09:00:00+01:00"]
    for arguments in [
      [], ["a"], ["--state", "closed"], ["--since", "1h", "--search", "x"],
      ["a", "--since", "today", "--state=closed"],
    ] {
      #expect(try Self.accepts(arguments, row), "\(arguments)")
    }
    for arguments in [["b"], ["--state", "failed"], ["a", "--since", "2h", "--state", "failed"]] {
      #expect(try !Self.accepts(arguments, row), "\(arguments)")
    }
    let filter = try HistoryFilter(
      Arguments(["--since", "2h", "--search", "Tea"], flags: Verb.history.flags), time: try UnderstoodTimeTests.paris())
    #expect(filter.since == Instant(rfc3339: "2026-11-20T08:00:00Z") && filter.search == "Tea")
    #expect(filter.selection == nil && !filter.isEmpty)
    for text in ["", String(repeating: "x", count: 1025)] {
      #expect(throws: CommandError.self) { try Self.accepts(["--search", text], row) }
    }
  }

  // `--state expired` found no notification whose time on the screen was over: that is the reason of this name.
  @Test func `The words of the column WHY are accepted`() throws {
    let seen: [String: PlainValue] = ["id": "a", "state": "closed", "reason": "expired", "shown": "x"]
    let late: [String: PlainValue] = ["id": "b", "state": "expired", "reason": "too late"]
    #expect(try Self.accepts(["--state", "expired on screen"], seen) && Self.accepts(["--state", "closed"], seen))
    #expect(try !Self.accepts(["--state", "expired on screen"], late) && !Self.accepts(["--state", "expired"], seen))
    #expect(try Self.accepts(["--state", "too late"], late) && Self.accepts(["--state", "expired"], late))
    // What the column prints can be typed: 'answered' was refused.
    let answered: [String: PlainValue] = ["id": "c", "state": "closed", "reason": "withdrawn", "action": "yes"]
    let rows: [([String: PlainValue], [String])] = [
      (answered, ["answered", "answered: yes", "withdrawn"]),
      (["id": "d", "state": "due"], ["waits to be shown", "due"]),
      (["id": "e", "state": "delivered"], ["on the screen"]), (["id": "f", "state": "folded"], ["folded"]),
      (["id": "g", "state": "failed", "reason": "org.x.Error"], ["failed", "failed: org.x.Error"]),
      (["id": "h", "state": "closed", "reason": "replaced"], ["edited"]),
      (["id": "i", "state": "closed", "reason": "dismissed", "missedDates": .integer(2)], ["dismissed, 2 missed"]),
    ]
    for (row, words) in rows {
      #expect(try Self.accepts(["--state", HistoryCommand.column(ListedRequest(row))], row), "\(row)")
      for word in words { #expect(try Self.accepts(["--state", word], row), "\(word)") }
      for (other, _) in rows where other["id"] != row["id"] {
        #expect(try !Self.accepts(["--state", words[0]], other), "\(words[0]) \(other)")
      }
    }
    for (word, problem) in [("done", "is an outcome"), ("pending", "has not been shown yet; see 'suzu list'")] {
      let error = #expect(throws: CommandError.self) { try Self.accepts(["--state", word], seen) }
      #expect(error?.message.contains(problem) == true)
    }
    let error = #expect(throws: CommandError.self) { try Self.accepts(["--state", "gone"], seen) }
    #expect(error?.message.contains("folded, failed, or a word of the column WHY") == true)
  }
}
