// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import NotificationModel
import Scheduling
import TestSupport
import Testing

@testable import suzud

/// Tests all ends of a request with the real center and the real command.
@Suite(.timeLimit(.minutes(2)))
struct EndsTests {
  private static var brief: Timeouts {
    var timeouts = Timeouts()
    timeouts.pauses.first = .milliseconds(5)
    timeouts.pauses.longest = .milliseconds(20)
    return timeouts
  }

  /// The entry in the history, and the output of a script that waits.
  private struct Expected {
    var state = "closed"
    var reason: String?
    var status: Int32 = 1
    var isSilent = false
  }

  private static func expected(_ end: RequestEnd) -> Expected {
    switch end {
    case .expired, .dismissed: Expected(reason: end.rawValue, isSilent: true)
    case .acknowledged, .withdrawn, .vanished, .unknown, .replaced, .cancelled, .muted, .presented, .silent, .lapsed:
      Expected(reason: end.rawValue)
    case .folded: Expected(state: "folded", reason: "folded")
    case .notAllowed: Expected(reason: "not allowed", status: 77)
    case .skipped: Expected(state: "skipped")
    case .late: Expected(state: "expired")
    case .failed: Expected(state: "failed", reason: "org.freedesktop.DBus.Error.Failed", status: 69)
    }
  }

  /// Starts a script that waits for the answer to `x`; returns once the request is stored.
  private static func wait(_ stand: CenterStand, _ flags: String...) async throws -> RunningProgram {
    let script = try RunningProgram(
      Session.programs + "/suzu",
      ["notify", "x", "--app", "test", "--id", "x", "--print-id", "--wait"] + flags,
      environment: stand.bus.environment)
    guard try await script.line() == "x" else { throw TestFailure("not taken: \(script.errors)") }
    return script
  }

  /// Makes a request with a script that waits for it, and ends it in the given way.
  private static func bringAbout(
    _ end: RequestEnd, _ stand: CenterStand, _ server: ScriptedServer
  ) async throws -> RunningProgram {
    func shown() async throws -> RunningProgram {
      let script = try await wait(stand)
      _ = try await stand.events.next { $0 == "Delivered x" }
      return script
    }
    switch end {
    case .expired, .dismissed, .unknown:
      let script = try await shown()
      try await server.tellClosed(1, reason: end == .expired ? 1 : end == .dismissed ? 2 : 4)
      return script
    case .acknowledged:
      let script = try await shown()
      #expect(try await stand.count("Acknowledge", ["x"]) == 1)
      return script
    case .withdrawn:
      let script = try await shown()
      #expect(try await stand.count("Dismiss", ["x"]) == 1)
      return script
    case .vanished:
      let script = try await shown()
      await server.die()
      return script
    case .replaced:
      let script = try await shown()
      try await stand.notify("x", ["title": "newer"])
      return script
    case .cancelled:
      let script = try await wait(stand, "--in", "1h")
      #expect(try await stand.count("Cancel", ["x"]) == 1)
      return script
    case .folded:
      try await stand.notify("first")
      _ = try await stand.events.next { $0 == "Delivered first" }
      return try await wait(stand)
    case .notAllowed:
      try await stand.call("Allow", ["test", .strings([])])
      return try await wait(stand)
    case .muted:
      try await stand.call("Mute", ["test", "x", .int64(4_000_000_000)])
      return try await wait(stand)
    case .presented:
      try await stand.client.export(handler { _ in [] }, at: "/dev/suzu/Handler")
      try await stand.call("Attach", ["test"])
      try await stand.call("InFront", ["test", true])
      return try await wait(stand)
    case .skipped, .late:
      let script = try await wait(stand, "--in", "1h", end == .skipped ? "--missed=skip" : "--grace=1m")
      try await stand.center.passTime(hours: 2)
      return script
    case .silent, .lapsed: throw TestFailure("PushesTests brings it about")
    case .failed:
      await server.follow { $0.summary == "x" ? .refuse(.failed, "no") : .number }
      return try await wait(stand)
    }
  }

