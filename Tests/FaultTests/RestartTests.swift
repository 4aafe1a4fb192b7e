// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Glibc
import TestSupport
import Testing

/// Tests a center that ends while notifications are on the screen, and its successor.
@Suite(.timeLimit(.minutes(10)))
struct RestartTests {
  private func stop(_ center: RunningProgram, _ stand: FaultStand, isKilled: Bool) async throws {
    if isKilled { try await stand.kill(center) } else { try await stand.end(center) }
  }

  /// Starts a center and waits until it has queried the server: earlier signals of the server are ignored.
  private func startWatched(_ stand: FaultStand) async throws -> RunningProgram {
    let (center, _) = try await stand.startReady()
    try await stand.watch()
    try await stand.awaitServer()
    return center
  }

  /// Shows a banner and an alert, with a button each, and waits until both are recorded.
  private func show(_ stand: FaultStand, _ server: ScriptedServer) async throws -> (banner: UInt32, alert: UInt32) {
    try await stand.watch()
    try await stand.notify("banner", ["actions": stand.button()])
    try await stand.notify("alert", ["actions": stand.button(), "style": "alert"])
    let posted = try await server.posted.next(2)
    for _ in 0..<2 { _ = try await stand.events.next { $0.hasPrefix("Delivered") } }
    // The answer comes from the store, which contains all reported events.
    #expect(try await stand.list("Delivered").count == 2)
    return (posted[0].number, posted[1].number)
  }

  /// Clicks twice: the center handles both before it answers later calls, and only the first one counts.
  private func click(_ stand: FaultStand, _ server: ScriptedServer, _ number: UInt32, _ id: String) async throws {
    for _ in 0..<2 { try await server.press(number, "go") }
    #expect(try await stand.events.next { $0.hasPrefix("Responded") } == "Responded \(id) go")
    _ = try await stand.events.next { $0 == "Outcome done" }
    try await server.press(number, "go")
    try await server.press(number, "default")
    try await server.reach(FaultStand.name)
    _ = try await stand.list("Delivered")
    #expect(!stand.events.waiting.contains { $0.hasPrefix("Responded") })
    #expect(stand.acted.filter { $0 == id } == [id])
  }

  @Test(arguments: [true, false])
  func `An action that a kill interrupted runs again only if it says so`(retries: Bool) async throws {
    try await FaultStand.run { stand in
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop)
      let center = try await startWatched(stand)
      let (pipe, mark) = (stand.bus.folder.path("runs"), stand.bus.folder.path("mark"))
      mkfifo(pipe, 0o600)
      let runs = try RunningProgram("/bin/sh", ["-c", "exec cat <>\"$0\"", pipe], environment: [:])
      // The first run lasts as long as the center.
      let script = """
        [ -e "$1" ] || { : >"$1"; echo first >"$0"; exec tail --pid=$PPID -f /dev/null; }; echo second >"$0"
        """
      let go: [String: Value] = [
        "id": "go", "title": "Go", "run": .strings(["/bin/sh", "-c", script, pipe, mark]), "retry": .boolean(retries),
      ]
      try await stand.notify("a", ["actions": .array(of: .properties, [.properties(go)])])
      let number = try await server.posted.next().number
      _ = try await stand.events.next { $0.hasPrefix("Delivered") }
      try await server.press(number, "go")
      #expect(try await runs.line() == "first")
      try await stand.kill(center)
      let second = try await startWatched(stand)
      if retries { #expect(try await runs.line() == "second") }
      // The outcome may be stored before or after the watch began.
      if try await stand.list("History").first?["outcome"] != (retries ? "done" : "failed: interrupted") {
        _ = try await stand.events.next { $0.hasPrefix("Outcome") }
      }
      #expect(try await stand.list("History").first?["outcome"] == (retries ? "done" : "failed: interrupted"))
      try await stand.end(second)
      runs.kill()
    }
  }

