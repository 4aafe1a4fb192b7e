// SPDX-License-Identifier: Apache-2.0
import CenterContract
import DBus
import EventLoop
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests actions that their app handles: handlers that are attached, late or silent.
@Suite(.timeLimit(.minutes(2)))
struct HandlerTests {
  /// An app on the bus with a handler. Its calls arrive as lines, and it completes nothing by itself.
  private struct App {
    let connection: Connection
    let responses = Inbox<(number: UInt64, id: String, action: String, details: [String: Value])>()

    static func attached(
      to app: String = "test", _ stand: CenterStand, on own: EventLoop? = nil
    ) async throws -> App {
      let handler = App(connection: try await stand.bus.connect(on: own ?? stand.loop))
      let signals = try await handler.connection.signals(
        matching: MatchRule(sender: CenterBus.name, interface: CenterBus.interface, member: "Responded"))
      let responses = handler.responses
      _ = Task {
        for try await signal in signals {
          guard case .uint64(let number) = signal.arguments[0] else { continue }
          responses.put(
            (
              number, signal.arguments[2].string ?? "", signal.arguments[3].string ?? "",
              signal.arguments[4].properties ?? [:]
            ))
        }
      }
      try await stand.call("Attach", [.string(app)], as: handler.connection)
      return handler
    }

    func complete(_ number: UInt64, _ stand: CenterStand, _ details: [String: Value] = [:]) async throws {
      try await stand.call("Complete", [.uint64(number), .properties(details)], as: connection)
    }
  }

