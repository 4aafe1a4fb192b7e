// SPDX-License-Identifier: Apache-2.0
import DBus
import NotificationModel
import TestSupport
import Testing

@testable import Scheduling
@testable import suzud

/// Tests what the center hands to the program that sends elsewhere: each step once, and nothing that was answered.
@Suite(.timeLimit(.minutes(2)))
struct OutboxTests {
  private static func steps(_ steps: [String: Value]...) -> Value {
    .array(of: .properties, steps.map { .properties($0) })
  }

  private static let page: [String: Value] = [
    "escalate": steps(["after": "10m", "push": true, "level": "critical"], ["after": "20m", "push": "boss"]),
    "body": "Disk <full>", "subtitle": "db1", "actions": actions(action("ok")), "url": "https://example.org/x",
  ]

  /// A program that sends, as `suzu-link` does: it calls the methods of the outbox and counts the signals about new
  /// messages.
  private struct Carrier {
    let stand: CenterStand
    let connection: Connection
    let told = Inbox<Bool>()

    init(_ stand: CenterStand) async throws {
      self.stand = stand
      connection = try await stand.bus.connect(on: stand.loop)
      let signals = try await connection.signals(
        matching: MatchRule(sender: "dev.suzu.Center", interface: "dev.suzu.Center1", member: "OutgoingWaiting"))
      let told = told
      // It ends with the connection.
      _ = Task { for try await _ in signals { told.put(true) } }
    }

    func waiting() async throws -> [[String: Value]] {
      try await stand.call("Outgoing", [], as: connection).first?.elements?.compactMap(\.properties) ?? []
    }

    func take(_ row: [String: Value]?) async throws -> [String: Value]? {
      try await stand.call("TakeOutgoing", [row?["number"] ?? .uint64(0)], as: connection).first?.properties
    }

    func finish(_ row: [String: Value]?, _ state: String, _ detail: String = "") async throws {
      try await stand.call(
        "FinishOutgoing", [row?["number"] ?? .uint64(0), .string(state), .string(detail)], as: connection)
    }
  }

  private static func pushes(_ stand: CenterStand, _ id: String = "page") async throws -> [String] {
    try await stand.history(id).first?["pushes"]?.elements?.compactMap(\.properties).map { push in
      [push["step"]?.integer.map { "\($0)" }, push["link"]?.string, push["state"]?.string, push["detail"]?.string]
        .compactMap(\.self).joined(separator: " ")
    } ?? []
  }

