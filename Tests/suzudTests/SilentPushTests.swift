// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests silent pushes: they reach the app, and not the screen.
@Suite(.timeLimit(.minutes(2)))
struct SilentPushTests {
  private static let silent: [String: Value] = ["content-available": .int64(1)]

  /// The row of a push in the history.
  private static func row(_ id: String, _ stand: CenterStand) async throws -> [String: Value] {
    try #require(try await stand.listing("History").first { $0["id"]?.string == id })
  }

  @Test func `A silent push goes to the handler of its app, and its result is in the history`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      let app = try await PushedApp.attached(stand)
      for problem in [nil, "no network"] {
        let id = try await stand.push(Self.silent, ["page": .int64(7)])
        let arrival = try await app.arrivals.next()
        #expect(arrival.id == id && arrival.action == "content-available" && arrival.details["page"] == .int64(7))
        #expect(try await stand.next(2) == ["Closed \(id) silent push", "Responded \(id) content-available"])
        try await app.complete(arrival.number, stand, problem.map { ["error": .string($0)] } ?? [:])
        let outcome = problem.map { "failed: \($0)" } ?? "done"
        #expect(try await stand.next(1) == ["Outcome \(outcome)"])
        let row = try await Self.row(id, stand)
        #expect(row["state"] == "closed" && row["reason"] == "silent push" && row["outcome"] == .string(outcome))
      }
      #expect(server.posted.waiting.isEmpty)
      #expect(await stand.center.pushesUnderWay == 0)
    }
  }

  @Test func `A handler that does not finish has failed after its time`() async throws {
    var timeouts = Timeouts.usual
    timeouts.completion = .milliseconds(50)
    try await CenterStand.run(timeouts: timeouts) { stand in
      let app = try await PushedApp.attached(stand)
      let id = try await stand.push(Self.silent)
      _ = try await app.arrivals.next()
      let outcome = try await stand.events.next { $0.hasPrefix("Outcome") }
      #expect(outcome.hasPrefix("Outcome failed: the app did not say within"))
      #expect(try await Self.row(id, stand)["outcome"]?.string?.hasPrefix("failed: ") == true)
    }
  }

  @Test func `Without a handler the bus starts the app`() async throws {
    let started = Inbox<String>()
    var desktop = Desktop.unlocked
    desktop.apps.isActivatable = { $0 == "test" }
    desktop.apps.activate = { app, action, response, _ in
      started.put("\(app) \(action) \(response.userInfo["page"] ?? .flag(false))")
      return .done
    }
    try await CenterStand.run(desktop: desktop) { stand in
      let id = try await stand.push(Self.silent, ["page": .int64(7)])
      #expect(try await started.next() == "test content-available integer(7)")
      #expect(
        try await stand.next(3) == [
          "Closed \(id) silent push", "Responded \(id) content-available", "Outcome done",
        ])
      #expect(try await Self.row(id, stand)["outcome"] == "done")
    }
  }

  @Test func `A silent push waits for its app across a restart of the center, and is given once`() async throws {
    let home = try TemporaryFolder()
    try await CenterStand.run(home: home) { stand in
      try await stand.push(Self.silent, ["page": .int64(7)], options: ["id": "m"])
      _ = try await stand.events.next { $0 == "Outcome waiting: app" }
    }
    try await CenterStand.run(home: home) { stand in
      let app = try await PushedApp.attached(stand)
      let arrival = try await app.arrivals.next()
      #expect(arrival.action == "content-available" && arrival.details["page"] == .int64(7))
      try await app.complete(arrival.number, stand)
      #expect(try await stand.next(1) == ["Outcome done"])
      try await stand.push(Self.silent, options: ["id": "m"])
    }
    try await CenterStand.run(home: home) { stand in
      let server = try await stand.server()
      let app = try await PushedApp.attached(stand)
      try await stand.settle()
      #expect(app.arrivals.waiting.isEmpty && server.posted.waiting.isEmpty)
    }
  }

  @Test func `A push with a number only changes the badge`() async throws {
    let badges = Inbox<String>()
    var desktop = Desktop.unlocked
    desktop.signs.setBadge = { badges.put("\($0) \($1)") }
    try await CenterStand.run(desktop: desktop) { stand in
      let server = try await stand.server()
      let app = try await PushedApp.attached(stand)
      let id = try await stand.push(["badge": .int64(4)])
      #expect(try await badges.next() == "test 4")
      #expect(try await stand.next(1) == ["Closed \(id) silent push"])
      // A silent one may have a number, too.
      try await stand.push(["badge": .int64(0), "content-available": true])
      #expect(try await badges.next() == "test 0")
      _ = try await app.arrivals.next()
      #expect(server.posted.waiting.isEmpty && app.arrivals.waiting.isEmpty)
    }
  }
}

extension CenterService {
  /// How many deliveries have begun and not ended.
  fileprivate var pushesUnderWay: Int { screenSide.ends.underWay.count }
}
