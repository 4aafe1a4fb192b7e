// SPDX-License-Identifier: Apache-2.0
import DBus
import NotificationModel
import TestSupport
import Testing
import Zoneinfo

@testable import suzud

/// Tests the method `Why`, which `suzu why` prints.
@Suite(.timeLimit(.minutes(2))) struct WhyTests {
  /// The states of the rows and their reasons.
  private func why(_ stand: CenterStand, _ id: String, limit: UInt32 = 0) async throws -> [[String]] {
    let answer = try await stand.call("Why", ["test", .string(id), .uint32(limit)])
    guard case .array(_, let rows)? = answer.first else { throw TestFailure("no list") }
    return rows.compactMap(\.properties).map { row in
      [row["state"]?.string ?? "", row["why"]?.string ?? "", row["late"]?.integer.map { "\($0)" } ?? "-"]
    }
  }

  @Test func `Why tells of the pending request and of its past dates, the latest first`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server(name: "gnome-shell")
      try await stand.notify("x")
      _ = try await server.posted.next()
      try await stand.settle()
      // It may have come in the last milliseconds of a second, and have been shown in the first ones of the next.
      let row = try #require(try await stand.listing("Delivered").first)
      let (due, came) = (
        row["due"]?.string.flatMap(Instant.init(rfc3339:)), row["shown"]?.string.flatMap(Instant.init(rfc3339:))
      )
      let late = try #require(came).seconds - (try #require(due)).seconds
      let shown = ["delivered", "came, on time; it is on the screen", "\(late)"]
      #expect(try await why(stand, "x") == [shown])
      try await stand.notify("x", ["in": "1h"])
      try await stand.notify("other", ["in": "1h"])
      #expect(try await why(stand, "x") == [["pending", "will come then", "-"], shown])
      // The pending one does not count.
      #expect(try await why(stand, "x", limit: 1) == [["pending", "will come then", "-"], shown])
      #expect(try await stand.count("Cancel", ["x"]) == 1)
      let cancelled = ["closed", "cancelled before it was shown", "-"]
      #expect(try await why(stand, "x") == [cancelled, shown])
      #expect(try await why(stand, "x", limit: 1) == [cancelled])
      #expect(try await why(stand, "y") == [])
    }
  }

  @Test func `Why says that a pending request of a denied app will not be shown`() async throws {
    try await CenterStand.run { stand in
      try await stand.notify("x", ["in": "1h"])
      _ = try await stand.call("Allow", ["test", .strings([])])
      #expect(
        try await why(stand, "x") == [
          ["pending", "will not be shown: you do not allow its app to notify you; see 'suzu apps'", "-"]
        ])
      _ = try await stand.call("Reset", ["test"])
      #expect(try await why(stand, "x").count == 1)
    }
  }
}
