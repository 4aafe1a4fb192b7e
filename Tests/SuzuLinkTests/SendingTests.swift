// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import TestSupport
import Testing

@testable import Links

/// Tests what links send, with servers that misbehave and a scripted center.
@Suite(.onOwnThread, .timeLimit(.minutes(2)))
struct SendingTests {
  private typealias Body =
    @Sendable (HTTPStand, LinkStand, ScriptedCenter, RunningProgram, EventLoop) async throws -> Void

  private static let only = #""send": "phone", "receive": false"#

  private static func withServer(_ more: String = only, _ body: Body) async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let server = try HTTPStand()
      let center = try await ScriptedCenter.start(on: stand.bus, loop)
      try stand.write(server: server.address, more)
      let link = try stand.start()
      try await body(server, stand, center, link, loop)
      #expect(link.isRunning, "\(link.errors)")
      #expect(LinkStand.stop(link) == 0, "\(link.errors)")
      await center.stop()
    }
  }

  private static func words(_ request: HTTPStand.Request) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any])
  }

  @Test func `What waits is published once, as JSON, with an id that a repetition has, too`() async throws {
    try await Self.withServer { server, stand, center, _, loop in
      try await center.put(ScriptedOutbox.Item(number: 1, url: "https://example.org/x"))
      let request = try await server.requests.next()
      #expect(request.line == "POST / HTTP/1.1" && request.headers.contains("content-type: application/json"))
      let first = try Self.words(request)
      #expect(first["topic"] as? String == "phone" && first["title"] as? String == "Pill")
      #expect(first["message"] as? String == "Take it" && first["priority"] as? Int == 4)
      #expect(first["click"] as? String == "https://example.org/x")
      let id = try #require(first["sequence_id"] as? String)
      #expect(try id.wholeMatch(of: Regex("suzu-[0-9a-f]{16}-101")) != nil, "\(id)")
      // The connection breaks, and it is not known whether the server has it.
      request.close()
      #expect(
        try await center.outbox.finished.next() == "1 waiting home: the connection to the server was lost")
      let again = try await server.requests.next()
      #expect(try Self.words(again)["sequence_id"] as? String == id)
      again.answer()
      #expect(try await center.outbox.finished.next() == "1 sent")
      try await stand.state(on: loop) { $0.sent == 1 && $0.sendError == nil && $0.phase == .ready }
      try await center.put(ScriptedOutbox.Item(number: 2))
      let second = try await server.requests.next()
      #expect(try Self.words(second)["sequence_id"] as? String == id.replacing("-101", with: "-102"))
      second.answer()
      #expect(try await center.outbox.finished.next() == "2 sent")
      #expect(server.requests.waiting.isEmpty)
    }
  }

  @Test func `What is answered while the server is away is not sent`() async throws {
    try await Self.withServer { server, _, center, _, _ in
      try await center.put(ScriptedOutbox.Item(number: 1))
      let request = try await server.requests.next()
      center.outbox.remove(1)
      request.answer(503)
      #expect(try await center.outbox.finished.next().hasPrefix("1 waiting home: "))
      try await center.put(ScriptedOutbox.Item(number: 2))
      let next = try await server.requests.next()
      #expect(try Self.words(next)["sequence_id"].map { "\($0)" }?.hasSuffix("-102") == true)
      next.answer()
      #expect(try await center.outbox.finished.next() == "2 sent")
    }
  }

  @Test func `A message that the server refuses fails, and the next one goes`() async throws {
    try await Self.withServer { server, _, center, _, _ in
      try await center.put(ScriptedOutbox.Item(number: 1))
      try await center.put(ScriptedOutbox.Item(number: 2))
      try await server.requests.next().answer(413)
      #expect(try await center.outbox.finished.next() == "1 failed the server refuses the message (HTTP 413)")
      try await server.requests.next().answer()
      #expect(try await center.outbox.finished.next() == "2 sent")
    }
  }

  @Test(arguments: [
    (401, "the server denies access (HTTP 401); give the link a token, or a user and a password"),
    (302, "the server redirects to another address (HTTP 302), which a link does not follow; give that address"),
  ])
  func `A refusal that another attempt does not change is reported, and waits`(status: Int, text: String) async throws {
    try await Self.withServer { server, stand, center, link, loop in
      try await center.put(ScriptedOutbox.Item(number: 1))
      try await server.requests.next().answer(status, "Location: \(server.address)/other")
      #expect(try await center.outbox.finished.next() == "1 waiting home: \(text)")
      try await stand.state(on: loop) { $0.sendError == text }
      let listed = try stand.session.suzu("link", "list", "--json").output
      #expect(listed.contains("cannot send: \(text)") && listed.contains(#""send":"phone""#), "\(listed)")
      #expect(server.requests.waiting.isEmpty)
      // The user changes the link, and it goes.
      try stand.write(server: server.address, Self.only + #", "silence": "60s""#)
      try await server.requests.next().answer()
      #expect(try await center.outbox.finished.next() == "1 sent")
      #expect(!link.errors.contains("Take it") && !link.errors.contains("Pill"))
    }
  }

  @Test func `What the server has is not sent again when the center was away in between`() async throws {
    try await Self.withServer { server, stand, center, _, loop in
      try await center.put(ScriptedOutbox.Item(number: 1))
      let request = try await server.requests.next()
      center.outbox.setDown(true)
      request.answer()
      try await stand.state(on: loop) { $0.sent == 1 }
      center.outbox.setDown(false)
      try await center.put(ScriptedOutbox.Item(number: 2))
      #expect(try await center.outbox.finished.next() == "1 sent")
      try await server.requests.next().answer()
      #expect(try await center.outbox.finished.next() == "2 sent")
      #expect(center.outbox.taken.waiting == [1, 2] && server.requests.waiting.isEmpty)
    }
  }

  @Test func `A killed program sends what waits when it is back, with the same id`() async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let server = try HTTPStand()
      let center = try await ScriptedCenter.start(on: stand.bus, loop)
      try stand.write(server: server.address, Self.only)
      let link = try stand.start()
      try await center.put(ScriptedOutbox.Item(number: 1))
      let first = try await server.requests.next()
      link.kill()
      let next = try stand.start()
      let second = try await server.requests.next()
      #expect(
        try Self.words(first)["sequence_id"] as? String == Self.words(second)["sequence_id"] as? String)
      second.answer()
      #expect(try await center.outbox.finished.next() == "1 sent")
      #expect(LinkStand.stop(next) == 0, "\(next.errors)")
    }
  }

  @Test func `A step that names no link needs one that sends, and no second one`() async throws {
    try await Self.withServer("") { server, stand, center, _, loop in
      // The link that receives.
      try await server.requests.next().open()
      try await center.put(ScriptedOutbox.Item(number: 1))
      _ = try await center.outbox.finished.next { $0 == "1 waiting no link sends; see 'suzu link add --send'" }
      try await center.put(ScriptedOutbox.Item(number: 2, link: "home"))
      _ = try await center.outbox.finished.next { $0 == "2 waiting no link 'home' sends; see 'suzu link add --send'" }
      try stand.write("phone", server: server.address, Self.only)
      try await server.requests.next().answer()
      _ = try await center.outbox.finished.next { $0 == "1 sent" }
      center.outbox.remove(2)
      try stand.write("boss", server: server.address, Self.only)
      try await stand.state(of: "boss", on: loop) { $0.phase == .ready }
      try await center.put(ScriptedOutbox.Item(number: 3))
      _ = try await center.outbox.finished.next {
        $0 == "3 waiting several links send; the step must name one of boss, phone"
      }
      try await center.put(ScriptedOutbox.Item(number: 4, link: "boss"))
      try await server.requests.next().answer()
      _ = try await center.outbox.finished.next { $0 == "4 sent" }
    }
  }
}
