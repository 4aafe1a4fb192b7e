// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import TestSupport
import Testing

@testable import Links

/// Tests the topic with the answers to messages of ntfy: its rights at the real server, and what a link does with it,
/// at a scripted one.
@Suite(.onOwnThread, .timeLimit(.minutes(3)))
struct NtfyAnswerTests {
  @Test(.enabled(if: RealNtfy.isPossible, "no real server of ntfy"))
  func `The rights of the page for operators are enough, and a missing one is named`() async throws {
    let users = try TemporaryFolder()
    let ntfy = try RealNtfy(["auth-file: \"\(users.path("user.db"))\"", "auth-default-access: \"deny-all\""])
    let server = try ntfy.start()
    for user in ["ann", "sender"] { _ = try ntfy.run(["user", "add", user], ["NTFY_PASSWORD": "open sesame"]) }
    _ = try ntfy.run(["access", "sender", "tea", "write-only"])
    _ = try ntfy.run(["access", "ann", "tea", "read-only"])
    let more = #""answers": true, "login": "ann", "passwordFile": "home.secret""#
    try await withLoop { loop in
      let stand = try LinkStand(hasCenter: true)
      let screen = try await ScriptedServer.start(on: stand.bus, loop)
      try stand.writeSecret("open sesame\n")
      try stand.write(server: ntfy.address, more)
      let tried = try stand.session.suzu("link", "test", "home")
      #expect(tried.status == 69 && tried.errors.contains("the right to read and to write TOPIC-answers"), "\(tried)")
      _ = try ntfy.run(["access", "ann", "tea-answers", "read-only"])
      let link = try stand.startConnected()
      try ntfy.publish("The bell", ["Title": "Bell"], "-u", "sender:open sesame")
      let posted = try await screen.posted.next(within: .seconds(20))
      try await screen.press(posted.number, "default")
      try await offPool {
        try stand.session.wait(for: "cannot send: the server denies access (HTTP 403)", in: "link", "list", "--json")
      }
      #expect(try stand.session.suzu("link", "list", "--json").output.contains("to write TOPIC-answers"))
      #expect(LinkStand.stop(link) == 0, "\(link.errors)")
      _ = try ntfy.run(["access", "ann", "tea-answers", "read-write"])
      let again = try stand.startConnected()
      try await offPool { try stand.session.wait(for: #""sent":1"#, in: "link", "list", "--json") }
      #expect(LinkStand.stop(again) == 0, "\(again.errors)")
    }
    server.kill()
  }

  // MARK: A scripted server

  private static func answer(_ id: String, to message: String, by device: String, topic: String = "tea-answers") throws
    -> String
  {
    let answer = LinkAnswer(id: message, action: "go", reply: nil, device: device, name: "desk", at: 1)
    let text = try String(decoding: JSONEncoder().encode(answer.json), as: UTF8.self)
    return #"{"id":"\#(id)","time":1,"event":"message","topic":"\#(topic)","message":\#(text)}"#
  }

  @Test func `What was answered while the link was off is asked for first, and not shown`() async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let server = try HTTPStand()
      let center = try await ScriptedCenter.start(on: stand.bus, loop)
      try stand.write(server: server.address, #""answers": true"#)
      let link = try stand.start()
      let first = try await server.requests.next()
      // Nothing was there before.
      #expect(first.line == "GET /tea,tea-answers/json HTTP/1.1")
      first.open(HTTPStand.message("m1", "one", #","sequence_id":"s1""#))
      let push = try await center.pushes.next()
      #expect(push.options["answers"]?.string == "tea-answers" && push.options["link"]?.string == "home")
      try await stand.state(on: loop) { $0.lastID == "m1" }
      first.close()
      let asked = try await server.requests.next()
      #expect(asked.line == "GET /tea-answers/json?since=m1&poll=1 HTTP/1.1")
      let lines = [
        try Self.answer("a2", to: "m2", by: "other"), try Self.answer("a3", to: "m3", by: "other"), "{", "x",
        #"{"id":"a9","event":"message","topic":"tea-answers","message":"no answer"}"#,
      ]
      asked.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + lines.map { $0 + "\n" }.joined())
      asked.close()
      let second = try await server.requests.next()
      #expect(second.line == "GET /tea,tea-answers/json?since=m1 HTTP/1.1")
      second.open(
        HTTPStand.message("m2", "two"), HTTPStand.message("m3", "three", #","sequence_id":"s1""#),
        try Self.answer("a2", to: "m2", by: "other"), try Self.answer("a3", to: "m3", by: "other"),
        #"{"id":"a9","event":"message","topic":"tea-answers","message":"no answer"}"#,
        // Anyone may write this; it is a message like others.
        try Self.answer("m4", to: "m1", by: "other", topic: "tea"), HTTPStand.message("m5", "five"))
      // The earlier state of the same notification is taken down.
      #expect(try await center.withdrawn.next().ids == ["home/s1"])
      #expect(try await center.answered.next(2) == ["m2 desk", "m3 desk"])
      #expect(try await center.pushes.next().body?.contains(#""device":"other""#) == true)
      #expect(try await center.pushes.next().body == "five")
      try await stand.state(on: loop) { $0.lastID == "m5" }
      #expect(LinkStand.stop(link) == 0, "\(link.errors)")
      #expect(center.pushes.waiting.isEmpty && center.answered.waiting.isEmpty)
    }
  }

  @Test(arguments: [403, 500])
  func `Without the answers nothing is shown, and the link says why`(status: Int) async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let server = try HTTPStand()
      let center = try await ScriptedCenter.start(on: stand.bus, loop)
      try stand.write(server: server.address, #""answers": true"#)
      let link = try stand.start()
      let first = try await server.requests.next()
      first.open(HTTPStand.message("m1"))
      _ = try await center.pushes.next()
      first.close()
      try await server.requests.next().answer(status)
      let state = try await stand.state(on: loop) { $0.error?.contains("(HTTP \(status))") == true }
      #expect(state.phase == (status == 403 ? .refused : .waiting))
      #expect(state.error?.contains("to write TOPIC-answers") == (status == 403), "\(state)")
      #expect(LinkStand.stop(link) == 0 && center.pushes.waiting.isEmpty)
    }
  }
}
