// SPDX-License-Identifier: Apache-2.0
import CenterContract
import DBus
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests that a sandboxed app's requests keep the app's rights, whatever they use later.
@Suite(.timeLimit(.minutes(2)))
struct BoxTests {
  /// A category file of the user, for every app, whose action leaves a trace in `folder`.
  private static func backup(_ folder: TemporaryFolder, app: String? = nil, action: String = "go") throws {
    let category = """
      {"id": "backup", "actions": [{"id": "\(action)", "run": ["sh", "-c", "touch $0", "\(folder.path("ran"))", "--token=SECRET"]}]}
      """
    let document = app.map { "{\"app\": \"\($0)\", \"categories\": [\(category)]}" } ?? category
    try folder.write(document, to: "categories.d/backup.json")
  }

  private static let own: [String: Value] = ["id": "backup", "actions": actions(action("own", ["snooze": "1s"]))]

  // Once, the category was looked up when the request was shown, and the user's was found.
  @Test func `A box that unregisters its category does not get the user's category of the same name`() async throws {
    let folder = try TemporaryFolder()
    try Self.backup(folder)
    try await BoxStand.run(files: folder) { box in
      try await box.setCategories(Self.own)
      try await box.notify("a", ["category": "backup", "body": "--remove"])
      try await box.setCategories()
      let server = try await box.stand.server()
      let posted = try await server.posted.next()
      #expect(posted.keys == ["default"])
      #expect(try await box.stand.next(1) == ["Delivered a"])
      #expect(await box.refusal("Respond", [.string(BoxStand.app), "a", "go", .properties([:])]) == "AccessDenied")
      try await server.press(posted.number, "go")
      try await box.stand.settle()
      #expect(folder.read("ran") == nil)
    }
  }

  @Test func `A box's request keeps the box's rights when it is snoozed or restored after a restart`() async throws {
    let (folder, home) = (try TemporaryFolder(), try TemporaryFolder())
    try await BoxStand.run(files: folder, home: home) { box in
      let server = try await box.stand.server()
      try await box.setCategories(Self.own)
      try await box.notify("a", ["category": "backup"])
      let first = try await server.posted.next()
      #expect(first.keys == ["default", "own"])
      // The user presses 'snooze', and by the time it is shown again, the category is the user's.
      _ = try await box.stand.next(1)
      try await server.press(first.number, "own")
      _ = try await box.stand.next(3)
      try Self.backup(folder)
      try await box.setCategories()
      #expect(try await server.posted.next().keys == ["default"])
      try await box.setCategories(Self.own)
      try await box.notify("b", ["category": "backup", "in": "1s"])
      try await box.setCategories()
      // Due while the center is not running.
    }
    try await BoxStand.run(files: folder, home: home) { box in
      let server = try await box.stand.server()
      #expect(try await server.posted.next { $0.summary == "b" }.keys == ["default"])
    }
  }

  @Test func `A category file for the box's app may run programs, and no other category may`() async throws {
    let folder = try TemporaryFolder()
    try Self.backup(folder, app: BoxStand.app)
    try await BoxStand.run(files: folder) { box in
      let server = try await box.stand.server()
      try await box.notify("a", ["category": "backup"])
      let posted = try await server.posted.next()
      #expect(posted.keys == ["default", "go"])
      _ = try await box.stand.next(1)
      try await server.press(posted.number, "go")
      #expect(try await box.stand.next(3).sorted() == ["Closed a withdrawn", "Outcome done", "Responded a go"])
      #expect(folder.read("ran") != nil)
      // The sandboxed app sees that the action exists, but not its command.
      let text = "\(try await box.list("Categories"))"
      #expect(text.contains("backup") && text.contains("go"))
      #expect(!text.contains("SECRET") && !text.contains(folder.path("")) && !text.contains("touch"))
    }
  }

  @Test func `A box sees only its own categories`() async throws {
    let folder = try TemporaryFolder()
    try Self.backup(folder)
    try await BoxStand.run(files: folder) { box in
      #expect(try await box.list("Categories").isEmpty)
      try await box.setCategories(["id": "mine", "actions": actions(action("a", url: "https://example.org"))])
      #expect(try await box.list("Categories").compactMap { $0["id"]?.string } == ["mine"])
    }
  }