  // Once, the newest was overwritten by a second copy of an older one.
  @Test(arguments: [true, false])
  func `Each date of a repetition is on the screen once after a restart`(isKilled: Bool) async throws {
    try await FaultStand.run { stand in
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop)
      let (center, _) = try await stand.startReady()
      try await stand.watch()
      try await stand.notify("a", ["every": "1s", "count": .int64(3), "missed": "each", "style": "alert"])
      let posted = try await server.posted.next(3)
      #expect(posted.map(\.replaces) == [0, 0, 0])
      for _ in 0..<3 { _ = try await stand.events.next { $0.hasPrefix("Delivered") } }
      #expect(try await stand.list("Delivered").count == 3)
      try await stop(center, stand, isKilled: isKilled)
      let second = try await startWatched(stand)
      let again = try await server.posted.next(3)
      #expect(Set(again.map(\.replaces)) == Set(posted.map(\.number)))
      // The new center may have shown them before the watcher was there.
      try await stand.notify("end")
      #expect(try await server.posted.next().summary == "end")
      _ = try await stand.events.next { $0.hasPrefix("Delivered end") }
      #expect(try await stand.list("Delivered").count == 4)
      #expect(second.isRunning)
    }
  }

  @Test(arguments: [true, false])
  func `A restart of the center leaves banners and replaces alerts on the same server`(isKilled: Bool) async throws {
    try await FaultStand.run { stand in
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop)
      let (center, _) = try await stand.startReady()
      let (banner, alert) = try await show(stand, server)
      try await stop(center, stand, isKilled: isKilled)
      let again = try await startWatched(stand)
      let reshown = try await server.posted.next()
      // It was once shown twice.
      #expect(reshown.summary == "alert" && reshown.replaces == alert)
      #expect(reshown.hints["suppress-sound"] == true)
      try await click(stand, server, banner, "banner")
      try await click(stand, server, alert, "alert")
      try await stand.notify("end")
      #expect(try await server.posted.next().summary == "end")
      #expect(stand.acted.count == 2)
      try await stand.end(again)
      print("faults: center \(isKilled ? "killed" : "ended") under a banner and an alert: 2 clicks after it, 2 done")
    }
  }

  @Test func `An alert answered while it is shown again counts as answered`() async throws {
    try await FaultStand.run { stand in
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop)
      let (center, _) = try await stand.startReady()
      let (_, alert) = try await show(stand, server)
      try await stand.kill(center)
      await server.follow { _ in .hold }
      let again = try await startWatched(stand)
      let reshown = try await server.posted.next()
      #expect(reshown.summary == "alert" && reshown.replaces == alert)
      try await server.press(alert, "go")
      #expect(try await stand.events.next { $0.hasPrefix("Responded") } == "Responded alert go")
      _ = try await stand.events.next { $0 == "Outcome done" }
      // Some servers return another number.
      await server.release(.exactly(77))
      #expect(try await server.closed.next() == alert)
      #expect(try await server.closed.next() == 77)
      for number in [alert, 77] { try await server.press(number, "go") }
      try await server.reach(FaultStand.name)
      _ = try await stand.list("Delivered")
      #expect(!stand.events.waiting.contains { $0.hasPrefix("Responded") })
      #expect(stand.acted == ["alert"])
      try await stand.end(again)
    }
  }

  @Test(arguments: [true, false])
  func `A click from a server's history counts once after a restart`(isKilled: Bool) async throws {
    try await FaultStand.run { stand in
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop)
      var (center, _) = try await stand.startReady()
      let (banner, alert) = try await show(stand, server)
      try await server.tellClosed(banner, reason: 1)
      #expect(try await stand.events.next { $0.hasPrefix("Closed") } == "Closed banner expired")
      try await server.tellClosed(alert, reason: 2)
      #expect(try await stand.events.next { $0.hasPrefix("Closed") } == "Closed alert dismissed")
      #expect(try await stand.list("Delivered").isEmpty)
      try await stop(center, stand, isKilled: isKilled)
      center = try await startWatched(stand)
      try await click(stand, server, banner, "banner")
      // After one more restart, the answered ones stay answered.
      try await stop(center, stand, isKilled: isKilled)
      center = try await startWatched(stand)
      try await server.press(banner, "go")
      try await click(stand, server, alert, "alert")
      #expect(stand.acted == ["banner", "alert"])
      try await stand.notify("end")
      #expect(try await server.posted.next().summary == "end")
      try await stand.end(center)
      print("faults: center \(isKilled ? "killed" : "ended") after both were closed: 2 late clicks, 2 done, once each")
    }
  }

  @Test(arguments: [true, false])
  func `On a restarted server alerts come back and old numbers are void`(
    isKilled: Bool
  ) async throws {
    try await FaultStand.run { stand in
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop)
      let (center, _) = try await stand.startReady()
      let (banner, alert) = try await show(stand, server)
      try await stop(center, stand, isKilled: isKilled)
      await server.die()
      // This server starts at another number, and does not know the old ones.
      let next = try await ScriptedServer.start(on: stand.bus, stand.loop, firstNumber: 100)
      let again = try await startWatched(stand)
      let reshown = try await next.posted.next()
      #expect(reshown.summary == "alert" && reshown.replaces == 0)
      #expect(reshown.hints["suppress-sound"] == true)
      try await next.press(banner, "go")
      try await next.press(alert, "go")
      try await click(stand, next, reshown.number, "alert")
      try await stand.notify("end")
      #expect(try await next.posted.next().summary == "end")
      #expect(stand.acted == ["alert"])
      let rows = try await stand.list("History").filter { $0["id"]?.string == "banner" }
      #expect(rows.map { $0["reason"]?.string } == ["vanished"])
      try await stand.end(again)
      print("faults: center \(isKilled ? "killed" : "ended") and server restarted: the alert is back, 0 wrong clicks")
    }
  }

  @Test func `An interrupted action is reported as interrupted, and not run again`() async throws {
    try await FaultStand.run { stand in
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop)
      var (center, _) = try await stand.startReady()
      let path = stand.bus.folder.path("acted")
      // The program records its start, and then waits for ever.
      let words = ["/bin/sh", "-c", "echo \"$SUZU_ID\" >>'\(path)'; exec cat <>'\(path).never'"]
      _ = try RunningProgram.run("mkfifo", [path + ".never", path + ".begun"], environment: stand.bus.environment)
      let slow: Value = .array(
        of: .properties,
        [
          .properties([
            "id": "go", "title": "Go",
            "run": .strings([words[0], words[1], "echo begun >'\(path).begun'; " + words[2]]),
          ])
        ])
      let begun = try RunningProgram("cat", [path + ".begun"], environment: stand.bus.environment)
      try await stand.notify("slow", ["actions": slow])
      try await server.press(try await server.posted.next().number, "go")
      #expect(begun.readLine() == "begun")
      try await stand.kill(center)
      (center, _) = try await stand.startReady()
      let row = try #require(try await stand.list("History").first)
      #expect(row["outcome"] == "failed: interrupted" && row["action"] == "go")
      try await server.press(1, "go")
      #expect(try await stand.list("History").count == 1)
      #expect(stand.acted == ["slow"] || stand.acted == [])
      try await stand.end(center)
    }
  }
}
