// SPDX-License-Identifier: Apache-2.0
import DBus
import NotificationModel
import TestSupport
import Testing

@testable import Scheduling
@testable import suzud

/// Tests actions that call a server: the center hands the call over, and the outcome is that of the server.
@Suite(.timeLimit(.minutes(2)))
struct ServerCallTests {
  private static let call: [String: Value] = [
    "url": "https://example.org/{id}?r={reply}", "headers": .properties(["X-Token": "secret"]),
    "body": .properties(["text": "{reply}"]),
  ]

  private static func request(_ call: [String: Value] = call) -> [String: Value] {
    ["actions": actions(action("go", ["http": .properties(call)]))]
  }

  private static func waiting(_ stand: CenterStand) async throws -> [[String: Value]] {
    try await stand.call("Outgoing", []).first?.elements?.compactMap(\.properties) ?? []
  }

  private static func finish(_ stand: CenterStand, _ row: [String: Value]?, _ state: String, _ detail: String = "")
    async throws
  {
    try await stand.call("FinishOutgoing", [row?["number"] ?? .uint64(0), .string(state), .string(detail)])
  }

  private static func press(_ stand: CenterStand, _ id: String = "a", _ request: [String: Value] = request())
    async throws
  {
    try await stand.notify(id, request)
    _ = try await stand.events.next { $0 == "Delivered \(id)" }
    try await stand.call("Respond", ["test", .string(id), "go", .properties(["reply": "a\"b\nc"])])
    _ = try await stand.events.next { $0 == "Outcome waiting: network" }
  }

  @Test(arguments: [
    ("sent", "", "done"), ("failed", "the server answered with HTTP 500", "failed: the server answered with HTTP 500"),
  ])
  func `The call is handed over with everything filled in, and its end is the outcome`(
    state: String, detail: String, outcome: String
  ) async throws {
    try await CenterStand.run { stand in
      _ = try await stand.server()
      try await Self.press(stand)
      #expect(try await stand.history("a").first?["outcome"] == "waiting: network")
      let waiting = try await Self.waiting(stand)
      #expect(waiting.count == 1 && waiting.first?["kind"] == "http")
      let call = try #require(
        try await stand.call("TakeOutgoing", [waiting.first?["number"] ?? .uint64(0)]).first?.properties)
      #expect(call["url"] == "https://example.org/a?r=a%22b%0Ac" && call["method"] == "POST")
      #expect(call["headers"] == .strings(["Content-Type: application/json", "X-Token: secret"]))
      #expect(call["body"] == #"{"text":"a\"b\nc"}"#)
      try await Self.finish(stand, waiting.first, state, detail)
      _ = try await stand.events.next { $0 == "Outcome \(outcome)" }
      #expect(try await stand.history("a").first?["outcome"]?.string == outcome)
      #expect(try await Self.waiting(stand).isEmpty)
    }
  }

  @Test func `A call that waits survives a restart, as it was filled in`() async throws {
    let home = try TemporaryFolder()
    try await CenterStand.run(home: home) { stand in
      _ = try await stand.server()
      try await Self.press(stand)
    }
    try await CenterStand.run(home: home) { stand in
      let waiting = try await Self.waiting(stand)
      #expect(waiting.count == 1)
      try await Self.finish(stand, waiting.first, "waiting", "the server cannot be reached")
      #expect(
        try await stand.property("Health")?.properties?["outboxProblems"]
          == .strings(["1 message waits to be sent: the server cannot be reached"]))
      try await Self.finish(stand, waiting.first, "sent")
      _ = try await stand.events.next { $0 == "Outcome done" }
      #expect(try await stand.history("a").first?["outcome"] == "done")
    }
    try await CenterStand.run(home: home) { stand in
      let waiting = try await Self.waiting(stand)
      #expect(waiting.isEmpty)
    }
  }

  @Test func `A place without a value fails at once`() async throws {
    try await CenterStand.run { stand in
      _ = try await stand.server()
      try await stand.notify("a", Self.request(["url": "https://example.org/{userInfo.k}"]))
      _ = try await stand.next(1)
      try await stand.respond("a", "go")
      _ = try await stand.events.next { $0 == "Outcome failed: userInfo has no 'k'" }
      #expect(try await Self.waiting(stand).isEmpty)
    }
  }

  @Test func `Sandboxed programs call no server`() async throws {
    let own = "org.example.Boxed"
    var desktop = Desktop.unlocked
    let free = Inbox<BusName>()
    desktop.identify = { caller in free.waiting.contains(caller.name) ? .all : .of(app: own) }
    try await CenterStand.run(desktop: desktop, whenConnected: { free.put($0) }) { stand in
      let boxed = try await stand.bus.connect(on: stand.loop)
      for arguments in [
        ("Notify", [.properties(["title": "t"].merging(Self.request()) { $1 })]),
        (
          "SetCategories",
          [.string(own), .array(of: .properties, [.properties(["id": "c"].merging(Self.request()) { $1 })])]
        ),
      ] as [(MemberName, [Value])] {
        do {
          try await stand.call(arguments.0, arguments.1, as: boxed)
          Issue.record("\(arguments.0) was taken")
        } catch CallError.refused(let error) {
          #expect(error.name == "dev.suzu.Error.AccessDenied" && !error.message.contains("secret"), "\(error)")
        }
      }
    }
  }
}