  // Once, `Respond` let a sandboxed app press its own buttons: it opened URLs, and 19 input dialogs at the same time.
  @Test func `A box may not answer for the user`() async throws {
    try await BoxStand.run { box in
      let server = try await box.stand.server()
      try await box.notify("a", ["url": "https://example.org"])
      _ = try await server.posted.next()
      #expect(try await box.stand.next(1) == ["Delivered a"])
      #expect(
        await box.refusal("Respond", [.string(BoxStand.app), "a", "default", .properties([:])]) == "AccessDenied")
      try await box.stand.settle()
      #expect(box.stand.events.waiting.isEmpty)
    }
  }

  @Test func `Only the center uses its reserved ids, and a box cannot touch their requests`() async throws {
    try await BoxStand.run(burst: 1) { box in
      let server = try await box.stand.server()
      for request in [["id": "dev.suzu.digest"], ["id": "dev.suzu.question.1"]] as [[String: Value]] {
        #expect(await box.refusal(of: request) == "InvalidRequest")
        let error = try await box.stand.refusal(of: .properties(["title": "t"].merging(request) { $1 }))
        #expect(error.name == RefusalCode.invalidRequest.errorName && error.message.contains("'id'"))
      }
      // The launcher's ids are those of the desktop entries that they launch.
      try await box.stand.notify(
        "dev.suzu.Launcher", ["app": .string(NotificationRequest.launcherApp), "in": "1h"])
      // The second request of the sandboxed app is one too many: the digest counts it.
      for id in ["a", "b"] { try await box.notify(id) }
      let digest = try await server.posted.next { $0.summary != "a" }
      #expect(digest.summary.contains("1 more"))
      _ = try await box.stand.next(2)
      for member in ["Cancel", "Dismiss"] as [MemberName] {
        #expect(
          await box.refusal(member, [.string(BoxStand.app), .strings(["dev.suzu.digest"])]) == "AccessDenied")
      }
      #expect(try await box.call("Dismiss", [.string(BoxStand.app), .strings([])]).first == .uint32(1))
      let all = try await box.stand.call("Dismiss", [.string(BoxStand.app), .strings([])])
      #expect(all.first == .uint32(1))
    }
  }

  @Test func `A box does not see the output of a program on the host`() async throws {
    try await BoxStand.run { box in
      let server = try await box.stand.server()
      let outcomes = Inbox<String>()
      let signals = try await box.boxed.signals(
        matching: MatchRule(sender: CenterBus.name, interface: CenterBus.interface, member: "Outcome"))
      _ = Task { for try await signal in signals { outcomes.put(signal.arguments[1].string ?? "") } }
      try await box.call("Attach", [.string(BoxStand.app)])
      try await box.stand.notify(
        "u",
        [
          "app": .string(BoxStand.app), "body": "SECRET",
          "actions": actions(action("go", run: ["sh", "-c", "echo SECRET; exit 3"])),
        ])
      _ = try await box.stand.next(1)
      try await server.press(1, "go")
      #expect(try await box.stand.next(3).sorted().contains("Outcome failed: exit 3: SECRET"))
      #expect(try await outcomes.next() == "failed: exit 3")
      for member in ["History", "Delivered", "Pending"] as [MemberName] {
        let text = "\(try await box.list(member))"
        #expect(!text.contains("SECRET"), "\(member)")
      }
      #expect(try await box.list("History").first?["id"] == "u")
      #expect("\(try await box.stand.call("History", ["", .properties([:])]))".contains("exit 3: SECRET"))
    }
  }

  @Test func `A box names pictures and sounds, and gives no paths`() async throws {
    try await BoxStand.run { box in
      for key in ["icon", "image", "sound"] {
        for place in ["/etc/passwd", "file:///etc/passwd", "FILE:///x", "a/../b"] {
          #expect(await box.refusal(of: [key: .string(place)]) == "AccessDenied", "\(key) \(place)")
        }
        #expect(await box.refusal(of: [key: "bell"]) == "taken")
      }
    }
  }
}
