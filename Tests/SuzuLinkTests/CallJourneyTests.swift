// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import TestSupport
import Testing

@testable import Links

/// Tests the whole way of a button that calls a server: the command, the real center, a click on the popup, the real
/// suzu-link, and a server on this machine.
@Suite(.onOwnThread, .timeLimit(.minutes(3)))
struct CallJourneyTests {
  private static let secret = "Bearer hush-7"

  /// The flags of a button that calls a server.
  private static func button(_ url: String, method: String = "PUT ") -> [String] {
    [
      "--action", "open=Open", "--http", "open=\(method)\(url)", "--http-header", "open=Authorization: \(secret)",
      "--http-body", #"open={"who": "{title}", "wide": true}"#,
    ]
  }

  private static func notify(_ stand: LinkStand, _ id: String, _ title: String, _ button: [String]) throws {
    let sent = try stand.session.suzu(["notify", title, "--id", id] + button)
    #expect(sent.status == 0 && sent.errors == "", "\(sent)")
  }

  /// Presses the button of the next popup.
  private static func press(_ desktop: ScriptedServer) async throws {
    let posted = try await desktop.posted.next(within: .seconds(20))
    let key = try #require(zip(posted.actions, posted.actions.dropFirst()).first { $1 == "Open" }?.0)
    try await desktop.press(posted.number, key)
  }

