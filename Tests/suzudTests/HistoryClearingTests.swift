// SPDX-License-Identifier: Apache-2.0
import DBus
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests the method `ClearHistory`, which `suzu history --clear` calls.
@Suite(.timeLimit(.minutes(2))) struct HistoryClearingTests {
  private func clear(_ stand: CenterStand, _ app: String, before: Int64 = 0) async throws -> UInt32? {
    try await stand.call("ClearHistory", [.string(app), .int64(before)]).first?.uint32
  }

  private func history(_ stand: CenterStand, _ app: String = "") async throws -> [String] {
    guard
      case .array(_, let rows)? = try await stand.call("History", [.string(app), .properties([:])]).first
    else { throw TestFailure("no list") }
    return rows.compactMap { $0.properties?["id"]?.string }.sorted()
  }

  @Test func `What has ended is deleted, and what is pending or on the screen stays`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server(name: "gnome-shell")
      for id in ["ended", "shown", "repeats"] {
        try await stand.notify(id)
        _ = try await server.posted.next()
      }
      try await stand.settle()
      #expect(try await stand.count("Dismiss", ["ended", "repeats"]) == 2)
      // Its past date must not come again.
      try await stand.notify("repeats", ["in": "1h"])
      try await stand.notify("cancelled", ["in": "1h"])
      #expect(try await stand.count("Cancel", ["cancelled"]) == 1)
      try await stand.notify("other", ["in": "1h", "app": "b"])
      _ = try await stand.call("Cancel", ["b", .strings([])])
      #expect(try await history(stand) == ["cancelled", "ended", "other", "repeats", "shown"])
      #expect(try await clear(stand, "test", before: 1_000_000_000) == 0)
      #expect(try await clear(stand, "unknown") == 0)
      #expect(try await clear(stand, "test") == 2)
      #expect(try await history(stand) == ["other", "repeats", "shown"])
      #expect(try await clear(stand, "test") == 0)
      #expect(try await clear(stand, "") == 1)
      #expect(try await stand.count("Cancel", ["repeats"]) == 1)
      // The dates of one id: the one that was shown, and the one that was cancelled.
      #expect(try await clear(stand, "", before: 253_402_300_799) == 2)
      #expect(try await history(stand) == ["shown"])
      #expect(try await stand.count("Dismiss", ["shown"]) == 1)
      #expect(try await clear(stand, "") == 1)
      #expect(try await stand.property("PendingCount") == .uint32(0))
    }
  }

  @Test func `A long history is deleted in slices, and a wrong date is refused`() async throws {
    try await CenterStand.run { stand in
      for start in stride(from: 0, to: 250, by: 50) {
        let ids = (start..<start + 50).map { "n\($0)" }
        let requests = ids.map { Value.properties(["app": "test", "title": "T", "in": "1h", "id": .string($0)]) }
        _ = try await stand.call("NotifyMany", [.array(of: .properties, requests)])
        #expect(try await stand.count("Cancel", ids) == 50)
      }
      #expect(try await clear(stand, "test") == 250)
      #expect(try await history(stand) == [])
      for before: Int64 in [-1, .max] {
        await #expect(throws: (any Error).self) { try await clear(stand, "", before: before) }
      }
    }
  }
}
