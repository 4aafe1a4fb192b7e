// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import NotificationModel
import Synchronization
import TestSupport
import Testing

@testable import suzud

/// Tests requests that wait for the answer of their app in front.
@Suite(.timeLimit(.minutes(2)))
struct PresentingTests {
  /// An app in front that answers when the test tells it to; `asked` receives its requests.
  private final class App: Sendable {
    let connection: Connection
    let asked = Inbox<String>()
    private let held = Mutex<[String: CheckedContinuation<[String], Never>]>([:])

    init(_ stand: CenterStand) async throws {
      connection = try await stand.bus.connect(on: stand.loop)
      try await connection.export(handler { [self] title in await hold(title) }, at: "/dev/suzu/Handler")
      try await stand.call("Attach", ["test"], as: connection)
      try await stand.call("InFront", ["test", true], as: connection)
    }

    private func hold(_ title: String) async -> [String] {
      await withCheckedContinuation { continuation in
        held.withLock { $0[title] = continuation }
        asked.put(title)
      }
    }

    func answer(_ title: String, _ kinds: [String]) {
      held.withLock { $0.removeValue(forKey: title) }?.resume(returning: kinds)
    }
  }

  private static var patient: Timeouts {
    var timeouts = Timeouts()
    timeouts.presenting = .seconds(20)
    return timeouts
  }

  @Test(arguments: ["Cancel", "Dismiss"] as [MemberName])
  func `A request withdrawn while the app is asked is not shown`(member: MemberName) async throws {
    try await CenterStand.run(timeouts: Self.patient) { stand in
      let server = try await stand.server()
      let app = try await App(stand)
      try await stand.notify("a")
      #expect(try await app.asked.next() == "a")
      #expect(try await stand.property("PendingCount") == .uint32(1))
      #expect(try await stand.count(member, ["a"]) == 1)
      #expect(try await stand.next(1) == ["Closed a cancelled"])
      #expect(try await stand.property("PendingCount") == .uint32(0))
      app.answer("a", ["alert"])
      try await stand.notify("b")
      #expect(try await app.asked.next() == "b")
      app.answer("b", ["alert"])
      #expect(try await server.posted.next().summary == "b")
      #expect(try await stand.history("a").map { $0["reason"]?.string } == ["cancelled"])
    }
  }

  @Test func `The newer of two requests with one id is shown, whichever is answered first`() async throws {
    try await CenterStand.run(timeouts: Self.patient) { stand in
      let server = try await stand.server()
      let app = try await App(stand)
      try await stand.notify("a", ["title": "old"])
      #expect(try await app.asked.next() == "old")
      try await stand.notify("a", ["title": "new"])
      #expect(try await app.asked.next() == "new")
      app.answer("new", ["alert"])
      #expect(try await server.posted.next().summary == "new")
      app.answer("old", ["alert"])
      try await stand.call("InFront", ["test", false], as: app.connection)
      try await stand.notify("b")
      #expect(try await server.posted.next().summary == "b")
      #expect(try await stand.history("a").map { $0["reason"]?.string } == [nil, "replaced"])
    }
  }

  @Test func `A later request replaces the one that the app is asked about`() async throws {
    try await CenterStand.run(timeouts: Self.patient) { stand in
      let server = try await stand.server()
      let app = try await App(stand)
      try await stand.notify("a", ["title": "old"])
      #expect(try await app.asked.next() == "old")
      try await stand.notify("a", ["title": "new", "in": "1h"])
      app.answer("old", ["alert"])
      try await stand.call("InFront", ["test", false], as: app.connection)
      try await stand.notify("b")
      #expect(try await server.posted.next().summary == "b")
      #expect(try await stand.history("a").map { $0["reason"]?.string } == ["replaced"])
    }
  }
}