  @Test func `A click calls the server once, through restarts of the center, of suzu-link and of the server`()
    async throws
  {
    try await withLoop { loop in
      let stand = try LinkStand(hasCenter: true)
      let first = try stand.session.startCenter()
      #expect(try stand.session.awaitOwner(of: "dev.suzu.Center"))
      let desktop = try await ScriptedServer.start(on: stand.bus, loop)
      let away = try HTTPStand()
      away.stop()
      try Self.notify(
        stand, "door", "A \"guest\" & co", Self.button("http://127.0.0.1:\(away.port)/doors?of={id}&by={title}"))
      try await Self.press(desktop)
      try await offPool { try stand.session.wait(for: #""outcome":"waiting: network""#, in: "history", "--json") }
      // The server is away.
      let early = try stand.start()
      try await offPool {
        try stand.session.wait(for: "1 message waits to be sent: the server cannot be reached", in: "doctor")
      }
      // All are killed with the call on the disk.
      early.kill()
      first.kill()
      let server = try HTTPStand(port: away.port)
      let second = try stand.session.startCenter()
      #expect(try stand.session.awaitOwner(of: "dev.suzu.Center"))
      let link = try stand.start()
      let request = try await server.requests.next(within: .seconds(20))
      #expect(request.line == "PUT /doors?of=door&by=A%20%22guest%22%20%26%20co HTTP/1.1")
      #expect(request.headers.contains("authorization: bearer hush-7"))
      #expect(request.headers.contains("content-type: application/json"))
      #expect(request.body == #"{"who":"A \"guest\" & co","wide":true}"#)
      request.answer(204)
      try await offPool { try stand.session.wait(for: #""outcome":"done""#, in: "history", "--json") }
      // Without links and with nothing left to do it ends, also when it is started again, and calls nothing.
      #expect(link.waitForExit() == 0, "\(link.errors)")
      second.kill()
      let third = try stand.session.startCenter()
      #expect(try stand.session.awaitOwner(of: "dev.suzu.Center"))
      let last = try stand.start()
      #expect(last.waitForExit() == 0, "\(last.errors)")
      #expect(server.requests.waiting.isEmpty)
      // The secret is in no log, and in no history.
      let history = try stand.session.suzu("history", "--json").output
      #expect(history.contains("Authorization") && history.contains(#""wide":true"#), "\(history)")
      let texts = [history, try stand.session.suzu("why", "door").output, try stand.session.suzu("history").output]
      for text in texts + [early, link, last, first, second, third].map(\.errors) {
        #expect(!text.lowercased().contains("hush"), "\(text)")
      }
      for program in [early, link, last, first, second, third] { #expect(!program.errors.contains("guest")) }
      third.kill()
    }
  }

  @Test(arguments: [
    (500, "the server answered with HTTP 500"),
    (302, "the server redirects to another address (HTTP 302), which is not followed"),
  ])
  func `The user reads what the server answered, and a redirect is not followed`(status: Int, text: String) async throws
  {
    try await withLoop { loop in
      // The bus starts suzu-link when the button is pressed.
      let stand = try LinkStand(hasCenter: true, startsLink: true)
      let desktop = try await ScriptedServer.start(on: stand.bus, loop)
      let server = try HTTPStand()
      let other = try HTTPStand()
      try Self.notify(stand, "door", "Door", Self.button(server.address + "/door", method: ""))
      try await Self.press(desktop)
      let request = try await server.requests.next(within: .seconds(20))
      #expect(request.line == "POST /door HTTP/1.1")
      request.answer(status, "Location: \(other.address)/elsewhere")
      try await offPool { try stand.session.wait(for: "failed: \(text)", in: "history", "--json") }
      #expect(other.requests.waiting.isEmpty && server.requests.waiting.isEmpty)
    }
  }

  @Test(.enabled(if: RealNtfy.isPossible, "no real server of ntfy"))
  func `A message brings a button that calls a server, if the link allows its host`() async throws {
    let ntfy = try RealNtfy()
    let running = try ntfy.start()
    try await withLoop { loop in
      let stand = try LinkStand(hasCenter: true)
      let desktop = try await ScriptedServer.start(on: stand.bus, loop)
      let (allowed, other) = (try HTTPStand(), try HTTPStand())
      let added = try stand.session.suzu(
        "link", "add", "home", ntfy.address + "/tea", "--hosts", "127.0.0.1:\(allowed.port),home.example.com")
      #expect(added.status == 0 && added.errors == "", "\(added)")
      let link = try stand.startConnected()
      let words = "body='{reply} {{id}} {\"a\": 1}', headers.X-Token=hush"
      try ntfy.publish(
        "The bell",
        [
          "Title": "Bell",
          "Actions": "http, Open, \(allowed.address)/open/{id}, method=PUT, \(words); http, Theirs, \(other.address)/x",
        ])
      let posted = try await desktop.posted.next(within: .seconds(20))
      #expect(posted.actions.contains("Open") && !posted.actions.contains("Theirs"))
      let key = try #require(zip(posted.actions, posted.actions.dropFirst()).first { $1 == "Open" }?.0)
      try await desktop.press(posted.number, key)
      let request = try await allowed.requests.next(within: .seconds(20))
      // Nothing that a message brings is filled in.
      #expect(request.line == "PUT /open/%7Bid%7D HTTP/1.1" && request.headers.contains("x-token: hush"))
      #expect(request.body == #"{reply} {{id}} {"a": 1}"#)
      request.answer()
      try await offPool { try stand.session.wait(for: #""outcome":"done""#, in: "history", "--json") }
      // On the screen, snoozed or not: what the user no longer allows is not called.
      try ntfy.publish("The bell", ["Title": "Bell", "Actions": "http, Open, \(allowed.address)/again"])
      let second = try await desktop.posted.next(within: .seconds(20))
      let file = stand.folders.file(of: try LinkName("home"))
      let text = try String(contentsOfFile: file, encoding: .utf8)
      try text.replacing("127.0.0.1:\(allowed.port)", with: "other.example").write(
        toFile: file, atomically: true, encoding: .utf8)
      #expect(link.readErrors(until: "info: home: connected") != nil)
      try await desktop.press(second.number, key)
      try await offPool {
        try stand.session.wait(
          for: "failed: the link 'home' no longer allows calls of this server; see --hosts", in: "history", "--json")
      }
      #expect(other.requests.waiting.isEmpty && allowed.requests.waiting.isEmpty)
      #expect(LinkStand.stop(link) == 0 && !link.errors.contains("hush"), "\(link.errors)")
    }
    running.kill()
  }
}