  @Test func `The handler gets the response with the data of the request, and its result is the outcome`()
    async throws
  {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let app = try await App.attached(stand)
      try await stand.notify(
        "a",
        [
          "actions": actions(appAction("yes")),
          "userInfo": .properties(["n": .int64(7), "deep": .properties(["x": "y"])]),
        ])
      #expect(try await stand.next(1) == ["Delivered a"])
      try await server.press(1, "yes")
      let response = try await app.responses.next()
      #expect(response.id == "a" && response.action == "yes")
      #expect(response.details["userInfo"]?.properties?["deep"]?.properties?["x"] == "y")
      #expect(try await stand.next(2).sorted() == ["Closed a withdrawn", "Responded a yes"])
      // No other caller can complete it.
      await #expect(throws: CallError.self) {
        try await stand.call("Complete", [.uint64(response.number), .properties([:])])
      }
      try await app.complete(response.number, stand)
      #expect(try await stand.next(1) == ["Outcome done"])
      await #expect(throws: CallError.self) { try await app.complete(response.number, stand) }
      try await stand.notify("b", ["actions": actions(appAction("yes"))])
      #expect(try await stand.next(1) == ["Delivered b"])
      try await server.press(2, "default")
      try await app.complete(try await app.responses.next().number, stand, ["error": "no\nroom"])
      #expect(Set(try await stand.next(3)) == ["Closed b withdrawn", "Responded b default", "Outcome failed: no room"])
    }
  }

  @Test func `A request of the command itself waits for no app`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let own: [String: Value] = ["app": "dev.suzu.Suzu", "actions": actions(appAction("ok"))]
      try await stand.notify("a", own)
      _ = try await stand.next(1)
      // Its watchers are the ones to act.
      try await server.press(1, "ok")
      #expect(try await stand.next(3).contains("Outcome done"))
      try await stand.call("Watch", [false])
      try await stand.notify("b", own)
      while try await server.posted.next().summary != "b" {}
      try await stand.call("Respond", ["dev.suzu.Suzu", "b", "ok", .properties([:])])
      try await stand.settle()
      #expect(try await stand.listing("History", app: "").first?["outcome"] == "unhandled")
    }
  }

  // The failed start had marked it as begun, so that the handler that came later did not get it: 'failed: interrupted'.
  @Test func `A response whose app could not be started waits for it, through a restart as well`() async throws {
    var desktop = Desktop.unlocked
    desktop.apps.isActivatable = { _ in true }
    let home = try TemporaryFolder()
    try await CenterStand.run(home: home, desktop: desktop) { stand in
      let server = try await stand.server()
      for id in ["a", "b"] { try await stand.notify(id, ["actions": actions(appAction("yes"))]) }
      _ = try await stand.next(2)
      try await server.press(1, "yes")
      #expect(try await stand.next(3).contains("Outcome waiting: app"))
      let app = try await App.attached(stand)
      try await app.complete(app.responses.next().number, stand)
      #expect(try await stand.next(1) == ["Outcome done"])
      await app.connection.close()
      try await stand.settle()
      try await server.press(2, "yes")
      #expect(try await stand.next(3).contains("Outcome waiting: app"))
    }
    try await CenterStand.run(home: home) { stand in
      let app = try await App.attached(stand)
      let response = try await app.responses.next()
      #expect(response.id == "b")
      try await app.complete(response.number, stand)
      while try await stand.next(1) != ["Outcome done"] {}
    }
  }

  @Test func `Responses wait in order for a handler, and each is given once`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      for id in ["a", "b"] { try await stand.notify(id, ["actions": actions(appAction("yes"))]) }
      _ = try await stand.next(2)
      for number in [1, 2] as [UInt32] { try await server.press(number, "yes") }
      #expect(try await stand.next(6).count { $0 == "Outcome waiting: app" } == 2)
      // The listing said only 'waiting'.
      #expect(try await stand.listing("History").map { $0["outcome"] } == ["waiting: app", "waiting: app"])
      let other = try await App.attached(to: "another.app", stand)
      let app = try await App.attached(stand)
      let given = [try await app.responses.next(), try await app.responses.next()]
      #expect(given.map(\.id) == ["a", "b"])
      let late = try await App.attached(stand)
      for response in given { try await app.complete(response.number, stand) }
      #expect(try await stand.next(2) == ["Outcome done", "Outcome done"])
      #expect(late.responses.waiting.isEmpty && other.responses.waiting.isEmpty)
      // The handler attached last gets the responses; when it leaves, the one before does.
      try await stand.notify("c", ["actions": actions(appAction("yes"))])
      #expect(try await stand.next(1) == ["Delivered c"])
      try await server.press(3, "yes")
      try await late.complete(try await late.responses.next().number, stand)
      _ = try await stand.next(3)
      try await stand.call("Detach", ["test"], as: late.connection)
      try await stand.notify("d", ["actions": actions(appAction("yes"))])
      #expect(try await stand.next(1) == ["Delivered d"])
      try await server.press(4, "yes")
      #expect(try await app.responses.next().id == "d")
    }
  }

  // It was once given to the handler that had left, and failed after 30 seconds.
  @Test func `A response for a handler that leaves while it is recorded goes to the next one`() async throws {
    try await CenterStand.run { stand in
      try await Self.pressAsHandlerLeaves(stand)
      try await Self.expectResponse(stand)
    }
  }

  // It was marked as begun, and the next center told that it had been interrupted.
  @Test func `A response that waits since its handler left goes to the next one, also after a restart`() async throws {
    let home = try TemporaryFolder()
    try await CenterStand.run(home: home) { stand in try await Self.pressAsHandlerLeaves(stand) }
    try await CenterStand.run(home: home) { stand in try await Self.expectResponse(stand) }
  }

  private static func pressAsHandlerLeaves(_ stand: CenterStand) async throws {
    try await withLoop { own in
      let server = try await stand.server(on: own)
      let leaver = try await App.attached(stand, on: own)
      let observer = try await stand.bus.connect(on: own)
      let name = try #require(await leaver.connection.uniqueName)
      let owners = Reader(try await observer.owners(of: name))
      try await stand.notify("a", ["actions": actions(appAction("yes"))])
      #expect(try await stand.next(1) == ["Delivered a"])
      try await stand.whileBusy {
        try await server.press(1, "yes")
        // The bus has passed on the click once it answers a later call of the same peer.
        try await server.reach(.bus)
        await leaver.connection.close()
        while let owner = await owners.next(), owner != nil {}
      }
      #expect(try await stand.next(3).contains("Outcome waiting: app"))
    }
  }

  private static func expectResponse(_ stand: CenterStand) async throws {
    let app = try await App.attached(stand)
    let response = try await app.responses.next()
    #expect(response.id == "a")
    try await app.complete(response.number, stand)
    #expect(try await stand.next(1) == ["Outcome done"])
  }

  @Test func `A handler that does not complete in time, or leaves, is given up`() async throws {
    var timeouts = Timeouts.usual
    timeouts.completion = .milliseconds(200)
    try await CenterStand.run(timeouts: timeouts) { stand in
      let server = try await stand.server()
      let app = try await App.attached(stand)
      try await stand.notify("a", ["actions": actions(appAction("yes"))])
      _ = try await stand.next(1)
      try await server.press(1, "yes")
      let response = try await app.responses.next()
      #expect(
        Set(try await stand.next(3)) == [
          "Responded a yes", "Closed a withdrawn",
          "Outcome failed: the app did not say within 200ms that it was done",
        ])
      await #expect(throws: CallError.self) { try await app.complete(response.number, stand) }
    }
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let app = try await App.attached(stand)
      try await stand.notify("a", ["actions": actions(appAction("yes"))])
      _ = try await stand.next(1)
      try await server.press(1, "yes")
      _ = try await app.responses.next()
      await app.connection.close()
      #expect(
        Set(try await stand.next(3)) == [
          "Responded a yes", "Closed a withdrawn", "Outcome failed: the app left the bus before it was done",
        ])
    }
  }

  @Test func `A response lapses with a reason if no app comes for it`() async throws {
    var timeouts = Timeouts.usual
    timeouts.app = .milliseconds(100)
    try await CenterStand.run(timeouts: timeouts) { stand in
      let server = try await stand.server()
      try await stand.notify("a", ["actions": actions(appAction("yes"))])
      _ = try await stand.next(1)
      try await server.press(1, "yes")
      #expect(
        Set(try await stand.next(4)) == [
          "Responded a yes", "Closed a withdrawn", "Outcome waiting: app",
          "Outcome lapsed: no handler attached within 24 hours",
        ])
    }
  }

  @Test func `A response keeps waiting for its app across a restart of the center, and is given once`() async throws {
    let home = try TemporaryFolder()
    try await CenterStand.run(home: home) { stand in
      let server = try await stand.server()
      try await stand.notify("a", ["actions": actions(appAction("yes")), "userInfo": .properties(["n": .int64(7)])])
      _ = try await stand.next(1)
      try await server.press(1, "yes")
      _ = try await stand.next(3)
    }
    try await CenterStand.run(home: home) { stand in
      let app = try await App.attached(stand)
      let response = try await app.responses.next()
      #expect(response.id == "a" && response.details["userInfo"]?.properties?["n"] == .int64(7))
      try await app.complete(response.number, stand)
      #expect(try await stand.next(1) == ["Outcome done"])
    }
    try await CenterStand.run(home: home) { stand in
      let app = try await App.attached(stand)
      try await stand.settle()
      #expect(app.responses.waiting.isEmpty)
    }
  }

  @Test func `An app in front is asked how to present a due request`() async throws {
    let signs = Inbox<String>()
    var desktop = Desktop.unlocked
    desktop.signs.setBadge = { signs.put("\($0) \($1)") }
    var timeouts = Timeouts.usual
    timeouts.presenting = .milliseconds(300)
    try await CenterStand.run(timeouts: timeouts, desktop: desktop) { stand in
      let server = try await stand.server()
      let app = try await App.attached(stand)
      await #expect(throws: CallError.self) { try await stand.call("InFront", ["test", true]) }
      try await stand.call("InFront", ["test", true], as: app.connection)
      // Without an answer it is shown.
      try await stand.notify("unasked")
      #expect(try await server.posted.next().summary == "unasked")
      try await app.connection.export(
        Interface(
          "dev.suzu.Handler1",
          methods: [
            Method("WillPresent", in: ["app": "s", "id": "s", "request": "a{sv}"], out: ["options": "as"]) { call in
              switch call.arguments[1].string {
              case "badge": [.strings(["badge"])]
              case "silent": [.strings(["alert"])]
              default: [.strings([])]
              }
            }
          ]), at: "/dev/suzu/Handler")
      for id in ["nothing", "badge", "silent"] { try await stand.notify(id, ["badge": .int64(7), "sound": "bell"]) }
      let shown = try await server.posted.next()
      #expect(shown.summary == "silent" && shown.hints["suppress-sound"] == true)
      #expect(signs.waiting == ["test 7"])
      try await stand.call("InFront", ["test", false], as: app.connection)
      try await stand.notify("behind")
      #expect(try await server.posted.next().summary == "behind")
    }
  }

  @Test func `An app that asks for dismissals gets them, except one that a click caused`() async throws {
    var timeouts = Timeouts.usual
    timeouts.lateAction = .milliseconds(100)
    try await CenterStand.run(timeouts: timeouts) { stand in
      let server = try await stand.server()
      let app = try await App.attached(stand)
      try await stand.setCategories(
        ["id": "c", "actions": actions(action("yes")), "customDismiss": true], ["id": "d", "actions": actions()])
      try await stand.notify("a", ["category": "c"])
      try await stand.notify("b", ["category": "d"])
      try await stand.notify("c", ["category": "c"])
      _ = try await stand.next(3)
      try await server.tellClosed(2, reason: 2)
      try await server.tellClosed(3, reason: 2)
      try await server.press(3, "yes")
      try await server.tellClosed(1, reason: 2)
      let response = try await app.responses.next()
      #expect(response.id == "a" && response.action == "dismiss")
      try await app.complete(response.number, stand)
      #expect(
        try await stand.next(7).sorted() == [
          "Closed a dismissed", "Closed b dismissed", "Closed c dismissed", "Outcome done", "Outcome done",
          "Responded a dismiss", "Responded c yes",
        ])
    }
  }
}
