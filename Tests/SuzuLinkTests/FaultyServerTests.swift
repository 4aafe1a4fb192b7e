// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import TestSupport
import Testing

@testable import Links

/// Tests links with servers that misbehave, and with what no server of ntfy sends.
@Suite(.onOwnThread, .timeLimit(.minutes(2)))
struct FaultyServerTests {
  private static func withServer(
    _ more: String = "", answering refusal: @escaping @Sendable (Int) throws -> Void = { _ in },
    _ body: @Sendable (HTTPStand, LinkStand, ScriptedCenter, RunningProgram, EventLoop) async throws -> Void
  ) async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let server = try HTTPStand()
      let center = try await ScriptedCenter.start(on: stand.bus, loop, answering: refusal)
      try stand.write(server: server.address, more)
      let link = try stand.start()
      try await body(server, stand, center, link, loop)
      #expect(link.isRunning, "\(link.errors)")
      #expect(LinkStand.stop(link) == 0, "\(link.errors)")
      await center.stop()
    }
  }

  @Test func `A lost connection continues behind the last message`() async throws {
    try await Self.withServer { server, _, center, _, _ in
      let first = try await server.requests.next()
      #expect(
        first.line == "GET /tea/json HTTP/1.1" && first.headers.contains { $0.hasPrefix("user-agent: suzu-link/") })
      first.open(HTTPStand.message("m1"), HTTPStand.message("m2"))
      #expect(try await center.pushes.next(2).map(\.id) == ["m1", "m2"])
      first.close()
      let second = try await server.requests.next()
      #expect(second.line == "GET /tea/json?since=m2 HTTP/1.1")
      second.open()
      second.close()
      // A message that is no text is not read again either.
      let third = try await server.requests.next()
      third.open(HTTPStand.message("m3", "AP8=", #","encoding":"base64""#))
      third.close()
      #expect(try await server.requests.next().line == "GET /tea/json?since=m3 HTTP/1.1")
      #expect(center.pushes.waiting.isEmpty)
    }
  }

  @Test func `Before the first message, the date of the server counts`() async throws {
    try await Self.withServer { server, _, _, _, _ in
      let first = try await server.requests.next()
      first.open()
      first.close()
      #expect(try await server.requests.next().line == "GET /tea/json?since=1795520765 HTTP/1.1")
    }
  }

  @Test func `A message that the center has not stored is asked for again by the next process`() async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let server = try HTTPStand()
      let center = try await ScriptedCenter.start(on: stand.bus, loop) { number in
        if number > 1 { throw RemoteError("dev.suzu.Error.Unavailable", "the disk is full") }
      }
      try stand.write(server: server.address)
      let link = try stand.start()
      let request = try await server.requests.next()
      request.open(HTTPStand.message("m1"), HTTPStand.message("m2"))
      #expect(try await center.pushes.next().id == "m1")
      try await stand.state(on: loop) { $0.obstacle == "the disk is full" }
      #expect(LinkStand.stop(link) == 0)
      #expect(try stand.state()?.lastID == "m1")
      await center.stop()
      let next = try await ScriptedCenter.start(on: stand.bus, loop)
      let again = try stand.start()
      let second = try await server.requests.next()
      #expect(second.line == "GET /tea/json?since=m1 HTTP/1.1")
      second.open(HTTPStand.message("m2"))
      #expect(try await next.pushes.next().id == "m2")
      #expect(LinkStand.stop(again) == 0)
    }
  }

  @Test func `A payload of ten mebibytes is left out, and the next message comes`() async throws {
    try await Self.withServer { server, stand, center, link, loop in
      let request = try await server.requests.next()
      request.open()
      let part = String(repeating: "x", count: 1 << 20)
      request.send(#"{"id":"big","event":"message","topic":"tea","message":""#)
      for _ in 0..<10 { #expect(request.send(part)) }
      request.send("\"}\n" + HTTPStand.message("m1", "small") + "\n")
      #expect(try await center.pushes.next().body == "small")
      let memory = try Self.memory(of: link)
      #expect(memory < 64 << 10, "\(memory) KiB")
      try await stand.state(on: loop) { $0.omissions == [.tooLong: 1] && $0.count == 1 }
      #expect(try stand.session.suzu("link", "list", "--json").output.contains(#""leftOut":{"tooLong":1}"#))
    }
  }

  @Test func `Lines that are no messages are counted, and do no harm`() async throws {
    try await Self.withServer { server, stand, center, _, loop in
      let request = try await server.requests.next()
      request.open(
        "<html>", "{", #"{"event":"message","id":"../../x","message":"no"}"#, "\u{0}\u{1}", "",
        #"{"id":"k","event":"keepalive"}"#, #"{"id":"n","event":"of_next_year"}"#, HTTPStand.message("m1", "yes"))
      #expect(try await center.pushes.next().body == "yes")
      try await stand.state(on: loop) { $0.omissions == [.unreadable: 4] && $0.count == 1 }
      #expect(try stand.session.suzu("link", "list").output.contains("4 were no messages"))
    }
  }

  @Test func `A message is taken back by its sequence, and replaced`() async throws {
    try await Self.withServer { server, _, center, _, _ in
      let request = try await server.requests.next()
      request.open(
        HTTPStand.message("m1", "one", #","sequence_id":"s1""#), HTTPStand.message("m2", "two", #","sequence_id":"s1""#)
      )
      #expect(try await center.pushes.next(2).map { $0.options["collapse"]?.string } == ["home/s1", "home/s1"])
      request.send(#"{"id":"m3","event":"message_delete","topic":"tea","sequence_id":"s1"}"# + "\n")
      let (cancelled, dismissed) = (try await center.withdrawn.next(), try await center.withdrawn.next())
      #expect(cancelled.member == "Cancel" && dismissed.member == "Dismiss")
      #expect(cancelled.ids == ["home/s1"] && dismissed.ids == ["home/s1"] && dismissed.app == "org.example.Tea")
    }
  }

  @Test func `A silent connection is given up`() async throws {
    try await Self.withServer(#""silence": "1s""#) { server, _, center, link, _ in
      let first = try await server.requests.next()
      first.open(HTTPStand.message("m1"))
      #expect(try await center.pushes.next().id == "m1")
      // The server says nothing more, and does not close: the other end of a cable that was pulled out.
      #expect(first.waitForClose())
      #expect(try await server.requests.next().line == "GET /tea/json?since=m1 HTTP/1.1")
      #expect(link.errors.contains("warning: home: the server has been silent for too long"))
    }
  }

  @Test func `A server that does not answer at all is given up as well`() async throws {
    try await Self.withServer(#""silence": "1s""#) { server, _, _, _, _ in
      let first = try await server.requests.next()
      #expect(first.waitForClose())
      _ = try await server.requests.next()
    }
  }

  @Test func `A redirect is not followed, and nothing secret goes there`() async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let (server, other) = (try HTTPStand(), try HTTPStand())
      try stand.writeSecret("tk_secret")
      try stand.write(server: server.address, #""tokenFile": "home.secret""#)
      let link = try stand.start()
      let request = try await server.requests.next()
      #expect(request.headers.contains("authorization: bearer tk_secret"))
      request.answer(302, "Location: \(other.address)/tea/json")
      #expect(link.readErrors(until: "redirects to another address (HTTP 302)") != nil)
      #expect(other.requests.waiting.isEmpty)
      #expect(LinkStand.stop(link) == 0)
      #expect(try stand.state()?.phase == .refused && !link.errors.contains("tk_secret"))
    }
  }

  @Test func `The server's pause is kept`() async throws {
    try await Self.withServer { server, _, _, link, _ in
      let first = try await server.requests.next()
      let start = ContinuousClock.now
      first.answer(429, "Retry-After: 3")
      _ = try await server.requests.next()
      #expect(ContinuousClock.now - start >= .seconds(3))
      #expect(link.errors.contains("the server gets too many requests (HTTP 429)"))
    }
  }

  @Test(arguments: [500, 503, 502])
  func `A server in trouble is asked again`(status: Int) async throws {
    try await Self.withServer { server, _, center, _, _ in
      try await server.requests.next().answer(status)
      try await server.requests.next().open(HTTPStand.message("m1"))
      #expect(try await center.pushes.next().id == "m1")
    }
  }

  @Test func `What the server asks to read again is read again`() async throws {
    try await Self.withServer { server, _, center, _, _ in
      let first = try await server.requests.next()
      first.open(HTTPStand.message("m1"), #"{"id":"p","event":"poll_request","topic":"tea"}"#)
      #expect(try await center.pushes.next().id == "m1")
      #expect(try await server.requests.next().line == "GET /tea/json?since=m1 HTTP/1.1")
    }
  }

  @Test func `A flood waits, and doctor says so`() async throws {
    try await Self.withServer(#""messagesPerMinute": 10, "mostPending": 5"#) { server, stand, center, link, _ in
      let request = try await server.requests.next()
      request.open()
      // Sent from a thread of its own: the link stops reading.
      let count = 20_000
      Thread.detachNewThread {
        for number in 0..<count
        where !request.send(HTTPStand.message("f\(number)", String(repeating: "x", count: 500)) + "\n") {
          return
        }
      }
      #expect(try await center.pushes.next(10).map(\.id) == (0..<10).map { "f\($0)" })
      // The next one comes after its share of the minute.
      let start = ContinuousClock.now
      #expect(try await center.pushes.next(within: .seconds(20)).id == "f10")
      #expect(ContinuousClock.now - start > .seconds(3))
      let doctor = try stand.session.suzu("doctor").output
      #expect(doctor.contains("link home: flooded; more than 10 messages a minute come; the others wait"), "\(doctor)")
      #expect(try Self.memory(of: link) < 64 << 10)
      #expect(center.pushes.waiting.count < 3)
    }
  }

  // With few pending messages, the link reads no further, and notices the lost connection when it does again.
  @Test(arguments: [64, 5])
  func `The center is absent for a while, and then gets everything in order`(pending: Int) async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let server = try HTTPStand()
      try stand.write(server: server.address, "\"mostPending\": \(pending)")
      let link = try stand.start()
      let request = try await server.requests.next()
      request.open()
      for number in 0..<50 { request.send(HTTPStand.message("m\(number)") + "\n") }
      request.close()
      try await stand.state(on: loop) { $0.obstacle != nil }
      let doctor = try stand.session.suzu("doctor").output
      #expect(doctor.contains("link home: "), "\(doctor)")
      let center = try await ScriptedCenter.start(on: stand.bus, loop)
      // Nothing that waits here is asked for again.
      let second = try await server.requests.next()
      let last = try #require(Int(second.line.split(separator: " ")[1].dropFirst("/tea/json?since=m".count)))
      second.open()
      for number in (last + 1)..<50 { second.send(HTTPStand.message("m\(number)") + "\n") }
      #expect(try await center.pushes.next(50).map(\.id) == (0..<50).map { "m\($0)" })
      #expect(LinkStand.stop(link) == 0)
      #expect(center.pushes.waiting.isEmpty)
    }
  }

  @Test func `What the center refuses is left out, and the next message comes`() async throws {
    try await Self.withServer(answering: { number in
      if number == 1 { throw RemoteError("dev.suzu.Error.InvalidRequest", "'aps.alert' quotes: secret text") }
    }) { server, stand, center, link, loop in
      let request = try await server.requests.next()
      request.open(HTTPStand.message("m1", "secret text"), HTTPStand.message("m2", "good"))
      #expect(try await center.pushes.next().id == "m2")
      try await stand.state(on: loop) { $0.omissions == [.refused: 1] && $0.lastID == "m2" }
      #expect(try stand.session.suzu("link", "list").output.contains("1 were refused by the center"))
      request.close()
      #expect(link.errors.contains("left out a message: the center cannot read it") && !link.errors.contains("secret"))
    }
  }

  /// The most memory that the process has used, in KiB.
  static func memory(of program: RunningProgram) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(program.processID)/status", encoding: .utf8)
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }) else {
      throw TestFailure("no VmHWM")
    }
    return Int(line.filter(\.isNumber)) ?? 0
  }
}
