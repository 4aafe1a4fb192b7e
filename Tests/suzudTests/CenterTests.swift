// SPDX-License-Identifier: Apache-2.0
import CenterContract
import DBus
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests the calls of clients and the events they get.
@Suite(.timeLimit(.minutes(2)))
struct CenterTests {
  @Test func `A request is posted, delivered, answered and closed, and the events come in that order`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let id = try await stand.notify("a", ["body": "1 < 2", "actions": actions(action("yes"))])
      let posted = try await server.posted.next()
      #expect(id == "a")
      #expect(posted.summary == "a" && posted.body == "1 &lt; 2" && posted.replaces == 0)
      #expect(posted.actions == ["default", "yes", "yes", "yes"])
      #expect(posted.poster == stand.centerName)
      try await server.press(1, "yes")
      #expect(
        try await stand.next(4) == ["Delivered a", "Responded a yes", "Closed a withdrawn", "Outcome done"])
      #expect(try await server.closed.next() == 1)
    }
  }

  @Test func `A request without an id gets one of its own`() async throws {
    try await CenterStand.run { stand in
      _ = try await stand.server()
      var ids: Set<String> = []
      for _ in 0..<20 { ids.insert(try await stand.call("Notify", [.properties(["title": "t"])]).first?.string ?? "") }
      #expect(ids.count == 20 && !ids.contains(""))
    }
  }

  @Test func `The properties name the server, and each change is announced`() async throws {
    try await CenterStand.run { stand in
      let changes = try await stand.client.signals(
        matching: MatchRule(sender: CenterBus.name, member: "PropertiesChanged"))
      var changesRead = changes.makeAsyncIterator()
      #expect(try await stand.property("Server") == "")
      #expect(try await stand.property("Version") == .string(ProductVersion.text))
      let server = try await stand.server()
      let appeared = try await changesRead.next()
      #expect(appeared?.arguments[1].properties?["Server"] == "scripted 1")
      #expect(appeared?.arguments[1].properties?["Capabilities"] == .strings(["actions", "body", "body-markup"]))
      await server.die()
      let vanished = try await changesRead.next()
      #expect(vanished?.arguments[1].properties?["Server"] == "")
    }
  }

  // MARK: Replacing

  @Test func `A request with the same id replaces the one on the screen, and an answer belongs to the newer one`()
    async throws
  {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("a", ["actions": actions(action("old"))])
      #expect(try await server.posted.next().replaces == 0)
      #expect(try await stand.next(1) == ["Delivered a"])
      try await stand.notify("a", ["title": "new", "actions": actions(action("new"))])
      let second = try await server.posted.next()
      #expect(second.replaces == 1 && second.summary == "new")
      #expect(try await stand.next(2) == ["Closed a replaced", "Delivered a"])
      try await server.press(1, "old")
      try await server.press(1, "new")
      #expect(try await stand.next(2) == ["Responded a new", "Closed a withdrawn"])
    }
  }

  @Test func `A request with the same id replaces one that is pending`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("a", ["in": "1h", "title": "later"])
      #expect(try await stand.property("PendingCount") == .uint32(1))
      try await stand.notify("a", ["title": "now"])
      let posted = try await server.posted.next()
      #expect(posted.summary == "now" && posted.replaces == 0)
      #expect(try await stand.next(1) == ["Delivered a"])
      #expect(try await stand.property("PendingCount") == .uint32(0))
      #expect(try await stand.count("Cancel", []) == 0)
    }
  }

  // Once, the popup lost its entry: it could not be dismissed, its close was not reported, and a click on it had no
  // outcome.
  @Test func `The history keeps a shown request while a later one with its id is pending`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("a", ["actions": actions(action("yes"))])
      #expect(try await stand.next(1) == ["Delivered a"])
      try await stand.notify("a", ["in": "1h"])
      try await server.press(1, "yes")
      #expect(try await stand.next(3) == ["Responded a yes", "Closed a withdrawn", "Outcome done"])
      #expect(try await stand.property("PendingCount") == .uint32(1))

      try await stand.notify("b")
      #expect(try await stand.next(1) == ["Delivered b"])
      try await stand.notify("b", ["in": "1h"])
      #expect(try await stand.count("Cancel", ["b"]) == 1)
      #expect(try await stand.count("Dismiss", ["b"]) == 1)
      #expect(try await stand.next(2) == ["Closed b cancelled", "Closed b withdrawn"])
    }
  }

  // Once, both were shown, and the first stayed on the screen for ever.
  @Test func `The second of two requests with one id waits for the first one's number and replaces it`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server { _ in .hold }
      try await stand.notify("a", ["title": "first"])
      try await stand.notify("a", ["title": "second"])
      try await stand.notify("a", ["title": "third"].merging(clickable) { $1 })
      #expect(try await server.posted.next().summary == "first")
      try await stand.settle()
      #expect(server.posted.waiting.isEmpty)
      await server.follow { _ in .number }
      await server.release()
      let last = try await server.posted.next()
      #expect(last.summary == "third" && last.replaces == 1)
      // The client that replaces a request does not get the event for it.
      #expect(try await stand.next(3) == ["Delivered a", "Closed a replaced", "Delivered a"])
      try await server.press(1, "default")
      #expect(try await stand.next(2) == ["Responded a default", "Closed a withdrawn"])
    }
  }

  // MARK: Cancel, dismiss, respond

  @Test func `Cancelling withdraws requests that are not on the screen, of this app only`() async throws {
    try await CenterStand.run { stand in
      for id in ["a", "b", "c"] { try await stand.notify(id, ["in": "1h"]) }
      try await stand.notify("a", ["app": "other", "in": "1h"])
      try await stand.notify("waits for a server")
      #expect(try await stand.property("PendingCount") == .uint32(5))
      #expect(try await stand.count("Cancel", ["b", "unknown"]) == 1)
      #expect(try await stand.count("Cancel", ["b"]) == 0)
      #expect(try await stand.count("Cancel", []) == 3)
      #expect(try await stand.property("PendingCount") == .uint32(1))
      let server = try await stand.server()
      try await stand.notify("next")
      #expect(try await server.posted.next().summary == "next")
    }
  }

  @Test func `A request cancelled on its way to the server is removed from the screen`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server { _ in .hold }
      try await stand.notify("a")
      _ = try await server.posted.next()
      #expect(try await stand.count("Cancel", ["a"]) == 1)
      await server.release()
      #expect(try await server.closed.next() == 1)
      await server.follow { _ in .number }
      try await stand.notify("b")
      #expect(try await stand.next(2) == ["Closed a cancelled", "Delivered b"])
    }
  }

  @Test func `Dismissing removes a request from the screen, whether or not the server confirms it`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      for id in ["a", "b", "c"] { try await stand.notify(id) }
      try await stand.notify("later", ["in": "1h"])
      _ = try await stand.next(3)
      #expect(try await stand.count("Dismiss", ["b", "later"]) == 1)
      #expect(try await server.closed.next() == 2)
      try await server.tellClosed(2, reason: 3)
      #expect(try await stand.count("Dismiss", []) == 2)
      #expect(try await stand.next(3) == ["Closed b withdrawn", "Closed a withdrawn", "Closed c withdrawn"])
      #expect(try await stand.count("Dismiss", []) == 0)
    }
  }

  // A script that dismissed directly after sending left the notification on the screen.
  @Test(arguments: [["a"], []])
  func `Dismissing a notification that the server has not answered for closes it with the answer`(ids: [String])
    async throws
  {
    try await CenterStand.run { stand in
      let server = try await stand.server { _ in .hold }
      try await stand.notify("a")
      _ = try await server.posted.next()
      #expect(try await stand.count("Dismiss", ids) == 1)
      #expect(try await stand.count("Dismiss", ids) == 0)
      await server.release()
      #expect(try await server.closed.next() == 1)
      await server.follow { _ in .number }
      try await stand.notify("b")
      #expect(try await stand.next(2) == ["Closed a withdrawn", "Delivered b"])
    }
  }

  @Test(arguments: [false, true])
  func `Dismissing what has expired does not change its history, and counts only what the server kept`(
    serverKeeps: Bool
  ) async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server(capabilities: ["actions"] + (serverKeeps ? ["persistence"] : []))
      try await stand.notify("a", ["actions": actions(action("yes", run: ["false"]))])
      _ = try await stand.next(1)
      try await server.tellClosed(1, reason: 1)
      #expect(try await stand.next(1) == ["Closed a expired"])
      #expect(try await stand.count("Dismiss", ["a"]) == (serverKeeps ? 1 : 0))
      #expect(try await stand.count("Dismiss", []) == 0)
      if serverKeeps {
        #expect(try await server.closed.next() == 1)
        try await server.press(1, "yes")  // too late
      }
      try await stand.notify("b")
      #expect(try await stand.next(1) == ["Delivered b"])
      guard case .array(_, let rows)? = try await stand.call("History", ["", .properties([:])]).first else {
        throw TestFailure("no history")
      }
      let row = rows.compactMap(\.properties).first { $0["id"] == "a" }
      #expect(row?["reason"] == "expired" && row?["outcome"] == nil)
    }
  }

  @Test func `Responding has the same effect as a click`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("a", ["actions": actions(action("yes", run: ["false"]))])
      #expect(try await stand.next(1) == ["Delivered a"])
      try await stand.respond("a", "yes")
      #expect(try await stand.next(3) == ["Responded a yes", "Closed a withdrawn", "Outcome failed: exit 1"])
      #expect(try await server.closed.next() == 1)
      try await server.press(1, "yes")  // too late
      try await stand.notify("b")
      #expect(try await stand.next(1) == ["Delivered b"])
    }
  }

  @Test(arguments: [
    ("b", "yes", "'test' has no notification 'b' on the screen"),
    ("later", "yes", "'test' has no notification 'later' on the screen"),
    ("a", "no", "the notification 'a' has no action 'no'"),
  ])
  func `Responding to an unknown request is refused with an error that names it`(
    id: String, action key: String, text: String
  ) async throws {
    try await CenterStand.run { stand in
      _ = try await stand.server()
      try await stand.notify("a", ["actions": actions(action("yes"))])
      try await stand.notify("later", ["in": "1h"])
      #expect(try await stand.next(1) == ["Delivered a"])
      await #expect(throws: CallError.refused(RemoteError(RefusalCode.notFound.errorName, text))) {
        try await stand.respond(id, key)
      }
    }
  }

  // MARK: Watchers

  @Test func `Only watchers get events, each by itself, until they stop watching`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let eavesdropper = try await stand.bus.connect(on: stand.loop)
      let overheard = try await eavesdropper.signals(matching: MatchRule(interface: CenterBus.interface))
      let second = try await stand.bus.connect(on: stand.loop)
      let secondEvents = try await CenterStand.watch(from: second)
      #expect(await stand.center.listenerCount == 2)
      try await stand.notify("a", clickable)
      #expect(try await stand.next(1) == ["Delivered a"])
      #expect(try await secondEvents.next() == "Delivered a")

      try await stand.call("Watch", [false], as: second)
      try await stand.call("Watch", [false], as: second)  // once more does no harm
      #expect(await stand.center.listenerCount == 1)
      try await server.press(1, "default")
      #expect(try await stand.next(3).first == "Responded a default")
      #expect(secondEvents.waiting.isEmpty)

      try await stand.call("Watch", [true], as: second)
      try await stand.notify("b")
      #expect(try await secondEvents.next() == "Delivered b")
      await second.close()
      await eavesdropper.close()
      await #expect(throws: BusError.self, "it heard something") {
        for try await signal in overheard { Issue.record("\(signal.member) went to everybody") }
        throw BusError(.closed, "")
      }
    }
  }

  @Test func `A program that shows settings is told when those of an app or quiet hours change`() async throws {
    try await CenterStand.run { stand in
      let second = try await stand.bus.connect(on: stand.loop)
      let told = try await CenterStand.watch(from: second)
      try await stand.call("Watch", [false], as: second)
      try await stand.call("WatchStored", [true], as: second)
      for (method, arguments) in [
        ("Allow", [.string("org.example.A"), .strings(["alert"])]),
        ("Configure", [.string("org.example.A"), .properties(["away": .string("hold")])]),
        ("SetQuiet", [.string(""), .properties(["on": .boolean(true)])]),
        ("SetQuiet", [.string("org.example.A"), .properties(["pass": .string("all")])]),
        ("Reset", ["org.example.A"]),
      ] as [(MemberName, [Value])] {
        try await stand.call(method, arguments, as: second)
        #expect(try await told.next() == "Changed", "\(method)")
      }
      // Nothing has changed.
      try await stand.call("Reset", ["org.example.A"], as: second)
      try await stand.settle()
      #expect(told.waiting.isEmpty)
      await second.close()
    }
  }

  // At first every watcher got this signal, also programs that wait for events of requests.
  @Test func `What is stored without an event is told to those who asked for that`() async throws {
    try await CenterStand.run { stand in
      let second = try await stand.bus.connect(on: stand.loop)
      let told = try await CenterStand.watch(from: second)
      try await stand.call("Watch", [false], as: second)
      try await stand.call("WatchStored", [true], as: second)
      try await stand.notify("a", ["in": "1h"])
      #expect(try await told.next() == "Changed")
      try await stand.call("WatchStored", [false], as: second)
      #expect(await stand.center.listenerCount == 1)
      try await stand.notify("b", ["in": "1h"])
      try await stand.settle()
      #expect(told.waiting.isEmpty && stand.events.waiting.isEmpty)
      await second.close()
    }
  }

  @Test func `A watcher that leaves the bus is forgotten`() async throws {
    try await CenterStand.run { stand in
      let owners = try await stand.bus.connect(on: stand.loop)
      for _ in 0..<10 {
        let watcher = try await stand.bus.connect(on: stand.loop)
        let name = try #require(await watcher.uniqueName)
        let presence = try await owners.owners(of: name)
        _ = try await CenterStand.watch(from: watcher)
        #expect(await stand.center.listenerCount == 2)
        await watcher.close()
        for await owner in presence where owner == nil { break }
        try await stand.settle()
        #expect(await stand.center.listenerCount == 1)
      }
      await owners.close()
    }
  }

  @Test func `The last of several quick calls to watch and to stop watching counts`() async throws {
    try await CenterStand.run { stand in
      let watcher = try await stand.bus.connect(on: stand.loop)
      let name = CenterBus.name
      func wish(_ enabled: Bool) async throws {
        try await watcher.post(
          MethodCall(to: name, CenterBus.path, CenterBus.interface, "Watch", [.boolean(enabled)]))
      }
      for last in [false, true] {
        for enabled in [true, false, true, !last, last] { try await wish(enabled) }
        _ = try await stand.call("Cancel", ["test", .strings([])], as: watcher)  // behind the wishes
        try await stand.settle()
        #expect(await stand.center.listenerCount == (last ? 2 : 1))
      }
      await watcher.close()
    }
  }

  @Test func `A click without an action on a request without an app goes to the watchers, or is unhandled`()
    async throws
  {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let app: Value = .string(NotificationRequest.defaultApp)
      try await stand.notify("a", ["app": app])
      try await stand.notify("b", ["app": app])
      _ = try await stand.next(2)
      try await server.press(1, "default")
      #expect(try await stand.next(3) == ["Responded a default", "Closed a withdrawn", "Outcome done"])
      try await stand.call("Watch", [false])
      try await server.press(2, "default")
      while try await server.closed.next() != 2 {}
      guard case .array(_, let list)? = try await stand.call("History", [app, .properties([:])]).first else {
        throw TestFailure("no list")
      }
      #expect(list.first?.properties?["outcome"] == "unhandled")
    }
  }
}

extension CenterService {
  fileprivate var listenerCount: Int { listeners.count }
}
