// SPDX-License-Identifier: Apache-2.0
import DBus
import TestSupport
import Testing

@testable import suzud

/// Tests what happens to notifications for which a server has no room.
@Suite(.timeLimit(.minutes(1)))
struct ScreenRoomTests {
  private static let alert: [String: Value] = ["style": "alert", "actions": actions(action("a"))]

  private func summaries(_ server: ScriptedServer, _ count: Int) async throws -> [String] {
    try await server.posted.next(count).map(\.summary)
  }

  // GNOME Shell closes the oldest alert for a fourth notification, as expired: the alert could not be answered.
  @Test func `An alert that makes room comes back when there is room again`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server(name: "gnome-shell", version: "48.7")
      for id in ["a", "b", "c", "d"] { try await stand.notify(id, Self.alert) }
      #expect(try await summaries(server, 4) == ["a", "b", "c", "d"])
      #expect(try await server.closed.next() == 1)
      try await server.tellClosed(1, reason: 3)
      #expect(try await stand.next(4) == ["a", "b", "c", "d"].map { "Delivered \($0)" })
      #expect(try await stand.property("PendingCount") == .uint32(1))
      try await server.press(3, "a")
      #expect(
        try await stand.next(4).sorted() == ["Closed c withdrawn", "Delivered a", "Outcome done", "Responded c a"])
      #expect(try await summaries(server, 1) == ["a"])
      try await server.press(5, "a")
      #expect(try await stand.next(3).sorted() == ["Closed a withdrawn", "Outcome done", "Responded a a"])
    }
  }

  // The click was lost, and the alert came back.
  @Test func `An alert that is clicked while it makes room is answered, and does not come back`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server(name: "gnome-shell", version: "48.7")
      for id in ["a", "b", "c", "d"] { try await stand.notify(id, Self.alert) }
      #expect(try await summaries(server, 4) == ["a", "b", "c", "d"])
      #expect(try await server.closed.next() == 1)
      _ = try await stand.next(4)
      // The click was under way to the center when it closed the alert.
      try await server.press(1, "a")
      try await server.tellClosed(1, reason: 3)
      #expect(try await stand.next(3).sorted() == ["Closed a withdrawn", "Outcome done", "Responded a a"])
      #expect(try await stand.property("PendingCount") == .uint32(0))
      try await server.press(3, "a")
      #expect(try await stand.next(3).sorted() == ["Closed c withdrawn", "Outcome done", "Responded c a"])
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
    }
  }

  @Test func `The oldest banner makes room before an alert does`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server(name: "gnome-shell", version: "48.7")
      try await stand.notify("alert", Self.alert)
      for id in ["a", "b", "c"] { try await stand.notify(id) }
      #expect(try await summaries(server, 4) == ["alert", "a", "b", "c"])
      #expect(try await server.closed.next() == 2)
      #expect(
        try await stand.next(5).sorted()
          == ["Closed a expired", "Delivered a", "Delivered alert", "Delivered b", "Delivered c"])
      #expect(try await stand.property("PendingCount") == .uint32(0))
    }
  }

  @Test func `Each app has its own room on a server that counts so`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server(name: "gnome-shell", version: "48.7")
      for (index, app) in ["x", "x", "x", "y", "y", "y"].enumerated() {
        try await stand.notify("\(index)", Self.alert.merging(["app": .string(app)]) { $1 })
      }
      _ = try await server.posted.next(6)
      _ = try await stand.next(6)
      try await stand.settle()
      #expect(server.closed.waiting.isEmpty)
    }
  }

  // MATE's 1.26.1 crashed on the 22nd, and Budgie hides a fourth one.
  @Test(arguments: [("Notification Daemon", "1.26.1", 21), ("Budgie Notification Server", "10.9.2", 3)])
  func `A request waits for room on a server that has no use for one more`(
    name: String, version: String, room: Int
  ) async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server(name: name, version: version)
      let ids = (0..<room + 2).map { "n\($0)" }
      // Of several apps, so that none is folded.
      for (index, id) in ids.enumerated() { try await stand.notify(id, ["app": .string("app\(index % 3)")]) }
      #expect(try await summaries(server, room) == Array(ids.prefix(room)))
      _ = try await stand.next(room)
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      #expect(try await stand.property("PendingCount") == .uint32(2))
      // A request that replaces one needs no room.
      try await stand.notify("n0", ["app": "app0", "title": "again"])
      #expect(try await summaries(server, 1) == ["again"])
      for (index, number) in [UInt32(2), 3].enumerated() {
        try await server.tellClosed(number, reason: 1)
        #expect(try await summaries(server, 1) == [ids[room + index]])
      }
    }
  }

  // dunst 1.9.0 on Wayland crashed when three came before the compositor had shown the first.
  @Test func `A server that must rest gets one notification after the other, in order`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server(name: "dunst", version: "1.9.0 (2022-06-27)")
      let ids = ["a", "b", "c", "d"]
      let start = ContinuousClock.now
      for id in ids { try await stand.notify(id) }
      #expect(try await summaries(server, 4) == ids)
      #expect(ContinuousClock.now - start >= .milliseconds(300))
      #expect(try await stand.next(4) == ids.map { "Delivered \($0)" })
    }
  }

  @Test func `A critical notification does not wait on a server that always draws it`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server(name: "Budgie Notification Server", version: "10.9.2")
      for id in ["a", "b", "c"] { try await stand.notify(id) }
      _ = try await server.posted.next(3)
      try await stand.notify("fire", ["level": "critical"])
      #expect(try await summaries(server, 1) == ["fire"])
    }
  }

  @Test func `What waits for room is shown by the next server, or can be cancelled`() async throws {
    try await CenterStand.run { stand in
      let first = try await stand.server(name: "gnome-shell", version: "48.7")
      for id in ["a", "b", "c", "d", "e"] { try await stand.notify(id, Self.alert) }
      _ = try await first.posted.next(5)
      _ = try await stand.next(5)
      #expect(try await stand.count("Cancel", ["a"]) == 1)
      #expect(try await stand.next(1) == ["Closed a cancelled"])
      await first.die()
      let second = try await stand.server(name: "scripted")
      #expect(Set(try await summaries(second, 4)) == ["b", "c", "d", "e"])
    }
  }
}
