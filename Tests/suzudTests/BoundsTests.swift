// SPDX-License-Identifier: Apache-2.0
import DBus
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests the size limits of calls, which depend on the caller and are checked before reading.
@Suite(.timeLimit(.minutes(2)))
struct BoundsTests {
  private static let own = "org.example.Boxed"

  /// Callers other than the stand's client have `rights`. `hold` receives each, and `release` ends its identification.
  private static func run(
    _ rights: Rights, hold: Inbox<BusName>? = nil, release: Inbox<Bool>? = nil,
    _ body: @Sendable (CenterStand, Connection) async throws -> Void
  ) async throws {
    let free = Inbox<BusName>()
    var desktop = Desktop.unlocked
    desktop.identify = { name in
      if free.waiting.contains(name.name) { return .all }
      hold?.put(name.name)
      _ = try? await release?.next()
      return rights
    }
    try await CenterStand.run(desktop: desktop, whenConnected: { free.put($0) }) { stand in
      try await body(stand, try await stand.bus.connect(on: stand.loop))
    }
  }

  private static func refusal(
    _ stand: CenterStand, _ member: MemberName, _ arguments: [Value], as connection: Connection? = nil
  ) async throws -> String {
    do {
      return "taken, as \(try await stand.call(member, arguments, as: connection))"
    } catch CallError.refused(let error) {
      return error.name.text.replacing("dev.suzu.Error.", with: "") + ": " + error.message
    }
  }

  /// An invalid and large call: the error for its size proves that it was not read.
  private static func wrong(_ bytes: Int, count: Int = 1) -> Value {
    .array(
      of: .properties, (0..<count).map { _ in .properties(["no": .bytes([UInt8](repeating: 7, count: bytes / count))]) }
    )
  }

  private static func ids(_ count: Int, of length: Int) -> Value {
    .strings((0..<count).map { String(repeating: "x", count: length - 6) + String(100_000 + $0) })
  }

  @Test func `A sandboxed program may send less, and more is refused unread`() async throws {
    try await Self.run(.of(app: Self.own)) { stand, boxed in
      let app = Value.string(Self.own)
      let calls: [(MemberName, [Value], String)] = [
        ("NotifyMany", [Self.wrong(5 << 20, count: 50)], "'NotifyMany' are longer than 4194304 bytes"),
        ("NotifyMany", [Self.wrong(20_000, count: 101)], "more than 100 requests"),
        ("NotifyMany", [Self.wrong(300 << 10)], "[0]: a request of 307"),
        ("Notify", [.properties(["no": .bytes([UInt8](repeating: 7, count: 300 << 10))])], "longer than 262144 bytes"),
        ("SetCategories", [app, Self.wrong(2 << 20, count: 50)], "'SetCategories' are longer than 1048576 bytes"),
        ("SetCategories", [app, Self.wrong(20_000, count: 201)], "more than 200 categories"),
        ("Cancel", [app, Self.ids(1000, of: 100)], "'Cancel' are longer than 65536 bytes"),
        ("Dismiss", [app, Self.ids(1000, of: 100)], "'Dismiss' are longer than 65536 bytes"),
      ]
      for (member, arguments, text) in calls {
        let refusal = try await Self.refusal(stand, member, arguments, as: boxed)
        #expect(refusal.hasPrefix("LimitExceeded") && refusal.contains(text), "\(member): \(refusal)")
      }
      #expect(try await Self.refusal(stand, "Cancel", [app, Self.ids(500, of: 100)], as: boxed).hasPrefix("taken"))
    }
  }

