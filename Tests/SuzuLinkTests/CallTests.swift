// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import NotificationModel
import TestSupport
import Testing

@testable import Links
@testable import RunningLinks

/// Tests the calls of servers that actions make, with a server that misbehaves and a scripted center.
@Suite(.onOwnThread, .timeLimit(.minutes(2)))
struct CallTests {
  private static func withServer(
    _ body: @Sendable (HTTPStand, ScriptedCenter, RunningProgram) async throws -> Void
  ) async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let server = try HTTPStand()
      let center = try await ScriptedCenter.start(on: stand.bus, loop)
      // No link is set up: what waits is enough.
      try await center.put(item(99, "http://127.0.0.1:9/wait"))
      let link = try stand.start()
      _ = try await center.outbox.finished.next { $0.hasPrefix("99 waiting") }
      try await body(server, center, link)
      #expect(link.isRunning, "\(link.errors)")
      #expect(!link.errors.contains("secret"), "\(link.errors)")
      center.outbox.remove(99)
      // With nothing left to do, it ends.
      #expect(link.waitForExit() == 0, "\(link.errors)")
      await center.stop()
    }
  }

  private static func item(_ number: UInt64, _ url: String, _ more: [String: Value] = [:]) -> ScriptedOutbox.Item {
    ScriptedOutbox.Item(number: number, call: ["url": .string(url), "method": "POST"].merging(more) { $1 })
  }

  @Test func `A call has its method, headers and body, and no answer of 200 fails`() async throws {
    try await Self.withServer { server, center, _ in
      try await center.put(
        Self.item(
          1, server.address + "/lights?x=%22",
          ["method": "PUT", "headers": .strings(["X-Token: secret"]), "body": #"{"a":"secret\n\"b"}"#]))
      let request = try await server.requests.next()
      #expect(request.line == "PUT /lights?x=%22 HTTP/1.1" && request.headers.contains("x-token: secret"))
      #expect(request.body == #"{"a":"secret\n\"b"}"#)
      request.answer(204)
      _ = try await center.outbox.finished.next { $0 == "1 sent" }
      try await center.put(Self.item(2, server.address + "/get", ["method": "GET"]))
      let get = try await server.requests.next()
      #expect(get.line == "GET /get HTTP/1.1" && get.body.isEmpty)
      get.answer()
      _ = try await center.outbox.finished.next { $0 == "2 sent" }
    }
  }

  @Test(arguments: [
    (500, "the server answered with HTTP 500"), (403, "the server denies access (HTTP 403)"),
    (302, "the server redirects to another address (HTTP 302), which is not followed"),
    (404, "the server has no such address (HTTP 404)"),
  ])
  func `What the server answers is the end, and it is not called again`(status: Int, text: String) async throws {
    try await Self.withServer { server, center, _ in
      try await center.put(Self.item(1, server.address + "/x"))
      try await server.requests.next().answer(status, "Location: \(server.address)/other")
      _ = try await center.outbox.finished.next { $0 == "1 failed \(text)" }
      // A lost connection says nothing about what the server did.
      try await center.put(Self.item(2, server.address + "/x"))
      try await server.requests.next().close()
      _ = try await center.outbox.finished.next { $0 == "2 failed the connection to the server was lost" }
      #expect(server.requests.waiting.isEmpty)
    }
  }

  @Test func `Without a connection it is tried again`() async throws {
    try await Self.withServer { server, center, _ in
      server.stop()
      try await center.put(Self.item(1, server.address + "/x"))
      _ = try await center.outbox.finished.next { $0 == "1 waiting the server cannot be reached" }
      let next = try HTTPStand(port: server.port)
      try await next.requests.next(within: .seconds(20)).answer()
      _ = try await center.outbox.finished.next { $0 == "1 sent" }
    }
  }

  @Test func `A host without TLS elsewhere is not called, whatever the center says`() async throws {
    try await Self.withServer { server, center, _ in
      try await center.put(Self.item(1, "http://192.0.2.1/x"))
      try await center.put(Self.item(2, server.address + "/x", ["method": "TRACE"]))
      try await center.put(Self.item(3, server.address + "/x", ["headers": .strings(["A: b\r\nC: d"])]))
      try await center.put(Self.item(4, server.address + "/x"))
      let request = try await server.requests.next()
      request.answer()
      _ = try await center.outbox.finished.next { $0 == "4 sent" }
      #expect(server.requests.waiting.isEmpty)
      for number in [1, 2, 3] as [UInt64] { center.outbox.remove(number) }
    }
  }

  @Test func `A call that a message has brought is made only while its link allows the host`() async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let (ntfy, server, away) = (try HTTPStand(), try HTTPStand(), try HTTPStand())
      away.stop()
      let center = try await ScriptedCenter.start(on: stand.bus, loop)
      let hosts = #""hosts": ["127.0.0.1:\#(server.port)", "127.0.0.1:\#(away.port)"]"#
      try stand.write(server: ntfy.address, hosts)
      let link = try stand.start()
      _ = try await ntfy.requests.next()
      func put(_ number: UInt64, _ url: String) async throws {
        try await center.put(Self.item(number, url, ["link": "home"]))
      }
      try await put(1, server.address + "/x")
      try await server.requests.next().answer()
      _ = try await center.outbox.finished.next { $0 == "1 sent" }
      // This one waits while the user takes the right away.
      try await put(2, away.address + "/x")
      _ = try await center.outbox.finished.next { $0.hasPrefix("2 waiting") }
      try stand.write(server: ntfy.address, hosts.replacing("127.0.0.1:\(away.port)", with: "other.example"))
      _ = try await ntfy.requests.next()
      _ = try await center.outbox.finished.next(within: .seconds(20)) {
        $0 == "2 failed the link 'home' no longer allows calls of this server; see --hosts"
      }
      try await put(3, server.address + "/y")
      try await server.requests.next().answer()
      _ = try await center.outbox.finished.next { $0 == "3 sent" }
      try stand.write(server: ntfy.address)
      _ = try await ntfy.requests.next()
      try await put(4, server.address + "/z")
      _ = try await center.outbox.finished.next {
        $0 == "4 failed the link 'home' no longer allows calls of this server; see --hosts"
      }
      try await put(5, away.address + "/z")
      _ = try await center.outbox.finished.next { $0.hasPrefix("5 failed") }
      // What the user has set up belongs to no link.
      try await center.put(Self.item(6, server.address + "/own"))
      let own = try await server.requests.next()
      #expect(own.line == "POST /own HTTP/1.1")
      own.answer()
      _ = try await center.outbox.finished.next { $0 == "6 sent" }
      try await center.put(Self.item(7, server.address + "/z", ["link": "gone"]))
      _ = try await center.outbox.finished.next {
        $0 == "7 failed there is no link 'gone' any more, whose message wants the call"
      }
      #expect(server.requests.waiting.isEmpty)
      #expect(LinkStand.stop(link) == 0, "\(link.errors)")
    }
  }

  @Test func `Killed in the middle, it calls again: at least once`() async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let server = try HTTPStand()
      let center = try await ScriptedCenter.start(on: stand.bus, loop)
      try await center.put(Self.item(1, server.address + "/x"))
      let first = try stand.start()
      // Not answered, and its connection stays open.
      _ = try await server.requests.next()
      first.kill()
      let second = try stand.start()
      try await server.requests.next().answer()
      _ = try await center.outbox.finished.next { $0 == "1 sent" }
      #expect(second.waitForExit() == 0, "\(second.errors)")
    }
  }

  /// A center in this process, with one call.
  private final class OneCall: OutboxCenter {
    let ends = Inbox<OutgoingEnd>()
    let call: OutgoingCall
    init(_ call: OutgoingCall) { self.call = call }
    func outgoing() async -> [OutgoingItem]? { [OutgoingItem(number: 1, link: nil, isCall: true)] }
    func take(_ number: UInt64) async -> TakeAnswer { .call(call) }
    func finish(_ number: UInt64, as end: OutgoingEnd) async -> Bool {
      ends.put(end)
      return true
    }
  }

  @Test func `A server that does not answer in time ends the call`() async throws {
    let server = try HTTPStand()
    try await withLoop { loop in
      let call = try #require(OutgoingCall(["url": .text(server.address + "/x"), "method": .text("POST")]))
      nonisolated(unsafe) let center = OneCall(call)
      let queue = Inbox<Result<HeldQueue, any Error>>()
      loop.perform {
        do {
          var timing = LinkTiming()
          timing.callLimit = .milliseconds(200)
          let made = CallQueue(from: center, try Transfers(on: loop), hosts: { _ in nil }, timing: timing, on: loop)
          made.set([1])
          queue.put(.success(HeldQueue(value: made)))
        } catch {
          queue.put(.failure(error))
        }
      }
      let held = try await queue.next().get()
      let request = try await server.requests.next()
      #expect(try await center.ends.next() == .failed("the server does not answer"))
      request.close()
      loop.perform { held.value.stop() }
    }
  }

  /// Used on the loop's thread only.
  private struct HeldQueue: @unchecked Sendable { let value: CallQueue }
}