  // No script waits for the answer to a push, so those ends have tests of their own: PushesTests.
  @Test(arguments: RequestEnd.allCases.filter { $0 != .silent && $0 != .lapsed })
  func `Every end is announced once, stands in the history, and ends the wait for an answer`(end: RequestEnd)
    async throws
  {
    try await CenterStand.run(timeouts: Self.brief, burst: end == .folded ? 1 : 0) { stand in
      let server = try await stand.server()
      let script = try await Self.bringAbout(end, stand, server)
      let expected = Self.expected(end)
      #expect(try await script.exit() == expected.status)
      #expect(script.errors.isEmpty == expected.isSilent, "\(script.errors)")
      #expect(script.errors.filter { $0 == "\n" }.count <= 1)
      let told = try await stand.events.next { $0.hasPrefix("Closed x") }
      #expect(told == "Closed x \(end.rawValue)")
      try await stand.settle()
      #expect(stand.events.waiting.filter { $0.hasPrefix("Closed x") } == [])
      let rows = try await stand.history("x")
      #expect(rows.last?["state"]?.string == expected.state)
      #expect(rows.last?["reason"]?.string == expected.reason)
      #expect(rows.count == (end == .replaced ? 2 : 1))
      let shown = try await stand.call("Delivered", ["", .properties([:])]).first?.elements?.count
      #expect(await stand.center.underWay == shown)
    }
  }

  // `dismiss` returned 0 for what had expired, and its end became 'withdrawn'.
  @Test(arguments: [false, true])
  func `Dismissing what has expired changes no end, and counts only what a server has kept`(keeps: Bool) async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server(capabilities: ["actions", "body"] + (keeps ? ["persistence"] : []))
      func dismiss(_ words: String...) async throws -> (status: Int32, output: String, errors: String) {
        let environment = stand.bus.environment
        return try await offPool {
          try RunningProgram.run(
            Session.programs + "/suzu", ["dismiss", "--app", "test"] + words, environment: environment)
        }
      }
      for id in ["x", "y"] {
        try await stand.notify(id)
        let posted = try await server.posted.next()
        _ = try await stand.events.next { $0 == "Delivered \(id)" }
        try await server.tellClosed(posted.number, reason: 1)
        _ = try await stand.events.next { $0 == "Closed \(id) expired" }
      }
      let first = try await dismiss("x")
      #expect(first.status == (keeps ? 0 : 65), "\(first.errors)")
      #expect(first.errors.contains("no notification on the screen is called 'x'") == !keeps)
      #expect(try await dismiss("x").status == 65)
      #expect(try await dismiss("--all").output == (keeps ? "1\n" : "0\n"))
      #expect(try await dismiss("--all").output == "0\n")
      for id in ["x", "y"] {
        let row = try await stand.history(id).first
        #expect(row?["state"]?.string == "closed" && row?["reason"]?.string == "expired")
      }
      #expect(stand.events.waiting == [])
    }
  }

  @Test func `A pending request is replaced, and its waiting caller hears of it`() async throws {
    try await CenterStand.run { stand in
      let script = try await Self.wait(stand, "--in", "1h")
      // It gets the event of the request that replaces its own, and not of the one that its own replaced.
      let second = try await Self.wait(stand, "--in", "2h")
      #expect(try await script.exit() == 1)
      #expect(script.errors == "suzu: notify: a newer notification with the same id replaced it\n")
      #expect(try await stand.events.next() == "Closed x replaced")
      #expect(try await stand.history("x").map { $0["reason"]?.string } == ["replaced"])
      #expect(second.isRunning)
      #expect(try await stand.count("Cancel", []) == 1)
      #expect(try await second.exit() == 1)
      #expect(second.errors == "suzu: notify: the notification was cancelled\n")
    }
  }

  @Test func `A caller that waits for a newer request ignores the end of the older one`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("x", ["title": "old"])
      _ = try await stand.events.next { $0 == "Delivered x" }
      let script = try await Self.wait(stand)
      #expect(try await stand.next(2) == ["Closed x replaced", "Delivered x"])
      try await server.tellClosed(1, reason: 1)
      #expect(try await script.exit() == 1)
      #expect(script.errors == "")
      // A dismissal while the newer request waits for its time is the end of the older one.
      try await stand.notify("x", ["title": "old"])
      _ = try await stand.events.next { $0 == "Delivered x" }
      let later = try await Self.wait(stand, "--in", "1h")
      try await server.tellClosed(2, reason: 2)
      _ = try await stand.events.next { $0 == "Closed x dismissed" }
      try await stand.center.passTime(hours: 2)
      _ = try await stand.events.next { $0 == "Delivered x" }
      #expect(later.isRunning)
      try await server.tellClosed(3, reason: 1)
      #expect(try await later.exit() == 1)
    }
  }

  @Test func `A request that is cancelled while the server is asked ends once`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server { _ in .hold }
      let script = try await Self.wait(stand)
      _ = try await server.posted.next()
      #expect(try await stand.count("Cancel", ["x"]) == 1)
      #expect(try await script.exit() == 1)
      await server.release()
      #expect(try await server.closed.next() == 1)
      try await stand.settle()
      #expect(stand.events.waiting == ["Closed x cancelled"])
      #expect(try await stand.history("x").map { $0["reason"]?.string } == ["cancelled"])
    }
  }

  // It once had no end, and came back after a restart.
  @Test func `A request ends whose newer one is replaced as well while the server is asked`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server { _ in .hold }
      try await stand.notify("x")
      _ = try await server.posted.next()
      try await stand.notify("x", ["title": "newer"])
      try await stand.notify("x", ["in": "1h"])
      await server.release()
      #expect(try await server.closed.next() == 1)
      try await stand.settle()
      #expect(try await stand.history("x").map { $0["reason"]?.string } == ["replaced", "replaced"])
    }
  }

  // The oldest one once counted as shown, though the server showed the texts of the second: a click ran the action of the
  // oldest, and it came back after a restart.
  @Test func `Three requests with one id end if a fourth replaces them while the server is asked`() async throws {
    try await CenterStand.run { stand in
      let server = try await stand.server()
      try await stand.notify("x", ["title": "old"])
      _ = try await stand.events.next { $0 == "Delivered x" }
      await server.follow { _ in .hold }
      try await stand.notify("x", ["title": "new"])
      _ = try await server.posted.next { $0.summary == "new" }
      try await stand.notify("x", ["title": "newer"])
      try await stand.notify("x", ["in": "1h"])
      await server.release()
      #expect(try await server.closed.next() == 1)
      try await stand.settle()
      #expect(try await stand.history("x").map { $0["reason"]?.string } == ["replaced", "replaced", "replaced"])
    }
  }

  // Five of 25 scripts once waited for ever.
  @Test func `None of 25 waiting scripts waits for a request that the digest stands for`() async throws {
    try await CenterStand.run(burst: 20) { stand in
      let server = try await stand.server { _ in .number }
      var scripts: [RunningProgram] = []
      for number in 0..<25 {
        scripts.append(
          try RunningProgram(
            Session.programs + "/suzu", ["notify", "n\(number)", "--app", "test", "--wait"],
            environment: stand.bus.environment))
      }
      for _ in 0..<20 {
        let posted = try await server.posted.next { $0.summary.hasPrefix("n") }
        try await server.tellClosed(posted.number, reason: 2)
      }
      for script in scripts { #expect(try await script.exit() == 1) }
      #expect(scripts.count { $0.errors.contains("this one is part of a digest") } == 5)
    }
  }

  @Test func `The end of the server ends a request that was about to be replaced`() async throws {
    try await CenterStand.run(timeouts: Self.brief) { stand in
      let server = try await stand.server()
      try await stand.notify("x", ["style": "alert"])
      _ = try await stand.events.next { $0 == "Delivered x" }
      await server.follow { _ in .hold }
      try await stand.notify("x", ["title": "newer"])
      _ = try await server.posted.next(2)
      await server.die()
      #expect(try await stand.next(1) == ["Closed x vanished"])
      #expect(try await stand.history("x").map { $0["state"]?.string } == ["due", "closed"])
    }
  }
}

