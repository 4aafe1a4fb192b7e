// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Suzu
import Testing

@testable import suzu

/// Tests which rows `suzu history` selects.
@Suite struct HistoryFilterTests {
  private static func accepts(_ arguments: [String], _ row: [String: PlainValue]) throws -> Bool {
    // Now is 2026-11-20T10:00:00Z.
    let filter = try HistoryFilter(
      Arguments(arguments, flags: Verb.history.flags), time: try UnderstoodTimeTests.paris())
    return filter.selection.map { $0(ListedRequest(row)) } ?? true
  }

  @Test func `A row must match the id, the date and the state`() throws {
    let row: [String: PlainValue] = ["id": "a", "state": "closed", "due": "2026-11-20T09:00:00+01:00"]
    for arguments in [
      [], ["a"], ["--state", "closed"], ["--since", "2h"], ["a", "--since", "today", "--state=closed"],
    ] {
      #expect(try Self.accepts(arguments, row), "\(arguments)")
    }
    for arguments in [["b"], ["--state", "failed"], ["--since", "119m"], ["a", "--since", "1h"]] {
      #expect(try !Self.accepts(arguments, row), "\(arguments)")
    }
    #expect(try !Self.accepts(["--since", "2h"], ["id": "a"]))
  }

  // `--state expired` found no notification whose time on the screen was over: that is the reason of this name.
  @Test func `The words of the column WHY are accepted`() throws {
    let seen: [String: PlainValue] = ["id": "a", "state": "closed", "reason": "expired", "shown": "x"]
    let late: [String: PlainValue] = ["id": "b", "state": "expired", "reason": "too late"]
    #expect(try Self.accepts(["--state", "expired on screen"], seen) && Self.accepts(["--state", "closed"], seen))
    #expect(try !Self.accepts(["--state", "expired on screen"], late) && !Self.accepts(["--state", "expired"], seen))
    #expect(try Self.accepts(["--state", "too late"], late) && Self.accepts(["--state", "expired"], late))
    let error = #expect(throws: CommandError.self) { try Self.accepts(["--state", "gone"], seen) }
    #expect(error?.message.contains("folded, failed, or a word of the column WHY") == true)
  }
}