  @Test func `A step is handed over once, with the texts of its showing, and its end is in the history`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let carrier = try await Carrier(stand)
      #expect(try await carrier.waiting().isEmpty)
      try await stand.notify("page", Self.page)
      _ = try await server.posted.next()
      try await stand.settle()
      #expect(carrier.told.waiting.isEmpty)
      try await stand.again(server)
      try await stand.settle()
      _ = try await carrier.told.next()
      let waiting = try await carrier.waiting()
      #expect(waiting.count == 1 && waiting.first?["link"] == nil)
      #expect(try await Self.pushes(stand) == ["1 waiting"])
      let message = try #require(try await carrier.take(waiting.first))
      #expect(message["app"] == "test" && message["id"] == "page" && message["title"] == "page")
      #expect(message["body"] == "db1\nDisk <full>" && message["level"] == "critical")
      #expect(message["url"] == "https://example.org/x" && message["delivery"]?.integer == 1)
      // It has not said that it was sent, and may take it again.
      #expect(try await carrier.take(waiting.first) == message)
      try await carrier.finish(waiting.first, "sent")
      #expect(await refusalName { _ = try await carrier.take(waiting.first) } == "NotFound")
      // Saying so twice, as after a lost answer, changes nothing.
      try await carrier.finish(waiting.first, "failed", "x")
      #expect(try await Self.pushes(stand) == ["1 sent"])
      #expect(try await carrier.waiting().isEmpty)
      try await stand.again(server)
      try await stand.settle()
      _ = try await carrier.told.next()
      let second = try await carrier.waiting()
      #expect(second.map { $0["link"] } == ["boss"])
      // Both are of one notification.
      #expect(try await carrier.take(second.first)?["delivery"] == message["delivery"])
      try await carrier.finish(second.first, "failed", "the server refuses the message (HTTP 413)")
      #expect(
        try await Self.pushes(stand) == ["1 sent", "2 boss failed the server refuses the message (HTTP 413)"])
      #expect(
        try await stand.why("page")
          == "came, on time; shown 3 times, the last time with step 2 of its escalation; step 1: sent; step 2: could "
          + "not be sent to 'boss': the server refuses the message (HTTP 413); it is on the screen")
    }
  }

  @Test(arguments: ["press", "Acknowledge", "Dismiss", "Cancel"])
  func `What was answered or taken back before it was taken is not sent`(end: String) async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let carrier = try await Carrier(stand)
      try await stand.notify("page", Self.page)
      _ = try await server.posted.next()
      try await stand.again(server)
      try await stand.settle()
      let waiting = try await carrier.waiting()
      #expect(waiting.count == 1)
      switch end {
      case "press": try await server.press(1, "ok")
      case "Acknowledge": _ = try await stand.count("Acknowledge", ["page"])
      case "Dismiss": _ = try await stand.count("Dismiss", ["page"])
      default: _ = try await stand.count("Cancel", ["page"])
      }
      try await stand.settle()
      #expect(await refusalName { _ = try await carrier.take(waiting.first) } == "NotFound")
      #expect(try await carrier.waiting().isEmpty)
      #expect(try await Self.pushes(stand) == ["1 unneeded"])
      #expect(try await stand.why("page").contains("; step 1: not sent, because it was answered or taken back first"))
    }
  }

  @Test func `Without the program that sends, it waits through a restart, and 'why' and the health say so`()
    async throws
  {
    let home = try TemporaryFolder()
    try await CenterStand.run(home: home) { stand in
      let server = try await stand.server()
      try await stand.notify("page", Self.page)
      _ = try await server.posted.next()
      try await stand.again(server)
      try await stand.settle()
      #expect(try await stand.why("page").contains("; step 1: waits to be sent: suzu-link does not run;"))
      let problems = try await stand.property("Health")?.properties?["outboxProblems"]
      #expect(problems == .strings(["1 message waits to be sent: suzu-link does not run"]))
    }
    try await CenterStand.run(home: home) { stand in
      let carrier = try await Carrier(stand)
      let waiting = try await carrier.waiting()
      #expect(waiting.count == 1)
      #expect(try await carrier.take(waiting.first)?["title"] == "page")
      #expect(try await stand.property("Health")?.properties?["outboxProblems"] == nil)
      try await carrier.finish(waiting.first, "waiting", "phone: the server cannot be reached")
      #expect(try await Self.pushes(stand) == ["1 waiting phone: the server cannot be reached"])
      #expect(
        try await stand.property("Health")?.properties?["outboxProblems"]
          == .strings(["1 message waits to be sent: phone: the server cannot be reached"]))
      await carrier.connection.close()
      try await stand.wait(for: "leaving") {
        try await Self.pushes(stand) == ["1 waiting suzu-link does not run"]
      }
    }
  }

  /// 'waits to be sent to 'boss': boss: …' said the name twice.
  @Test(arguments: [
    ("boss: the server cannot be reached", "waits to be sent to 'boss': the server cannot be reached"),
    ("no link 'boss' sends; see 'x'", "waits to be sent: no link 'boss' sends; see 'x'"),
    ("bosses: away", "waits to be sent to 'boss': bosses: away"),
  ])
  func `A step that names its link has the name once in its reason`(said: String, shown: String) async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let carrier = try await Carrier(stand)
      _ = try await carrier.waiting()
      try await stand.notify("page", ["escalate": Self.steps(["after": "10m", "push": "boss"])])
      _ = try await server.posted.next()
      try await stand.again(server)
      try await stand.settle()
      try await carrier.finish(try await carrier.waiting().first, "waiting", said)
      let why = try await stand.why("page")
      #expect(why.contains("; step 1: \(shown); "), "\(why)")
    }
  }

  @Test func `A push survives the restart before its step`() async throws {
    let home = try TemporaryFolder()
    try await CenterStand.run(home: home) { stand in
      let server = try await stand.server()
      try await stand.notify("page", Self.page)
      try await server.tellClosed(try await server.posted.next().number, reason: 1)
      try await stand.settle()
    }
    try await CenterStand.run(home: home) { stand in
      let server = try await stand.server()
      let carrier = try await Carrier(stand)
      #expect(try await carrier.waiting().isEmpty)
      try await stand.again(server)
      try await stand.settle()
      #expect(try await carrier.waiting().count == 1)
    }
  }

  @Test func `That the user is away keeps its showing, and does not keep it from being sent`() async throws {
    let presence = ScriptedPresence()
    try await CenterStand.run(presence: presence) { stand in
      let server = try await stand.server()
      let carrier = try await Carrier(stand)
      #expect(try await carrier.waiting().isEmpty)
      try await stand.call("Configure", ["test", .properties(["away": "hold"])])
      await stand.center.tell(presence, isLocked: false, isIdle: false)
      try await stand.notify("desk", ["escalate": Self.steps(["after": "10m", "push": true])])
      _ = try await server.posted.next()
      // Off the screen: one on it is replaced at once.
      try await server.tellClosed(1, reason: 1)
      try await stand.settle()
      await stand.center.tell(presence, isLocked: true)
      await stand.center.endPauses()
      _ = try await carrier.told.next()
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      #expect(try await carrier.waiting().count == 1)
      // Shown when the user is back, it is not sent again.
      await stand.center.tell(presence, isLocked: false)
      _ = try await server.posted.next(within: .seconds(10), "showing")
      try await stand.settle()
      #expect(try await Self.pushes(stand, "desk") == ["1 waiting"])
    }
  }

  @Test func `Quiet hours keep it like the showing of its step`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let carrier = try await Carrier(stand)
      #expect(try await carrier.waiting().isEmpty)
      try await stand.notify("night", ["escalate": Self.steps(["after": "10m", "push": true])])
      _ = try await server.posted.next()
      _ = try await stand.next(1)
      try await stand.settle()
      try await stand.call("SetQuiet", ["", .properties(["on": true])])
      await stand.center.endPauses()
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      #expect(try await carrier.waiting().isEmpty)
      try await stand.call("SetQuiet", ["", .properties(["on": false])])
      _ = try await server.posted.next(within: .seconds(10), "showing after quiet hours")
      _ = try await carrier.told.next()
      #expect(try await carrier.waiting().count == 1)
    }
  }

  @Test func `The texts of an app that shows none are not sent either`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let carrier = try await Carrier(stand)
      try await stand.call("Configure", ["test", .properties(["previews": "never"])])
      try await stand.notify("page", Self.page)
      _ = try await server.posted.next()
      try await stand.again(server)
      try await stand.settle()
      let message = try #require(try await carrier.take(try await carrier.waiting().first))
      #expect(message["title"] == "test" && message["body"] == "Notification")
    }
  }

  @Test func `Markup is taken out, and a URL that means something here only is not sent`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let carrier = try await Carrier(stand)
      let more: [String: Value] = [
        "markup": true, "body": "<b>Disk</b> &amp; more", "subtitle": "x", "url": "file:///etc/passwd",
      ]
      try await stand.notify("page", Self.page.merging(more) { $1 })
      _ = try await server.posted.next()
      try await stand.again(server)
      try await stand.settle()
      let message = try #require(try await carrier.take(try await carrier.waiting().first))
      #expect(message["body"] == "x\nDisk & more" && message["url"] == nil)
    }
  }

  @Test func `Sandboxed programs send nothing, and learn nothing of what is sent`() async throws {
    let own = "org.example.Boxed"
    var desktop = Desktop.unlocked
    let free = Inbox<BusName>()
    desktop.identify = { caller in free.waiting.contains(caller.name) ? .all : .of(app: own) }
    try await CenterStand.run(desktop: desktop, whenConnected: { free.put($0) }) { stand in
      let boxed = try await stand.bus.connect(on: stand.loop)
      let request: Value = .properties(["title": "t", "escalate": Self.steps(["after": "10m", "push": true])])
      #expect(await refusalName { _ = try await stand.call("Notify", [request], as: boxed) } == "AccessDenied")
      #expect(await refusalName { _ = try await stand.call("Outgoing", [], as: boxed) } == "AccessDenied")
      #expect(
        await refusalName { _ = try await stand.call("TakeOutgoing", [.uint64(1)], as: boxed) } == "AccessDenied")
      #expect(
        await refusalName { _ = try await stand.call("FinishOutgoing", [.uint64(1), "sent", ""], as: boxed) }
          == "AccessDenied")
    }
  }

  @Test(
    arguments: [
      ("FinishOutgoing", [.uint64(1), "done", ""], "InvalidRequest"),
      ("FinishOutgoing", [.uint64(.max), "sent", ""], "InvalidRequest"),
      ("FinishOutgoing", [.uint64(1), "sent", ""], "taken"), ("TakeOutgoing", [.uint64(.max)], "InvalidRequest"),
      ("TakeOutgoing", [.uint64(1)], "NotFound"),
    ] as [(MemberName, [Value], String)])
  func `What a program says of unknown numbers changes nothing`(
    member: MemberName, arguments: [Value], answer: String
  ) async throws {
    try await CenterStand.run { stand in
      #expect(await refusalName { _ = try await stand.call(member, arguments) } == answer)
    }
  }
}
