// SPDX-License-Identifier: Apache-2.0
import EventLoop
import TestSupport
import Testing

/// Tests the whole way of a message: a real server of ntfy, the link, the real center, and a click on the popup.
@Suite(.onOwnThread, .timeLimit(.minutes(2)), .enabled(if: RealNtfy.isPossible, "no real server of ntfy"))
struct LinkToScreenTests {
  @Test func `A message becomes a popup with a button of this machine, whose command runs here`() async throws {
    let ntfy = try RealNtfy()
    let server = try ntfy.start()
    try await withLoop { loop in
      let stand = try LinkStand(hasCenter: true)
      let desktop = try await ScriptedServer.start(on: stand.bus, loop)
      let witness = try stand.session.witness()
      let run = "again=sh -c 'echo pressed >\(stand.session.folder.path("witness"))'"
      let category = try stand.session.suzu(
        "category", "set", "backup", "--app", "org.example.Tea", "--action", "again=Again", "--run", run)
      #expect(category.status == 0, "\(category.errors)")
      try stand.write(server: ntfy.address, #""category": "backup""#)
      let link = try stand.startConnected()
      try ntfy.publish("The backup <b>failed</b>", ["Title": "Backup"])
      let posted = try await desktop.posted.next(within: .seconds(15))
      #expect(posted.summary == "Backup" && posted.body.contains("failed") && posted.actions.contains("Again"))
      let key = try #require(zip(posted.actions, posted.actions.dropFirst()).first { $1 == "Again" }?.0)
      try await desktop.press(1, key)
      let line = try await offPool { witness.readLine(within: 15) }
      #expect(line == "pressed")
      let history = try stand.session.suzu("history", "--app", "org.example.Tea", "--json")
      #expect(history.output.contains(#""outcome":"done""#), "\(history.output)")
      #expect(LinkStand.stop(link) == 0, "\(link.errors)")
    }
    server.kill()
  }
}