  @Test func `A call of an unknown caller is held unread until its rights are known`() async throws {
    let (asked, release) = (Inbox<BusName>(), Inbox<Bool>())
    try await Self.run(.none, hold: asked, release: release) { stand, unknown in
      async let many = Self.refusal(stand, "NotifyMany", [Self.wrong(5 << 20, count: 50)], as: unknown)
      _ = try await asked.next()
      // Other callers get answers meanwhile.
      try await stand.notify("a", ["in": "1h"])
      release.put(true)
      let long = String(repeating: "x", count: 100_000)
      #expect(try await many.hasPrefix("AccessDenied"))
      for (member, arguments) in [
        ("Notify", [.properties(["no": true])]), ("Cancel", [.string(Self.own), Self.ids(1000, of: 100)]),
        ("SetCategories", [.string(Self.own), Self.wrong(20_000, count: 300)]),
        ("Next", [.properties(["no": true]), .uint32(100_000)]),
        ("Respond", [.string(Self.own), "a", "a", .properties(["reply": .string(long)])]),
      ] as [(MemberName, [Value])] {
        #expect(try await Self.refusal(stand, member, arguments, as: unknown).hasPrefix("AccessDenied"), "\(member)")
      }
    }
  }

  @Test func `Every caller has limits on what it may send`() async throws {
    try await CenterStand.run { stand in
      let long = String(repeating: "é", count: 32 << 10)
      let calls: [(MemberName, [Value], String)] = [
        ("Cancel", ["test", Self.ids(100_001, of: 10)], "more than 100000 ids"),
        ("Dismiss", ["test", Self.ids(100_001, of: 10)], "more than 100000 ids"),
        (
          "Respond", ["test", "a", "default", .properties(["reply": .string(long + "x")])],
          "'reply' has 65537 bytes"
        ),
        (
          "Respond", ["test", "a", "default", .properties(["more": .strings([long, long, long])])],
          "'Respond' are longer than 131072"
        ),
        ("Attach", [.string(long)], "'Attach' are longer than 4096"),
        ("Register", ["test", .strings([long])], "'Register' are longer than 4096"),
        ("Complete", [.uint64(1), .properties(["error": .string(long)])], "'Complete' are longer than 65536"),
        ("NotifyMany", [Self.wrong(300 << 10)], "[0]: a request of 307"),
        ("SetCategories", ["test", Self.wrong(60_000, count: 10_001)], "more than 10000 categories"),
        ("SetCategories", ["test", Self.wrong(300 << 10)], "[0]: a category of 307"),
      ]
      for (member, arguments, text) in calls {
        let refusal = try await Self.refusal(stand, member, arguments)
        #expect(refusal.hasPrefix("LimitExceeded") && refusal.contains(text), "\(member): \(refusal)")
      }
      #expect(try await Self.refusal(stand, "Cancel", ["test", Self.ids(100_000, of: 10)]).hasPrefix("taken"))
      // A reply of the maximum length is refused for another reason.
      let reply = try await Self.refusal(
        stand, "Respond", ["test", "a", "default", .properties(["reply": .string(long)])])
      #expect(reply.hasPrefix("NotFound"))
    }
  }

  @Test func `The first invalid request ends a list, and a long list delays no other call`() async throws {
    try await CenterStand.run { stand in
      let good = Value.properties(["app": "test", "title": "t", "in": "1h"])
      let list = [Value](repeating: good, count: 1000) + [.properties(["title": "t", "no": true])]
      let refusal = try await Self.refusal(stand, "NotifyMany", [.array(of: .properties, list + list)])
      #expect(refusal.hasPrefix("InvalidRequest: [1000]: ") && refusal.contains("'no'"), "\(refusal)")
      // Another caller is answered before the list has been read.
      let order = Inbox<String>()
      let other = try await stand.bus.connect(on: stand.loop)
      async let many = stand.call("NotifyMany", [.array(of: .properties, [Value](repeating: good, count: 20_000))])
      async let one: Void = {
        _ = try await stand.call("Cancel", ["test", .strings(["none"])], as: other)
        order.put("one")
      }()
      _ = try await many
      order.put("many")
      try await one
      #expect(try await order.next() == "one")
      #expect(try await stand.property("PendingCount") == .uint32(20_000))
    }
  }
}
