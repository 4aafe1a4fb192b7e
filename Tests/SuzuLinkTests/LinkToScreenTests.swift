// SPDX-License-Identifier: Apache-2.0
import EventLoop
import TestSupport
import Testing

@testable import Links

/// Tests the whole way of a message: a real server, the link, the real center, and a click on the popup.
@Suite(.onOwnThread, .timeLimit(.minutes(2)))
struct LinkToScreenTests {
  /// Sets up a link to the server, and a category for its messages whose button writes to the witness.
  private static func setUp(_ stand: LinkStand, server: String) throws -> RunningProgram {
    let witness = try stand.session.witness()
    let run = "again=sh -c 'echo pressed >\(stand.session.folder.path("witness"))'"
    let category = try stand.session.suzu(
      "category", "set", "backup", "--app", "org.example.Tea", "--action", "again=Again", "--run", run)
    #expect(category.status == 0, "\(category.errors)")
    try stand.write(server: server, #""category": "backup""#)
    return witness
  }

  /// Presses the button of that category, and waits until its command has run.
  private static func pressAgain(
    _ posted: ScriptedServer.Posted, _ desktop: ScriptedServer, _ witness: RunningProgram
  ) async throws {
    let key = try #require(zip(posted.actions, posted.actions.dropFirst()).first { $1 == "Again" }?.0)
    try await desktop.press(1, key)
    let line = try await offPool { witness.readLine(within: 15) }
    #expect(line == "pressed")
  }

  @Test(.enabled(if: RealNtfy.isPossible, "no real server of ntfy"), arguments: ["curl", "apprise"])
  func `A message becomes a popup with a button of this machine, whose command runs here`(sender: String) async throws {
    let ntfy = try RealNtfy()
    let server = try ntfy.start()
    try await withLoop { loop in
      let stand = try LinkStand(hasCenter: true)
      let desktop = try await ScriptedServer.start(on: stand.bus, loop)
      let witness = try Self.setUp(stand, server: ntfy.address)
      let link = try stand.startConnected()
      if sender == "curl" {
        try ntfy.publish("The backup <b>failed</b>", ["Title": "Backup"])
      } else {
        try ntfy.publish(withApprise: "The backup <b>failed</b>", title: "Backup")
      }
      let posted = try await desktop.posted.next(within: .seconds(15))
      #expect(posted.summary == "Backup" && posted.body.contains("failed") && posted.actions.contains("Again"))
      try await Self.pressAgain(posted, desktop, witness)
      let history = try stand.session.suzu("history", "--app", "org.example.Tea", "--json")
      #expect(history.output.contains(#""outcome":"done""#), "\(history.output)")
      #expect(LinkStand.stop(link) == 0, "\(link.errors)")
    }
    server.kill()
  }

  @Test(.enabled(if: WebPushSender.isPossible, "no packages of PyPI"))
  func `A message of Web Push becomes a popup, once, and its button runs what this machine says`() async throws {
    try await withLoop { loop in
      let stand = try LinkStand(hasCenter: true)
      let desktop = try await ScriptedServer.start(on: stand.bus, loop)
      let witness = try stand.session.witness()
      let run = "again=sh -c 'echo pressed >\(stand.session.folder.path("witness"))'"
      let category = try stand.session.suzu(
        "category", "set", "backup", "--app", "org.example.Tea", "--action", "again=Again", "--run", run)
      #expect(category.status == 0, "\(category.errors)")
      // The push server, whose messages the distributor gets.
      let server = try HTTPStand()
      let distributor = try await ScriptedDistributor.start(on: stand.bus, loop) { _ in
        .endpoint(server.address + "/up/secret")
      }
      let added = try stand.session.suzu(
        "link", "add", "home", "--unifiedpush", "--app", "org.example.Tea", "--category", "backup", "--format", "apns")
      #expect(added.status == 0, "\(added)")
      let link = try stand.startConnected()
      let registration = try await distributor.registrations.next()
      try await stand.state(on: loop) { $0.endpoint != nil }
      let subscription = try stand.session.suzu("link", "show", "home").output
      let sending = Task.detached {
        try WebPushSender.post(
          #"{"aps": {"alert": {"title": "Backup", "body": "It <b>failed</b>"}}}"#, to: subscription,
          key: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
      }
      let request = try await server.requests.next(within: .seconds(20))
      #expect(request.line == "POST /up/secret HTTP/1.1" && request.headers.contains("content-encoding: aes128gcm"))
      #expect(request.headers.contains { $0.hasPrefix("authorization: vapid t=") }, "\(request.headers)")
      request.answer(201)
      try await sending.value
      // Twice, as a distributor does that has not got the first answer.
      for _ in 0..<2 {
        #expect(try await distributor.deliver(request.bytes, to: registration, id: "m1") == "m1")
      }
      let posted = try await desktop.posted.next(within: .seconds(15))
      #expect(posted.summary == "Backup" && posted.body.contains("failed") && posted.actions.contains("Again"))
      let key = try #require(zip(posted.actions, posted.actions.dropFirst()).first { $1 == "Again" }?.0)
      try await desktop.press(1, key)
      let line = try await offPool { witness.readLine(within: 15) }
      #expect(line == "pressed")
      let history = try stand.session.suzu("history", "--app", "org.example.Tea", "--json")
      #expect(history.output.contains(#""outcome":"done""#), "\(history.output)")
      #expect(desktop.posted.waiting.isEmpty && LinkStand.stop(link) == 0, "\(link.errors)")
    }
  }

  @Test(.enabled(if: RealNtfy.isPossible, "no real server of ntfy"))
  func `Two links that bring the same message show it once`() async throws {
    let (ntfy, mosquitto) = (try RealNtfy(), try RealMosquitto())
    let servers = [try ntfy.start(), try mosquitto.start()]
    try await withLoop { loop in
      let stand = try LinkStand(hasCenter: true)
      let desktop = try await ScriptedServer.start(on: stand.bus, loop)
      for (name, server) in [
        ("home", ntfy.address), ("second", ntfy.address), ("third", mosquitto.address), ("fourth", mosquitto.address),
      ] {
        try stand.write(name, server: server)
      }
      let link = try stand.start()
      for name in ["home", "second", "third", "fourth"] {
        try await stand.state(of: name, on: loop) { $0.phase == .connected }
      }
      for round in 1...5 {
        // One that comes over ntfy and over MQTT has the same id in both.
        let sent = try ntfy.publish("n\(round)", ["Title": "Same"])
        let id = try #require(sent.firstMatch(of: /"id":"([A-Za-z0-9]+)"/)).1
        try mosquitto.publish("n\(round)", words: [("title", "Same"), ("id", String(id))])
        let posted = try await desktop.posted.next(within: .seconds(15))
        #expect(posted.summary == "Same" && posted.body == "n\(round)")
      }
      for name in ["home", "second", "third", "fourth"] {
        try await stand.state(of: name, on: loop) { $0.count == 5 }
      }
      #expect(desktop.posted.waiting.isEmpty && LinkStand.stop(link) == 0, "\(link.errors)")
    }
    for server in servers { server.kill() }
  }

  @Test func `A message of MQTT becomes a popup, once, and an empty one takes its topic's down`() async throws {
    let mosquitto = try RealMosquitto()
    let server = try mosquitto.start()
    try await withLoop { loop in
      let stand = try LinkStand(hasCenter: true)
      let desktop = try await ScriptedServer.start(on: stand.bus, loop)
      let witness = try Self.setUp(stand, server: mosquitto.address)
      let link = try stand.startConnected()
      // Twice, as a sender does that has not heard of the first.
      for _ in 0..<2 {
        try mosquitto.publish("The backup <b>failed</b>", words: [("title", "Backup"), ("id", "b1")])
      }
      try mosquitto.publish("The disk is full", "-r", words: [("title", "Disk")])
      let posted = try await desktop.posted.next(within: .seconds(15))
      #expect(posted.summary == "Backup" && posted.body.contains("failed") && posted.actions.contains("Again"))
      #expect(try await desktop.posted.next(within: .seconds(15)).summary == "Disk")
      try await Self.pressAgain(posted, desktop, witness)
      try mosquitto.publish(["-n", "-r"])
      _ = try await desktop.closed.next(within: .seconds(15)) { $0 == 2 }
      #expect(LinkStand.stop(link) == 0, "\(link.errors)")
    }
    server.kill()
  }
}