extension CenterStand {
  /// The rows of a request in the history, the newest first.
  func history(_ id: String) async throws -> [[String: Value]] {
    let rows = try await call("History", ["", .properties([:])]).first?.elements ?? []
    return rows.compactMap(\.properties).filter { $0["id"]?.string?.isIdentical(to: id) == true }
  }
}

/// An app's handler that answers `WillPresent`.
func handler(_ answer: @escaping @Sendable (String) async -> [String]) -> Interface {
  Interface(
    "dev.suzu.Handler1",
    methods: [
      Method("WillPresent", in: ["app": "s", "id": "s", "request": "a{sv}"], out: ["options": "as"]) { call in
        [.strings(await answer(call.arguments[2].properties?["title"]?.string ?? ""))]
      }
    ])
}

extension CenterService {
  /// How many deliveries have begun and not ended.
  fileprivate var underWay: Int { screenSide.ends.underWay.count }

  /// Advances the elapsed time without changing the wall clock.
  func passTime(hours: Int64) throws {
    let agenda = around.agenda
    agenda.journal.flush()
    try agenda.store.withNeededTransaction { () throws(StoreError) in
      _ = try agenda.store.moveElapsed(by: -hours * 3_600_000, through: agenda.store.lastRevision)
    }
    agenda.scheduler.rearm()
  }
}
