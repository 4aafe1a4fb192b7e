// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import TestSupport
import Testing

@testable import Links

/// Tests links with the real server of ntfy, and curl as the sender.
@Suite(.onOwnThread, .timeLimit(.minutes(3)), .enabled(if: RealNtfy.isPossible, "no real server of ntfy"))
struct RealNtfyTests {
  /// Runs a link that is connected.
  private static func withLink(
    to ntfy: RealNtfy, _ more: String = "",
    _ body: @Sendable (LinkStand, ScriptedCenter, RunningProgram) async throws -> Void
  ) async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let center = try await ScriptedCenter.start(on: stand.bus, loop)
      try stand.write(server: ntfy.address, more)
      let link = try stand.startConnected()
      try await body(stand, center, link)
      #expect(LinkStand.stop(link) == 0, "\(link.errors)")
    }
  }

  @Test func `A message becomes a push, with its priority and its page`() async throws {
    let ntfy = try RealNtfy()
    let server = try ntfy.start()
    try await Self.withLink(to: ntfy) { stand, center, _ in
      try ntfy.publish(
        "The backup is done",
        ["Title": "Backup", "Priority": "5", "Tags": "disk", "Click": "https://example.org/log"])
      let push = try await center.pushes.next()
      #expect(push.app == "org.example.Tea" && push.body == "The backup is done" && push.title == "Backup")
      #expect(push.aps["interruption-level"]?.string == "time-sensitive")
      #expect(push.aps["url"]?.string == "https://example.org/log")
      #expect(push.options["levels"]?.elements?.compactMap(\.string) == ["passive", "active", "timeSensitive"])
      #expect(push.options["categories"]?.elements?.isEmpty == true)
      #expect(push.options["collapse"]?.string == "home/\(push.id ?? "?")")
      try ntfy.publish(
        "Open it",
        ["Actions": "view, Open, https://example.org/y; http, Do, https://example.org/z, method=POST", "Priority": "1"])
      let second = try await center.pushes.next()
      #expect(second.aps["url"]?.string == "https://example.org/y")
      #expect(second.aps["interruption-level"]?.string == "passive")
    }
    server.kill()
  }

  @Test func `What apprise publishes is shown`() async throws {
    let ntfy = try RealNtfy()
    let server = try ntfy.start()
    try await Self.withLink(to: ntfy) { _, center, _ in
      try ntfy.publish(withApprise: "It is done", title: "Backup", "?priority=high&tags=disk")
      let push = try await center.pushes.next()
      #expect(push.title == "Backup" && push.body == "It is done")
      #expect(push.aps["interruption-level"]?.string == "time-sensitive")
      // Its icon is on a server, and is not fetched.
      #expect(push.aps.keys.sorted() == ["alert", "interruption-level"])
    }
    server.kill()
  }

  @Test func `What was sent while the link was stopped comes when it is back, and nothing twice`() async throws {
    let ntfy = try RealNtfy()
    let server = try ntfy.start()
    try await withLoop { loop in
      let stand = try LinkStand()
      let center = try await ScriptedCenter.start(on: stand.bus, loop)
      try stand.write(server: ntfy.address)
      let first = try stand.startConnected()
      try ntfy.publish("one")
      #expect(try await center.pushes.next().body == "one")
      try await stand.state(on: loop) { $0.count == 1 }
      #expect(LinkStand.stop(first) == 0)
      for text in ["two", "three"] { try ntfy.publish(text) }
      let second = try stand.start()
      #expect(try await center.pushes.next(2).map(\.body) == ["two", "three"])
      try await stand.state(on: loop) { $0.count == 3 }
      #expect(LinkStand.stop(second) == 0)
      let third = try stand.startConnected()
      try ntfy.publish("four")
      #expect(try await center.pushes.next().body == "four")
      try await stand.state(on: loop) { $0.count == 4 }
      #expect(LinkStand.stop(third) == 0)
      #expect(center.pushes.waiting.isEmpty)
      #expect(try stand.state()?.count == 4)
    }
    server.kill()
  }

  @Test func `The server is killed and started again, and what it keeps arrives`() async throws {
    let ntfy = try RealNtfy()
    let first = try ntfy.start()
    try await Self.withLink(to: ntfy) { _, center, _ in
      var server = first
      try ntfy.publish("0")
      #expect(try await center.pushes.next().body == "0")
      for round in 1...5 {
        server.kill()
        server = try ntfy.start()
        // Sent before or after the link is back: it asks for everything since the last one.
        try ntfy.publish("\(round)")
        #expect(try await center.pushes.next(within: .seconds(30)).body == "\(round)")
      }
      #expect(center.pushes.waiting.isEmpty)
      server.kill()
    }
  }

  @Test func `A token and a password open a closed topic, and neither is shown`() async throws {
    let users = try TemporaryFolder()
    let closed = try RealNtfy(["auth-file: \"\(users.path("user.db"))\"", "auth-default-access: \"deny-all\""])
    let server = try closed.start()
    _ = try closed.run(["user", "add", "--role=admin", "ann"], ["NTFY_PASSWORD": "open sesame"])
    let token = try #require(try closed.run(["token", "add", "ann"]).firstMatch(of: /tk_[a-z0-9]+/)).output
    for (more, secret) in [
      (#""tokenFile": "home.secret""#, String(token)),
      (#""login": "ann", "passwordFile": "home.secret""#, "open sesame"),
    ] {
      try await withLoop { loop in
        let stand = try LinkStand()
        let center = try await ScriptedCenter.start(on: stand.bus, loop)
        try stand.writeSecret(secret + "\n")
        try stand.write(server: closed.address, more)
        let tried = try stand.session.suzu("link", "test", "home")
        #expect(tried.status == 0 && tried.output.hasPrefix("home: the server took the subscription"), "\(tried)")
        let link = try stand.startConnected()
        let words = try String(contentsOfFile: "/proc/\(link.processID)/cmdline", encoding: .utf8)
        #expect(!words.contains(secret))
        try closed.publish("hello", ["Authorization": "Bearer \(token)"])
        #expect(try await center.pushes.next().body == "hello")
        #expect(LinkStand.stop(link) == 0)
        #expect(!link.errors.contains(secret))
        let listed = try stand.session.suzu("link", "list", "--json")
        #expect(!(listed.output + tried.output + tried.errors).contains(secret))
      }
    }
    // Without one, and with a wrong one.
    let stand = try LinkStand()
    try stand.write(server: closed.address)
    var tried = try stand.session.suzu("link", "test", "home")
    #expect(tried.status == 69 && tried.errors.contains("denies access (HTTP 403); give the link a token"), "\(tried)")
    try stand.writeSecret("tk_wrong")
    try stand.write(server: closed.address, #""tokenFile": "home.secret""#)
    tried = try stand.session.suzu("link", "test", "home")
    #expect(tried.status == 69 && tried.errors.contains("denies access (HTTP 401); check the token"), "\(tried)")
    #expect(!tried.errors.contains("tk_wrong"))
    server.kill()
  }

  // MARK: TLS

  @Test func `An authority of its own makes the server trusted, and only it`() async throws {
    let authority = try TestAuthority()
    let ntfy = try RealNtfy(certificate: try authority.certificate(for: "localhost"))
    let server = try ntfy.start()
    let stand = try LinkStand()
    try stand.write(server: ntfy.address, "\"authority\": \"\(authority.file)\"")
    var tried = try stand.session.suzu("link", "test", "home")
    #expect(tried.status == 0, "\(tried)")
    // The system's authorities do not know it.
    try stand.write(server: ntfy.address)
    tried = try stand.session.suzu("link", "test", "home")
    #expect(
      tried.status == 69 && tried.errors.contains("is signed by an authority that this machine does not know"),
      "\(tried)")
    // Another authority does not count either.
    try stand.write(server: ntfy.address, "\"authority\": \"\(try TestAuthority().file)\"")
    #expect(try stand.session.suzu("link", "test", "home").status == 69)
    try stand.write(server: ntfy.address, "\"authority\": \"/nowhere.pem\"")
    tried = try stand.session.suzu("link", "test", "home")
    #expect(tried.status == 69 && tried.errors.contains("the file of the authority cannot be read"), "\(tried)")
    server.kill()
  }

  // To a machine whose clock is wrong, a certificate seems to have expired, or not to be valid yet.
  @Test(arguments: [
    ("other.example", -10, 30, "is not that of this host"), ("localhost", -10, -1, "has expired; or the clock"),
    ("localhost", 2, 30, "is not valid yet; check the clock of this machine"),
  ])
  func `A certificate that is wrong ends the connection`(host: String, from: Int, days: Int, problem: String)
    async throws
  {
    let authority = try TestAuthority()
    let ntfy = try RealNtfy(certificate: try authority.certificate(for: host, from: from, days: days))
    let server = try ntfy.start()
    let stand = try LinkStand()
    try stand.write(server: ntfy.address, "\"authority\": \"\(authority.file)\"")
    let tried = try stand.session.suzu("link", "test", "home")
    #expect(tried.status == 69 && tried.errors.contains("the certificate of the server \(problem)"), "\(tried)")
    server.kill()
  }
}
