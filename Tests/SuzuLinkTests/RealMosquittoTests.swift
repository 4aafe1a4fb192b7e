// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import TestSupport
import Testing

@testable import Links

/// Tests links with the real server mosquitto, and mosquitto_pub as the sender.
@Suite(.onOwnThread, .timeLimit(.minutes(3)))
struct RealMosquittoTests {
  /// Runs a link that is connected.
  private static func withLink(
    to mosquitto: RealMosquitto, _ more: String = "",
    _ body: @Sendable (LinkStand, ScriptedCenter, RunningProgram) async throws -> Void
  ) async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let center = try await ScriptedCenter.start(on: stand.bus, loop)
      try stand.write(server: mosquitto.address, more)
      let link = try stand.startConnected()
      try await body(stand, center, link)
      #expect(LinkStand.stop(link) == 0, "\(link.errors)")
    }
  }

  @Test func `A message arrives with what its sender says of it`() async throws {
    let mosquitto = try RealMosquitto()
    let server = try mosquitto.start()
    try await Self.withLink(to: mosquitto) { _, center, _ in
      let before = Int64(Date().timeIntervalSince1970)
      try mosquitto.publish(
        "The backup is done", "-D", "publish", "message-expiry-interval", "600",
        words: [
          ("title", "Backup"), ("priority", "5"), ("tag", "disk"), ("click", "https://example.org/log"),
          ("app", "org.example.Bank"), ("id", "backup-7"),
        ])
      let push = try await center.pushes.next()
      #expect(push.app == "org.example.Tea" && push.body == "The backup is done" && push.title == "Backup")
      #expect(push.aps["interruption-level"]?.string == "time-sensitive")
      #expect(push.aps["url"]?.string == "https://example.org/log" && push.id == "backup-7")
      #expect(push.options["levels"]?.elements?.compactMap(\.string) == ["passive", "active", "timeSensitive"])
      #expect(push.options["collapse"]?.string == "home/backup-7")
      let expires = try #require(push.options["expires"]?.integer)
      #expect((before + 590...before + 620).contains(expires))
      // The oldest version that is in use, at most once.
      let ended = try RunningProgram.run(
        "mosquitto_pub", ["-h", "127.0.0.1", "-p", "\(mosquitto.port)", "-V", "mqttv311", "-t", "tea", "-m", "old"],
        environment: ["PATH": "/usr/bin:/bin"])
      #expect(ended.status == 0, "\(ended)")
      let old = try await center.pushes.next()
      #expect(old.body == "old" && old.title == nil && old.options["expires"] == nil)
    }
    server.kill()
  }

  @Test func `The topics of a filter arrive, and no others`() async throws {
    let mosquitto = try RealMosquitto()
    let server = try mosquitto.start()
    try await withLoop { loop in
      let stand = try LinkStand()
      let center = try await ScriptedCenter.start(on: stand.bus, loop)
      let added = try stand.session.suzu("link", "add", "home", mosquitto.address + "/suzu/+/door/#")
      #expect(added.status == 0, "\(added)")
      let link = try stand.startConnected()
      for topic in ["suzu/ann/window", "suzu/ann/door/front", "other", "suzu/bob/door"] {
        try mosquitto.publish(topic, to: topic)
      }
      #expect(try await center.pushes.next(2).map(\.body) == ["suzu/ann/door/front", "suzu/bob/door"])
      #expect(center.pushes.waiting.isEmpty)
      #expect(LinkStand.stop(link) == 0)
    }
    server.kill()
  }

  @Test func `What was sent while the link was stopped comes when it is back, and nothing twice`() async throws {
    let mosquitto = try RealMosquitto()
    let server = try mosquitto.start()
    try await withLoop { loop in
      let stand = try LinkStand()
      let center = try await ScriptedCenter.start(on: stand.bus, loop)
      try stand.write(server: mosquitto.address)
      let first = try stand.startConnected()
      try mosquitto.publish("one")
      #expect(try await center.pushes.next().body == "one")
      try await stand.state(on: loop) { $0.count == 1 }
      #expect(LinkStand.stop(first) == 0)
      for text in ["two", "three"] { try mosquitto.publish(text) }
      let second = try stand.start()
      #expect(try await center.pushes.next(2).map(\.body) == ["two", "three"])
      try await stand.state(on: loop) { $0.count == 3 }
      #expect(LinkStand.stop(second) == 0)
      let third = try stand.startConnected()
      try mosquitto.publish("four")
      #expect(try await center.pushes.next().body == "four")
      #expect(LinkStand.stop(third) == 0)
      #expect(center.pushes.waiting.isEmpty)
    }
    server.kill()
  }

  @Test func `The server is killed and started again, and nothing is lost or new twice`() async throws {
    let mosquitto = try RealMosquitto()
    let first = try mosquitto.start()
    try await Self.withLink(to: mosquitto) { _, center, link in
      var server = first
      var ids: [String: String] = [:]
      for round in 0..<5 {
        try mosquitto.publish("\(round)")
        // The same id under the same text: the center knows it.
        while ids["\(round)"] == nil {
          let push = try await center.pushes.next(within: .seconds(30))
          let (id, body) = (try #require(push.id), try #require(push.body))
          #expect(ids[body] == nil || ids[body] == id, "\(body) has two ids")
          ids[body] = id
        }
        // Perhaps before it has read the acknowledgment, perhaps before it has written that.
        server.kill()
        server = try mosquitto.start()
        // What comes now waits for the link, whose session the server has kept.
        try mosquitto.publish("again \(round)")
      }
      while ids.count < 10 {
        let push = try await center.pushes.next(within: .seconds(30))
        let (id, body) = (try #require(push.id), try #require(push.body))
        #expect(ids[body] == nil || ids[body] == id, "\(body) has two ids")
        ids[body] = id
      }
      #expect(Set(ids.values).count == 10)
      server.kill()
    }
  }

  @Test func `The server gets no acknowledgment before the center has the message`() async throws {
    let mosquitto = try RealMosquitto()
    let server = try mosquitto.start()
    try await withLoop { loop in
      let stand = try LinkStand()
      try stand.write(server: mosquitto.address)
      let link = try stand.startConnected()
      try mosquitto.publish("one")
      let state = try await stand.state(on: loop) { $0.obstacle != nil && $0.session != nil }
      let name = try #require(state.session?.client)
      #expect(!server.errors.contains("Received PUBACK from \(name)"))
      // The link is stopped meanwhile; the server still has it.
      #expect(LinkStand.stop(link) == 0)
      let center = try await ScriptedCenter.start(on: stand.bus, loop)
      let again = try stand.start()
      #expect(try await center.pushes.next().body == "one")
      #expect(server.readErrors(until: "Received PUBACK from \(name)") != nil)
      #expect(LinkStand.stop(again) == 0)
    }
    server.kill()
  }

  @Test func `The state of a topic is shown, and taken down with it`() async throws {
    let mosquitto = try RealMosquitto()
    let server = try mosquitto.start()
    try mosquitto.publish("The door is open", "-r")
    try await Self.withLink(to: mosquitto) { _, center, _ in
      let push = try await center.pushes.next()
      #expect(push.body == "The door is open" && push.options["collapse"]?.string == "home/topic/tea")
      try mosquitto.publish("The door is wide open", "-r")
      #expect(try await center.pushes.next().options["collapse"]?.string == "home/topic/tea")
      try mosquitto.publish(["-n", "-r"])
      #expect(try await center.withdrawn.next().ids == ["home/topic/tea"])
    }
    server.kill()
  }

  @Test func `Long messages are left out, and the next one comes`() async throws {
    let mosquitto = try RealMosquitto()
    let server = try mosquitto.start()
    try await withLoop { loop in
      let stand = try LinkStand()
      let center = try await ScriptedCenter.start(on: stand.bus, loop)
      try stand.write(server: mosquitto.address)
      let link = try stand.startConnected()
      // The server itself drops what is longer than any link accepts.
      for size in [10 << 20, 100_000] {
        let file = try mosquitto.folder.write(String(repeating: "x", count: size), to: "\(size)")
        try mosquitto.publish(["-f", file])
      }
      try mosquitto.publish("small")
      #expect(try await center.pushes.next().body == "small")
      try await stand.state(on: loop) { $0.omissions == [.tooLong: 1] && $0.count == 1 }
      #expect(try FaultyServerTests.memory(of: link) < 64 << 10)
      #expect(LinkStand.stop(link) == 0)
    }
    server.kill()
  }

  @Test func `A flood waits at the server, and doctor says so`() async throws {
    let mosquitto = try RealMosquitto()
    let server = try mosquitto.start()
    try await Self.withLink(to: mosquitto, #""messagesPerMinute": 10, "mostPending": 5"#) { stand, center, link in
      let start = ContinuousClock.now
      try mosquitto.publish(["-l"], input: (0..<2000).map { "f\($0)\n" }.joined())
      #expect(try await center.pushes.next(10).map(\.body) == (0..<10).map { "f\($0)" })
      #expect(try await center.pushes.next(within: .seconds(20)).body == "f10")
      #expect(ContinuousClock.now - start > .seconds(3))
      let doctor = try stand.session.suzu("doctor").output
      #expect(doctor.contains("link home: flooded; more than 10 messages a minute come; the others wait"), "\(doctor)")
      #expect(try FaultyServerTests.memory(of: link) < 64 << 10)
    }
    server.kill()
  }

  // MARK: Rights

  @Test func `A password opens the server, and is not shown`() async throws {
    let users = try TemporaryFolder()
    let passwords = try RealMosquitto.passwords(users, ["ann": "open sesame", "bob": "bobs"])
    let rights = try users.write("user ann\ntopic readwrite tea\nuser bob\ntopic write tea\n", to: "rights")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: rights)
    let mosquitto = try RealMosquitto(["allow_anonymous false", "password_file \(passwords)", "acl_file \(rights)"])
    let server = try mosquitto.start()
    try await withLoop { loop in
      let stand = try LinkStand()
      let center = try await ScriptedCenter.start(on: stand.bus, loop)
      let added = try stand.session.suzu(
        "link", "add", "home", mosquitto.address + "/tea", "--login", "ann", "--password-file", "-",
        input: "open sesame\n")
      #expect(added.status == 0, "\(added)")
      var tried = try stand.session.suzu("link", "test", "home")
      let words = /^home: the server took the subscription within \d+ ms, and brought a message within \d+ ms\n$/
      #expect(tried.status == 0 && tried.output.wholeMatch(of: words) != nil, "\(tried)")
      let link = try stand.startConnected()
      let line = try String(contentsOfFile: "/proc/\(link.processID)/cmdline", encoding: .utf8)
      #expect(!line.contains("sesame") && !line.contains("ann"))
      try mosquitto.publish("hello", "-u", "ann", "-P", "open sesame")
      #expect(try await center.pushes.next().body == "hello")
      // The message of a test is not shown, although the running link gets it, too.
      #expect(try stand.session.suzu("link", "test", "home").status == 0)
      try mosquitto.publish("end", "-u", "ann", "-P", "open sesame")
      #expect(try await center.pushes.next().body == "end")
      #expect(LinkStand.stop(link) == 0)
      let listed = try stand.session.suzu("link", "list", "--json")
      #expect(!(link.errors + listed.output + tried.output + tried.errors).contains("sesame"))
      // A wrong one, none, and a user who may not read.
      try stand.writeSecret("wrong")
      try stand.write(server: mosquitto.address, #""login": "ann", "passwordFile": "home.secret""#)
      tried = try stand.session.suzu("link", "test", "home")
      #expect(tried.status == 69 && tried.errors.contains("check the user and the password"), "\(tried)")
      try stand.write(server: mosquitto.address)
      tried = try stand.session.suzu("link", "test", "home")
      #expect(tried.status == 69 && tried.errors.contains("give the link a user and a password"), "\(tried)")
      try stand.writeSecret("bobs")
      try stand.write(server: mosquitto.address, #""login": "bob", "passwordFile": "home.secret""#)
      tried = try stand.session.suzu("link", "test", "home")
      #expect(
        tried.status == 69 && tried.errors.contains("brings no message; check that the user may read"), "\(tried)")
    }
    server.kill()
  }

  /// The lines of a file of the page for operators.
  private static func printed(_ file: String) throws -> [String] {
    let page = try String(contentsOf: Session.checkout.appending(path: "docs/LINKS.md"), encoding: .utf8)
    guard let start = page.range(of: "```ini\n# \(file)\n"),
      let end = page.range(of: "```", range: start.upperBound..<page.endIndex)
    else { throw TestFailure("the page has no \(file)") }
    return page[start.upperBound..<end.lowerBound].split(separator: "\n").map(String.init)
  }

  @Test func `The files of the page for operators let each user read the own topics only`() async throws {
    let (authority, users) = (try TestAuthority(), try TemporaryFolder())
    let passwords = try RealMosquitto.passwords(users, ["ann": "a", "bob": "b", "alarm": "c"])
    let rights = try users.write(
      (try Self.printed("/etc/mosquitto/rights")).joined(separator: "\n")
        + "\npattern readwrite suzu/%u/suzu-link-test\n", to: "rights")
    // Files and ports are those of the test.
    let own = [
      "listener", "certfile", "keyfile", "password_file", "acl_file", "max_queued_messages", "autosave_interval",
    ]
    let settings = try Self.printed("/etc/mosquitto/conf.d/suzu.conf").filter { line in
      !own.contains { line.hasPrefix($0 + " ") }
    }
    #expect(settings == ["allow_anonymous false", "persistent_client_expiration 14d", "set_tcp_nodelay true"])
    let mosquitto = try RealMosquitto(
      settings + ["password_file \(passwords)", "acl_file \(rights)"],
      certificate: try authority.certificate(for: "localhost"))
    let server = try mosquitto.start()
    try await withLoop { loop in
      let stand = try LinkStand()
      let center = try await ScriptedCenter.start(on: stand.bus, loop)
      try stand.writeSecret("a")
      let added = try stand.session.suzu(
        "link", "add", "home", mosquitto.address, "--login", "ann", "--password-file",
        "\(stand.folders.settings)/home.secret", "--authority", authority.file)
      #expect(added.status == 0, "\(added)")
      let tried = try stand.session.suzu("link", "test", "home")
      #expect(tried.status == 0 && tried.output.contains("and brought a message"), "\(tried)")
      let link = try stand.startConnected()
      for (user, password, topic) in [
        ("alarm", "c", "suzu/bob/alarm"), ("bob", "b", "suzu/ann/alarm"), ("ann", "a", "suzu/ann/alarm"),
        ("alarm", "c", "suzu/ann/alarm"),
      ] {
        // The server takes also what may not be sent, and drops it.
        try? mosquitto.publish(user, to: topic, "--cafile", authority.file, "-u", user, "-P", password)
      }
      #expect(try await center.pushes.next().body == "alarm")
      #expect(center.pushes.waiting.isEmpty)
      #expect(LinkStand.stop(link) == 0)
    }
    server.kill()
  }

  // MARK: TLS

  @Test func `An authority of its own makes the server trusted, and only it`() async throws {
    let authority = try TestAuthority()
    let mosquitto = try RealMosquitto(certificate: try authority.certificate(for: "localhost"))
    let server = try mosquitto.start()
    try await withLoop { loop in
      let stand = try LinkStand()
      let center = try await ScriptedCenter.start(on: stand.bus, loop)
      try stand.write(server: mosquitto.address, "\"authority\": \"\(authority.file)\"")
      var tried = try stand.session.suzu("link", "test", "home")
      #expect(tried.status == 0, "\(tried)")
      let link = try stand.startConnected()
      for round in 0..<20 {
        try mosquitto.publish("m\(round) " + String(repeating: "x", count: 3000), "--cafile", authority.file)
      }
      #expect(
        try await center.pushes.next(20).map { $0.body?.split(separator: " ").first } == (0..<20).map { "m\($0)" })
      #expect(LinkStand.stop(link) == 0)
      // The system's authorities do not know it, and another one does not count.
      try stand.write(server: mosquitto.address)
      tried = try stand.session.suzu("link", "test", "home")
      #expect(
        tried.status == 69 && tried.errors.contains("is signed by an authority that this machine does not know"),
        "\(tried)")
      try stand.write(server: mosquitto.address, "\"authority\": \"\(try TestAuthority().file)\"")
      #expect(try stand.session.suzu("link", "test", "home").status == 69)
    }
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
    let mosquitto = try RealMosquitto(certificate: try authority.certificate(for: host, from: from, days: days))
    let server = try mosquitto.start()
    let stand = try LinkStand()
    try stand.write(server: mosquitto.address, "\"authority\": \"\(authority.file)\"")
    let tried = try stand.session.suzu("link", "test", "home")
    #expect(tried.status == 69 && tried.errors.contains("the certificate of the server \(problem)"), "\(tried)")
    server.kill()
  }

  @Test func `A client certificate opens a server that wants one`() async throws {
    let authority = try TestAuthority()
    let mosquitto = try RealMosquitto(
      ["allow_anonymous true", "cafile \(authority.file)", "require_certificate true"],
      certificate: try authority.certificate(for: "localhost"))
    let server = try mosquitto.start()
    let desktop = try authority.certificate(for: "desktop.example")
    let stand = try LinkStand()
    let url = mosquitto.address + "/tea"
    #expect(try stand.session.suzu("link", "add", "bare", url, "--authority", authority.file).status == 0)
    var tried = try stand.session.suzu("link", "test", "bare")
    #expect(tried.status == 69 && tried.errors.contains("it may want a client certificate"), "\(tried)")
    let added = try stand.session.suzu(
      "link", "add", "home", url, "--authority", authority.file, "--client-certificate", desktop.file, "--client-key",
      desktop.key)
    #expect(added.status == 0, "\(added)")
    tried = try stand.session.suzu("link", "test", "home")
    #expect(tried.status == 0, "\(tried)")
    // Its key is a secret.
    let file = "\(stand.folders.settings)/home.identity"
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    tried = try stand.session.suzu("link", "test", "home")
    #expect(tried.status == 78 && tried.errors.contains("others can read '"), "\(tried)")
    #expect(try stand.session.suzu("link", "remove", "home").status == 0)
    #expect(!FileManager.default.fileExists(atPath: file))
    server.kill()
  }
}
