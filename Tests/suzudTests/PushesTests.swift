// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import NotificationModel
import TestSupport
import Testing

@testable import Scheduling
@testable import suzud

/// Tests pushes that are shown: with the buttons of this machine, once, and not after they have expired.
@Suite(.timeLimit(.minutes(2)))
struct PushesTests {
  private static let far: Value = .int64(4_000_000_000)

  @Test func `A push has the buttons of the category on this machine, and its texts are plain`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.setCategories(["id": "tea", "actions": actions(appAction("more"), appAction("less"))])
      let app = try await PushedApp.attached(stand)
      let id = try await stand.push(
        [
          "alert": .properties(["title": "Tea", "body": "<b>ready</b>"]), "category": "tea",
          "interruption-level": "critical",
        ], ["cups": .int64(2), "pot": .properties(["hot": true])])
      let posted = try await server.posted.next()
      #expect(posted.summary == "Tea" && posted.body == "&lt;b&gt;ready&lt;/b&gt;")
      #expect(posted.actions.contains("more") && posted.actions.contains("less"))
      #expect(posted.hints["urgency"] == .byte(2))
      #expect(try await stand.next(1) == ["Delivered \(id)"])
      try await server.press(1, "more")
      let response = try await app.arrivals.next()
      #expect(response.id == id && response.action == "more" && response.details["cups"] == .int64(2))
      #expect(response.details["pot"] == .properties(["hot": true]))
      #expect(response.details["aps"]?.properties?["category"] == "tea")
    }
  }

  @Test func `A push is shown while it is stored, and leaves the screen if that fails`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.center.failDeliveries(true)
      let payload: Value = .properties(["aps": .properties(["alert": "a"])])
      let refusal = try await stand.refusedPush(["test", payload, .properties([:])])
      #expect(refusal.hasPrefix("Unavailable: the store failed"), "\(refusal)")
      #expect(try await server.posted.next().summary == "a")
      #expect(try await server.closed.next() == 1)
      try await stand.center.failDeliveries(false)
      // Its sender sends it again.
      let id = try await stand.push(["alert": "a"])
      #expect(try await server.posted.next().summary == "a")
      #expect(try await stand.listing("History").count == 1)
      let lines = try await stand.next(2)
      #expect(lines.first?.hasPrefix("Closed ") == true && lines.first?.hasSuffix(" failed") == true, "\(lines)")
      #expect(lines.last == "Delivered \(id)")
    }
  }

  @Test func `A link adds buttons that call servers, and no others`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let call: [String: Value] = ["url": "https://home.example/", "body": "{{reply}}"]
      try await stand.push(
        ["alert": "a"],
        options: ["calls": .array(of: .properties, [.properties(["title": "Open", "http": .properties(call)])])])
      let posted = try await server.posted.next()
      #expect(posted.actions.contains("call-1") && posted.actions.contains("Open"))
      for wrong in [
        ["title": "Open", "run": .strings(["true"])],
        ["title": "Open", "http": .properties(call), "run": .strings(["true"])],
        ["title": "Open", "http": .properties(["url": "file:///etc/passwd"])],
        ["title": "Open", "http": "https://home.example/"],
      ] as [[String: Value]] {
        do {
          try await stand.push(
            ["alert": "a"], options: ["calls": .array(of: .properties, [.properties(wrong)])])
          Issue.record("\(wrong) was taken")
        } catch CallError.refused(let error) {
          #expect(error.name == "dev.suzu.Error.InvalidRequest" && error.message.contains("calls[0]"), "\(error)")
        }
      }
      #expect(server.posted.waiting.isEmpty)
    }
  }

  @Test func `A category that is not here is left out, and said once`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      for _ in 0..<2 { try await stand.push(["alert": "a", "category": "tea"]) }
      let posted = try await server.posted.next(2)
      #expect(posted.allSatisfy { !$0.actions.contains("more") })
      #expect(
        try await stand.pushProblems() == ["category 'tea' is not registered for 'test': see 'suzu category'"])
      try await stand.setCategories(["id": "tea", "actions": actions(appAction("more"))])
      #expect(try await stand.pushProblems() == [])
      try await stand.push(["alert": "a", "category": "tea"])
      #expect(try await server.posted.next().actions.contains("more"))
    }
  }

  @Test func `A link adds pictures that it has fetched, and a payload still brings none`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let folder = try TemporaryFolder()
      let icon = try folder.write("picture", to: "icon.png")
      try await stand.push(["alert": "a"], options: ["icon": .string(icon)])
      let posted = try await server.posted.next()
      #expect(posted.summary == "a" || posted.body == "a")
      #expect(posted.icon.hasSuffix("/icon.png"), "\(posted)")
      for wrong in ["https://example.com/a.png", "file:///etc/passwd", "a.png", "dialog-information"] {
        await #expect(throws: CallError.self) {
          try await stand.push(["alert": "a"], options: ["image": .string(wrong)])
        }
      }
    }
  }

  @Test func `A link decides on the levels and categories of its pushes`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.setCategories(["id": "tea", "actions": actions(appAction("more"))])
      let aps: [String: Value] = ["alert": "a", "category": "tea", "interruption-level": "critical"]
      let levels: Value = .strings(["passive", "active", "time-sensitive"])
      try await stand.push(aps, options: ["levels": levels, "categories": .strings([])])
      let lowered = try await server.posted.next()
      #expect(lowered.hints["urgency"] == .byte(1) && !lowered.actions.contains("more"))
      #expect(try await stand.pushProblems() == ["its sender may not use category 'tea' of 'test'"])
      try await stand.push(aps, options: ["levels": .strings(["critical"]), "categories": .strings(["tea"])])
      let whole = try await server.posted.next()
      #expect(whole.hints["urgency"] == .byte(2) && whole.actions.contains("more"))
    }
  }

  // MARK: Once

  @Test func `A push with the id of an earlier one is shown once, also after a restart`() async throws {
    let home = try TemporaryFolder()
    let first = Inbox<String>()
    try await CenterStand.run(home: home) { stand in
      let server = try await stand.server()
      // Two at once share a commit.
      async let one = stand.push(["alert": "a"], options: ["id": "m-1"])
      async let two = stand.push(["alert": "a"], options: ["id": "m-1"])
      let ids = try await [one, two]
      #expect(ids[0] == ids[1])
      first.put(ids[0])
      try await stand.push(["alert": "other"], options: ["id": "m-2"])
      #expect(try await server.posted.next(2).map(\.summary).sorted() == ["a", "other"])
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      #expect(try await stand.listing("History").count == 2)
    }
    try await CenterStand.run(home: home) { stand in
      let server = try await stand.server()
      let again = try await stand.push(["alert": "a"], options: ["id": "m-1"])
      #expect(try await again == first.next())
      // The id belongs to its app.
      try await stand.call(
        "Push", ["other", .properties(["aps": .properties(["alert": "b"])]), .properties(["id": "m-1"])])
      #expect(try await server.posted.next().summary == "b")
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
    }
  }

  @Test func `A push with the id of a notification replaces it, but nothing that waits for its date`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      #expect(try await stand.push(["alert": "1"], options: ["collapse": "tea"]) == "tea")
      #expect(try await stand.next(1) == ["Delivered tea"])
      try await stand.push(["alert": "2"], options: ["collapse": "tea"])
      #expect(try await stand.next(2) == ["Closed tea replaced", "Delivered tea"])
      #expect(try await server.posted.next(2).map(\.replaces) == [0, 1])
      try await stand.notify("alarm", ["in": "1h"])
      let refusal = try await stand.refusedPush([
        "test", .properties(["aps": .properties(["alert": "x"])]), .properties(["collapse": "alarm", "id": "m"]),
      ])
      #expect(refusal.hasPrefix("InvalidRequest: 'collapse' is the id of a request that waits"))
      #expect(try await stand.listing("Pending").map { $0["id"] } == ["alarm"])
      // The refusal has not used up the id.
      try await stand.push(["alert": "3"], options: ["id": "m"])
      #expect(try await server.posted.next().summary == "3")
    }
  }

  // MARK: Expired

  @Test func `A push that comes too late is not shown, replaces nothing, and has an end of its own`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.push(["alert": "1"], options: ["collapse": "tea", "expires": Self.far])
      #expect(try await stand.next(1) == ["Delivered tea"])
      let late = try await stand.push(["alert": "2"], options: ["collapse": "tea", "expires": .int64(1), "id": "m"])
      #expect(try await stand.next(1) == ["Closed \(late) push expired"])
      let row = try await stand.listing("History").first { $0["id"]?.string == late }
      #expect(row?["state"] == "closed" && row?["reason"] == "push expired" && row?["body"] == "2")
      #expect(try await stand.push(["alert": "2"], options: ["expires": .int64(1), "id": "m"]) == late)
      try await stand.settle()
      #expect(try await server.posted.next().summary == "1" && server.posted.waiting.isEmpty)
      #expect(try await stand.listing("Delivered").count == 1)
    }
  }

  @Test func `A push that expires while no server runs is not shown`() async throws {
    let home = try TemporaryFolder()
    try await CenterStand.run(home: home) { stand in
      try await stand.push(["alert": "old"], options: ["collapse": "old", "expires": Self.far])
      try await stand.push(["alert": "new"], options: ["collapse": "new", "expires": Self.far])
    }
    do {
      // Its time passes.
      let store = try Store(folder: home.path("suzu")) { Timestamp(milliseconds: 1) }
      defer { store.close() }
      let old = try #require(try store.openIntents().first { $0.id == "old" })
      try store.recordPush(
        PushRecord(app: "test", id: nil, lapses: Timestamp(milliseconds: 1)), as: old, now: Timestamp(milliseconds: 1))
    }
    try await CenterStand.run(home: home) { stand in
      let server = try await stand.server()
      #expect(try await stand.next(2).sorted() == ["Closed old push expired", "Delivered new"])
      #expect(try await server.posted.next().summary == "new")
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      let row = try await stand.listing("History").first { $0["id"] == "old" }
      #expect(row?["reason"] == "push expired")
    }
  }

  // MARK: Rights

  @Test func `A push is not shown if its app may not notify`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.call("Allow", ["test", .strings([])])
      for aps in [["alert": "a"], ["content-available": .int64(1)], ["badge": .int64(3)]] as [[String: Value]] {
        let id = try await stand.push(aps)
        #expect(try await stand.next(1) == ["Closed \(id) not allowed"])
      }
      #expect(server.posted.waiting.isEmpty)
    }
  }

  @Test func `A sandboxed program pushes to itself only, with its quota`() async throws {
    try await BoxStand.run { box in
      let server = try await box.stand.server()
      let payload: Value = .properties(["aps": .properties(["alert": "a"])])
      func refusal(_ app: String, _ options: [String: Value] = [:]) async -> String {
        await box.refusal("Push", [.string(app), payload, .properties(options)])
      }
      #expect(await refusal(BoxStand.app) == "taken")
      #expect(try await server.posted.next().summary == "a")
      #expect(await refusal("test") == "AccessDenied")
      #expect(await refusal(BoxStand.app, ["levels": .strings(["critical"])]) == "AccessDenied")
      #expect(await refusal(BoxStand.app, ["icon": "/etc/passwd"]) == "AccessDenied")
      #expect(await refusal(BoxStand.app, ["categories": .strings([])]) == "AccessDenied")
      var taken = 1
      while await refusal(BoxStand.app, ["collapse": "x"]) == "taken" { taken += 1 }
      #expect(taken <= Rights.mostAtOnce && taken > 90)
      #expect(await refusal(BoxStand.app) == "LimitExceeded")
    }
  }

  // MARK: Bad calls

  @Test func `A payload or an option that is wrong is refused with its key`() async throws {
    try await CenterStand.run { stand in
      let good: Value = .properties(["aps": .properties(["alert": "a"])])
      var deep: Value = .string("x")
      for _ in 0..<16 { deep = .properties(["a": deep]) }
      let long: Value = .properties(["aps": .properties(["alert": .string(String(repeating: "a", count: 4096))])])
      for (payload, options, words) in [
        (.properties([:]), [:], "'aps' is missing"),
        (.properties(["aps": "x"]), [:], "'aps' must be a dictionary"),
        (.properties(["aps": .properties(["badge": "1"])]), [:], "'aps.badge' must be an integer"),
        (.properties(["aps": .properties(["alert": "a"]), "b": .bytes([1])]), [:], "'b' must be a string, a number"),
        (
          .properties(["aps": .properties(["alert": "a"]), "b": .double(.infinity)]), [:], "'b' must be a finite number"
        ),
        (.properties(["aps": .properties(["alert": "a"]), "b": .uint64(.max)]), [:], "'b' must be at most"),
        (.properties(["aps": .properties(["alert": "a"]), "b": deep]), [:], "is nested deeper than 16 levels"),
        (.properties(["aps": .properties(["alert": "a", "run": .strings(["sh"])])]), [:], "'aps.run' is not taken"),
        (.properties(["aps": .properties(["alert": "a", "url": "file:///a"])]), [:], "has the scheme 'file'"),
        (long, [:], "a payload must have at most 4096 bytes"),
        (good, ["speed": true], "'speed' is not a known option of Push"),
        (good, ["answers": true], "'answers' must be a string of 1 to 1024 bytes"),
        (good, ["answers": "x"], "'answers' needs 'id' and 'link'"),
        (good, ["id": .int64(1)], "'id' must be a string"), (good, ["id": ""], "'id' must not be empty"),
        (good, ["collapse": "a\nb"], "'collapse' must not contain control characters"),
        (good, ["collapse": "dev.suzu.x"], "'collapse' must not begin with 'dev.suzu.'"),
        (good, ["expires": "soon"], "'expires' must be in seconds since 1970"),
        (good, ["expires": .int64(-1)], "'expires' must be in seconds since 1970"),
        (good, ["levels": .strings(["loud"])], "'levels' must be one of 'passive'"),
        (good, ["categories": "tea"], "'categories' must be a list of at most 1000 strings"),
      ] as [(Value, [String: Value], String)] {
        let refusal = try await stand.refusedPush(["test", payload, .properties(options)])
        #expect(refusal.hasPrefix("InvalidRequest: ") && refusal.contains(words), "\(refusal)")
      }
      #expect(try await stand.refusedPush(["a b", good, .properties([:])]).contains("'app' must be"))
      let huge: Value = .properties(["aps": .string(String(repeating: "a", count: 64 << 10))])
      #expect(try await stand.refusedPush(["test", huge, .properties([:])]).hasPrefix("LimitExceeded: "))
      #expect(try await stand.listing("History").isEmpty)
    }
  }
}

extension CenterService {
  /// The disk takes no rows of deliveries.
  fileprivate func failDeliveries(_ fails: Bool) throws {
    let body = "BEFORE INSERT ON delivery BEGIN SELECT RAISE(ABORT, 'no room'); END"
    _ = try around.agenda.store.write(.needed) { database throws(StoreError) in
      try database.run(fails ? "CREATE TEMP TRIGGER failing \(body)" : "DROP TRIGGER failing")
    }
  }
}
