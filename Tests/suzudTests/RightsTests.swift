// SPDX-License-Identifier: Apache-2.0
import DBus
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests that sandboxed callers act for their own app only, and unidentified ones not at all.
@Suite(.timeLimit(.minutes(2)))
struct RightsTests {
  private static let own = "org.example.Boxed"

  /// Every caller is sandboxed, except the stand's own client.
  private static func run(
    _ rights: Rights = .of(app: own), isAllowed: Bool = true,
    _ body: @Sendable (CenterStand, Connection) async throws -> Void
  ) async throws {
    let free = Holder()
    var desktop = Desktop.unlocked
    desktop.identify = { name in free.isFree(name.name) ? .all : rights }
    try await CenterStand.run(desktop: desktop, whenConnected: { free.add($0) }) { stand in
      if isAllowed { try await stand.call("Allow", [.string(own), .strings(["alert", "badge", "sound"])]) }
      let boxed = try await stand.bus.connect(on: stand.loop)
      try await body(stand, boxed)
    }
  }

  private static func request(_ more: [String: Value] = [:]) -> [Value] {
    [.properties(["title": "t"].merging(more) { $1 })]
  }

  @Test func `A sandboxed request belongs to its caller's app, named or not, and to no other`() async throws {
    try await Self.run { stand, boxed in
      let server = try await stand.server()
      try await stand.call("Notify", Self.request(), as: boxed)
      #expect(try await server.posted.next().hints["desktop-entry"] == .string(Self.own))
      try await stand.call("Notify", Self.request(["app": .string(Self.own)]), as: boxed)
      try await stand.call("Ask", Self.request(["app": .string(Self.own)]), as: boxed)
      for app in ["dev.suzu.Suzu", "org.example.Boxed2", ""] {
        let refusal = await refusalName {
          try await stand.call("Notify", Self.request(["app": .string(app)]), as: boxed)
        }
        #expect(refusal == (app.isEmpty ? "InvalidRequest" : "AccessDenied"))
      }
      // It cannot use another app's name either, nor send one to the server.
      let step: Value = .properties(["after": "10m", "sound": "/etc/passwd"])
      for more in [
        ["appName": "Firefox"], ["hints": .properties(["desktop-entry": "firefox"])],
        ["escalate": .array(of: .properties, [step])],
      ] as [[String: Value]] {
        #expect(await refusalName { try await stand.call("Notify", Self.request(more), as: boxed) } == "AccessDenied")
      }
    }
  }

