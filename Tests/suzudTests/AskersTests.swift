// SPDX-License-Identifier: Apache-2.0
import CenterContract
import DBus
import Scheduling
import TestSupport
import Testing

@testable import suzud

/// Tests requests that are withdrawn when the caller that waits for their answer leaves the bus.
@Suite(.timeLimit(.minutes(2))) struct AskersTests {
  private func ask(
    _ stand: CenterStand, _ id: String, _ more: [String: Value] = [:], as asker: Connection
  ) async throws {
    var request: [String: Value] = ["app": "test", "id": .string(id), "title": .string(id)]
    request.merge(more) { $1 }
    #expect(try await stand.call("Ask", [.properties(request)], as: asker) == [.string(id)])
  }

  private func asked(in home: TemporaryFolder) throws -> [String] {
    let store = try Store(folder: home.path("suzu")) { Timestamp(milliseconds: 0) }
    defer { store.close() }
    return try store.settings(withPrefix: "asked/").map(\.name)
  }

  @Test func `A request is withdrawn when its caller leaves, on the screen or before its date`() async throws {
    let home = try TemporaryFolder()
    try await CenterStand.run(home: home) { stand in
      let server = try await stand.server()
      let asker = try await stand.bus.connect(on: stand.loop)
      try await ask(stand, "shown", as: asker)
      try await ask(stand, "later", ["in": "1h"], as: asker)
      try await stand.notify("other")
      #expect(try await stand.next(2).sorted() == ["Delivered other", "Delivered shown"])
      await asker.close()
      #expect(try await stand.next(2).sorted() == ["Closed later cancelled", "Closed shown withdrawn"])
      #expect(try await server.closed.next() == 1)
      #expect(try await stand.listing("Delivered").compactMap { $0["id"]?.string } == ["other"])
    }
    #expect(try asked(in: home) == [])
  }

  @Test func `A later request with its id belongs to the later caller`() async throws {
    try await CenterStand.run { stand in
      _ = try await stand.server()
      let (first, second) = (
        try await stand.bus.connect(on: stand.loop), try await stand.bus.connect(on: stand.loop)
      )
      try await ask(stand, "a", as: first)
      try await ask(stand, "b", as: first)
      _ = try await stand.next(2)
      try await ask(stand, "a", as: second)
      try await stand.notify("b")
      _ = try await stand.next(4)
      await first.close()
      try await stand.settle()
      #expect(try await stand.listing("Delivered").count == 2)
      await second.close()
      #expect(try await stand.next(1) == ["Closed a withdrawn"])
    }
  }

  @Test func `A caller that has left before it was looked for counts as gone`() async throws {
    try await CenterStand.run { stand in
      _ = try await stand.server()
      let asker = try await stand.bus.connect(on: stand.loop)
      try await asker.post(
        CenterMethods.ask, of: CenterBus.center, Properties(["app": "test", "id": "q", "title": "q"]))
      await asker.close()
      var event = ""
      // Perhaps it was not shown before.
      while !event.hasPrefix("Closed q ") { event = try await stand.next(1)[0] }
      #expect(try await stand.listing("Delivered").isEmpty)
    }
  }

  // Unique names begin again with each bus.
  @Test func `On the next bus, the questions of the one before are withdrawn`() async throws {
    let home = try TemporaryFolder()
    try await CenterStand.run(home: home) { stand in
      try await stand.notify("q", ["in": "1h"])
      try await stand.notify("other", ["in": "1h"])
      try await stand.notify("x/y", ["in": "1h", "app": "org.example.x"])
    }
    let store = try Store(folder: home.path("suzu")) { Timestamp(milliseconds: 0) }
    try store.set("asked/4/test/q", to: "0123456789abcdef :1.1")
    try store.set("asked/13/org.example.x/x/y", to: "0123456789abcdef :1.2")
    try store.set("asked/broken", to: "")
    store.close()
    try await CenterStand.run(home: home) { stand in
      try await stand.wait(for: "withdrawal") { try await stand.listing("Pending", app: "").count == 1 }
      #expect(try await stand.listing("Pending", app: "").first?["id"] == "other")
      // Once the screen is known, nothing of them is left.
      _ = try await stand.server()
      try await stand.settle()
    }
    #expect(try asked(in: home) == ["asked/broken"])
  }

  @Test func `Questions are never folded into a digest`() async throws {
    try await CenterStand.run(burst: 3) { stand in
      let server = try await stand.server()
      for number in 0..<10 { try await ask(stand, "q\(number)", as: stand.client) }
      var titles: [String] = []
      for _ in 0..<10 { titles.append(try await server.posted.next().summary) }
      #expect(Set(titles) == Set((0..<10).map { "q\($0)" }))
    }
  }

  @Test func `A caller with many questions over is not remembered for each`() async throws {
    try await CenterStand.run { stand in
      for number in 0..<600 {
        try await ask(stand, "q\(number)", ["in": "1h"], as: stand.client)
        if number.isMultiple(of: 100) { _ = try await stand.call("Cancel", ["test", .strings([])]) }
      }
      #expect(await stand.center.askedCount < 300)
    }
  }
}

extension CenterService {
  fileprivate var askedCount: Int { around.asked.count }
}
