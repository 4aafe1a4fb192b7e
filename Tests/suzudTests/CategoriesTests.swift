// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import NotificationModel
import Scheduling
import TestSupport
import Testing

@testable import suzud

/// Tests categories: registered over the bus or as files, and used by requests.
@Suite(.timeLimit(.minutes(2)))
struct CategoriesTests {
  private static let invite: [String: Value] = [
    "id": "invite",
    "actions": actions(action("accept"), action("decline"), action("later"), action("mute"), action("x")),
    "default": .strings(["accept", "decline", "later"]), "minimal": .strings(["accept", "later"]),
  ]

  @Test func `A request shows the buttons of its category, as many as its style has room for`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.setCategories(Self.invite)
      try await stand.notify("a", ["category": "invite"])
      #expect(try await server.posted.next().keys == ["default", "accept", "later"])
      try await stand.notify("b", ["category": "invite", "style": "alert"])
      #expect(try await server.posted.next().keys == ["default", "accept", "decline", "later"])
      // The category counts as it is when the request is shown, and the button as it was drawn.
      try await stand.setCategories(["id": "invite", "actions": actions(action("no"))])
      try await stand.notify("c", ["category": "invite"])
      #expect(try await server.posted.next().keys == ["default", "no"])
      _ = try await stand.next(3)
      try await server.press(2, "decline")
      #expect(try await stand.next(3).sorted() == ["Closed b withdrawn", "Outcome done", "Responded b decline"])
    }
  }

  @Test func `An unregistered category is refused; freedesktop's own are accepted`() async throws {
    try await CenterStand.run { stand in
      try await stand.setCategories(Self.invite)
      let request: [String: Value] = ["app": "test", "title": "t"]
      for (category, app) in [("other", "test"), ("invite", "another.app"), ("email", "test")] {
        let error = try await stand.refusal(
          of: .properties(request.merging(["category": .string(category), "app": .string(app)]) { $1 }))
        #expect(error.name == "dev.suzu.Error.UnknownCategory")
        #expect(error.message.contains("'\(category)'"))
      }
      try await stand.notify("a", ["category": "im.received"])
      try await stand.notify("b", ["category": "invite"])
    }
  }

  // The lists of all apps were read and encoded in one turn of the loop, in which nothing else was answered.
  @Test func `The categories of all apps are listed in slices`() async throws {
    let folder = try TemporaryFolder()
    let lists = Inbox<[String]>()
    try await withLoop { loop in
      loop.perform {
        guard let store = try? Store(folder: folder.path("suzu"), clock: { Timestamp(milliseconds: 0) }) else {
          return lists.put(["no store"])
        }
        let none = CategoryFiles(folders: [])
        loop.start {
          for app in ["a", "b", "c"] {
            guard let category = try? Category(.dictionary(["id": .text("in " + app)])) else { continue }
            try? await Categories(store: store, files: none).set([category], of: app, on: loop)
          }
          var order: [String] = []
          _ = loop.schedule(after: .zero) { order.append("other work") }
          let listed = await Categories(store: store, files: none).listed(of: nil, for: .all, on: loop) { one in
            // Longer than a slice.
            let end = EventLoop.Clock.monotonic.now + .milliseconds(6)
            while EventLoop.Clock.monotonic.now < end {}
            order.append(one.category.id)
            return "\(one.category.id) of \(one.app ?? "")"
          }
          lists.put(listed)
          lists.put(order)
        }
      }
      #expect(try await lists.next() == ["in a of a", "in b of b", "in c of c"])
      var order = try await lists.next()
      #expect(order.removeLast() == "in c")
      #expect(order.contains("other work"))
    }
  }

  @Test func `A set is replaced whole, or not at all, and comes back as it was given`() async throws {
    try await CenterStand.run { stand in
      func registered() async throws -> [[String: Value]] {
        guard case .array(_, let list)? = try await stand.call("Categories", ["test"]).first else { return [] }
        return list.compactMap(\.properties)
      }
      try await stand.setCategories(Self.invite, ["id": "other", "actions": actions(), "customDismiss": true])
      #expect(try await registered().compactMap { $0["id"]?.string } == ["invite", "other"])
      #expect(try await registered()[0]["minimal"] == .strings(["accept", "later"]))
      let error = await #expect(throws: CallError.self) {
        try await stand.setCategories(
          ["id": "fine"], ["id": "bad", "actions": actions(action("a", run: ["x", "{y}"]))])
      }
      #expect("\(error as Any)".contains("[1]: 'actions[0].run[1]'"))
      #expect(try await registered().count == 2)
      try await stand.setCategories(["id": "only"])
      #expect(try await registered().map { $0["id"]?.string } == ["only"])
      try await stand.setCategories()
      #expect(try await registered().isEmpty)
    }
  }

  @Test func `Categories survive a restart of the center`() async throws {
    let home = try TemporaryFolder()
    try await CenterStand.run(home: home) { try await $0.setCategories(Self.invite) }
    try await CenterStand.run(home: home) { stand in
      let server = try await stand.server()
      try await stand.notify("a", ["category": "invite"])
      #expect(try await server.posted.next().keys == ["default", "accept", "later"])
    }
  }

  @Test func `Ten thousand categories are accepted, and the last one is found`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let start = ContinuousClock.now
      let many = (0..<10_000).map { Value.properties(["id": .string("c\($0)"), "actions": actions(action("a\($0)"))]) }
      try await stand.call("SetCategories", ["test", .array(of: .properties, many)])
      try await stand.notify("a", ["category": "c9999"])
      #expect(try await server.posted.next().keys == ["default", "a9999"])
      print("center: 10,000 categories registered and used after \(ContinuousClock.now - start)")
      let tooMany = (0...20_000).map { Value.properties(["id": .string("c\($0)")]) }
      await #expect(throws: CallError.self) {
        try await stand.call("SetCategories", ["test", .array(of: .properties, tooMany)])
      }
    }
  }

  @Test func `Category files count at once, the user's before the system's, and only a bad file is left out`()
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write(#"{"id": "a", "actions": [{"id": "system"}]}"#, to: "data/a.json")
    try await CenterStand.run(categories: [folder.path("config"), folder.path("data")]) { stand in
      let server = try await stand.server()
      func keys(_ category: String, app: String = "test") async throws -> [String] {
        try await stand.call(
          "Notify", [.properties(["app": .string(app), "title": "t", "category": .string(category)])])
        return try await server.posted.next().keys
      }
      #expect(try await keys("a") == ["default", "system"])
      let before = try await stand.call("Categories", ["org.example.App"])
      try folder.write(#"[{"id": "a", "actions": [{"id": "user"}]}, {"id": "b"}]"#, to: "config/own.json")
      try folder.write("{\n \"id\": \"c\",\n \"actions\": 7}", to: "config/bad.json")
      try folder.write(
        #"{"app": "org.example.App", "categories": [{"id": "theirs", "actions": [{"id": "t"}]}]}"#,
        to: "data/theirs.json")
      try await stand.wait(for: "new categories") { try await stand.call("Categories", ["org.example.App"]) != before }
      #expect(try await keys("a") == ["default", "user"])
      #expect(try await keys("theirs", app: "org.example.App") == ["default", "t"])
      await #expect(throws: CallError.self) { try await keys("theirs") }
      let problems = try await stand.property("Health")?.properties?["categoryProblems"]?.strings
      #expect(problems?.count == 1 && problems?.first?.hasPrefix(folder.path("config/bad.json") + ":3:") == true)
    }
  }
}