  @Test func `The buttons of a sandboxed app run no programs, open no files and launch no other apps`() async throws {
    try await Self.run { stand, boxed in
      let allowed: [Value] = [
        action("a", url: "https://example.org"), action("a", ["launch": .string(Self.own)]),
        action("a", ["launch": .string(Self.own + ":new")]), action("a", ["snooze": "1m"]),
        action("a", ["snooze": .strings(["1m", "unlocked"])]), appAction("a"),
      ]
      let refused: [Value] = [
        action("a", ["snooze": .strings(["1m", "file /etc/passwd"])]),
        action("a", run: ["true"]), action("a", url: "FILE:///etc/passwd"),
        action("a", ["launch": "org.example.Other"]),
        action("a", ["launch": .string(Self.own + ".evil")]),
      ]
      for (actions, expected) in allowed.map({ ($0, "taken") }) + refused.map({ ($0, "AccessDenied") }) {
        let words = suzudTests.actions(actions)
        #expect(
          await refusalName { try await stand.call("Notify", Self.request(["actions": words]), as: boxed) } == expected
        )
        let categories: [Value] = [.properties(["id": "c", "actions": words])]
        #expect(
          await refusalName {
            try await stand.call("SetCategories", [.string(Self.own), .array(of: .properties, categories)], as: boxed)
          } == expected)
      }
      for words in [["url": "file:///etc/hosts"], ["speak": true]] as [[String: Value]] {
        #expect(
          await refusalName { try await stand.call("Notify", Self.request(words), as: boxed) } == "AccessDenied")
      }
    }
  }

  @Test func `A sandboxed app sees and changes only its own requests`() async throws {
    try await Self.run { stand, boxed in
      try await stand.notify("theirs", ["in": "1h"])
      try await stand.notify("own", ["in": "1h", "app": .string(Self.own)])
      func ids(_ app: String) async throws -> [String] {
        guard
          case .array(_, let list)? = try await stand.call(
            "Pending", [.string(app), .properties([:])], as: boxed
          ).first
        else { return [] }
        return list.compactMap { $0.properties?["id"]?.string }
      }
      #expect(try await ids("") == ["own"])
      let calls: [(MemberName, [Value])] = [
        ("Pending", ["test", .properties([:])]), ("History", ["test", .properties([:])]),
        ("Why", ["test", "theirs", .uint32(0)]),
        ("Cancel", ["test", .strings([])]), ("Dismiss", ["test", .strings([])]),
        ("Acknowledge", ["test", .strings([])]), ("Categories", ["test"]),
        ("SetCategories", ["test", .array(of: .properties, [])]), ("Attach", ["test"]), ("Settings", ["test"]),
        ("Register", ["test", .strings(["alert"])]), ("Respond", ["test", "theirs", "default", .properties([:])]),
        ("Watch", [true]), ("WatchStored", [true]), ("Apps", []), ("Allow", [.string(Self.own), .strings(["alert"])]),
        ("Reset", [.string(Self.own)]), ("SetBadge", ["test", .uint32(1)]), ("Badge", ["test"]),
        ("Calendars", []), ("Follow", ["/", .properties([:])]), ("Unfollow", ["/"]),
        ("ClearHistory", [.string(Self.own), .int64(0)]),
      ]
      for (member, arguments) in calls {
        #expect(
          await refusalName { try await stand.call(member, arguments, as: boxed) } == "AccessDenied", "\(member)")
      }
      #expect(try await stand.call("Cancel", [.string(Self.own), .strings([])], as: boxed).first == .uint32(1))
      try await stand.call("Attach", [.string(Self.own)], as: boxed)
    }
  }

  @Test func `A sandboxed app cannot use a shared category, since that may run programs`() async throws {
    try await Self.run { stand, boxed in
      try await stand.setCategories(["id": "c", "actions": actions(action("a"))], app: Self.own)
      #expect(
        await refusalName { try await stand.call("Notify", Self.request(["category": "c"]), as: boxed) } == "taken")
      #expect(
        await refusalName { try await stand.call("Notify", Self.request(["category": "d"]), as: boxed) }
          == "UnknownCategory")
    }
  }

  @Test func `A sandboxed app has quotas`() async throws {
    try await Self.run { stand, boxed in
      let some = Value.array(
        of: .properties, (0..<50).map { .properties(["title": "t", "in": "1h", "id": .string("\($0)")]) })
      for expected in ["taken", "taken", "LimitExceeded"] {
        #expect(await refusalName { try await stand.call("NotifyMany", [some], as: boxed) } == expected)
      }
      let many = Value.array(of: .properties, (0..<201).map { .properties(["id": .string("\($0)")]) })
      #expect(
        await refusalName { try await stand.call("SetCategories", [.string(Self.own), many], as: boxed) }
          == "LimitExceeded")
      // All pending requests of the app count, whichever caller made them.
      let full = (0..<1000).map { Value.properties(["app": "b", "title": "t", "in": "1h", "id": .string("\($0)")]) }
      try await stand.call("NotifyMany", [.array(of: .properties, full)])
    }
    try await Self.run(.of(app: "b")) { stand, boxed in
      let full = (0..<1000).map { Value.properties(["app": "b", "title": "t", "in": "1h", "id": .string("\($0)")]) }
      try await stand.call("NotifyMany", [.array(of: .properties, full)])
      #expect(
        await refusalName { try await stand.call("Notify", Self.request(["in": "1h"]), as: boxed) } == "LimitExceeded")
    }
  }

  @Test func `An unidentified caller is denied everything`() async throws {
    try await Self.run(.none) { stand, boxed in
      let calls: [(MemberName, [Value])] = [
        ("Notify", Self.request()), ("Ask", Self.request()), ("NotifyMany", [.array(of: .properties, Self.request())]),
        ("Next", [.properties(["every": "1h"]), .uint32(1)]), ("Pending", ["", .properties([:])]),
        ("Categories", [""]), ("Register", ["x", .strings([])]), ("Attach", ["x"]), ("Watch", [true]),
      ]
      for (member, arguments) in calls {
        #expect(
          await refusalName { try await stand.call(member, arguments, as: boxed) } == "AccessDenied", "\(member)")
      }
    }
  }

  // MARK: Permission

  @Test(arguments: [("0", ["alert", "sound"]), ("1", [])])
  func `A sandboxed app that registers is asked about once`(answer: String, allowed: [String]) async throws {
    try await Self.run(isAllowed: false) { stand, boxed in
      let server = try await stand.server()
      let arguments: [Value] = [.string(Self.own), .strings(["alert", "sound"])]
      async let first = stand.call("Register", arguments, as: boxed)
      let question = try await server.posted.next()
      #expect(question.summary == "Let 'org.example.Boxed' notify you?")
      #expect(try await stand.next(1).first?.hasPrefix("Delivered dev.suzu.question") == true)
      try await server.press(question.number, answer)
      #expect(try await first.first == .strings(allowed))
      // The answer is remembered.
      #expect(try await stand.call("Register", arguments, as: boxed).first == .strings(allowed))
      #expect(server.posted.waiting.isEmpty)
      let settings = try await stand.call("Settings", [.string(Self.own)], as: boxed).first?.properties
      #expect(settings?["decided"] == true && settings?["asked"] == .strings(["alert", "sound"]))
      // It may not do what it is not allowed to, and the user may decide otherwise later.
      try await stand.call("Notify", Self.request(["id": "x"]), as: boxed)
      try await stand.call("Allow", [.string(Self.own), .strings(["alert"])])
      try await stand.call("Notify", Self.request(["id": "y", "sound": "bell"]), as: boxed)
      if !allowed.isEmpty { #expect(try await server.posted.next().summary == "t") }
      #expect(try await server.posted.next().hints["suppress-sound"] == true)
    }
  }

  @Test func `The user's own programs are not asked about`() async throws {
    try await CenterStand.run { stand in
      #expect(
        try await stand.call("Register", ["test", .strings(["badge", "alert"])]).first == .strings(["alert", "badge"]))
      try await stand.call("Allow", ["test", .strings(["badge"])])
      #expect(try await stand.call("Register", ["test", .strings(["badge", "alert"])]).first == .strings(["badge"]))
      await #expect(throws: CallError.self) { try await stand.call("Register", ["test", .strings(["vibrate"])]) }
    }
  }

  // MARK: Signs

  @Test func `Suzu sets the badge, and plays the sound if the server does not`() async throws {
    let signs = Inbox<String>()
    var desktop = Desktop.unlocked
    desktop.signs.setBadge = { signs.put("\($0) \($1)") }
    desktop.signs.play = { signs.put($0) }
    try await CenterStand.run(desktop: desktop) { stand in
      var server = try await stand.server()
      try await stand.notify("a", ["badge": .int64(3), "sound": "bell"])
      #expect(try await signs.next(2) == ["test 3", "bell"])
      try await stand.notify("b", ["sound": "none"])
      try await stand.notify("c")
      _ = try await stand.next(3)
      await server.die()
      server = try await stand.server(capabilities: ["actions", "sound"])
      try await stand.notify("d", ["sound": "bell"])
      while try await server.posted.next().summary != "d" {}
      try await stand.settle()
      #expect(signs.waiting.isEmpty)
    }
  }
}

/// The unique names of the test's own connections.
private final class Holder: Sendable {
  private let names = Inbox<BusName>()
  func add(_ name: BusName) { names.put(name) }
  func isFree(_ name: BusName) -> Bool { names.waiting.contains(name) }
}
