// SPDX-License-Identifier: Apache-2.0
import DBus
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import Links

/// Tests `suzu link`: what it writes, refuses and shows, and what `suzu doctor` says of links.
@Suite(.onOwnThread, .timeLimit(.minutes(2)))
struct LinkCommandTests {
  private static let url = "https://ntfy.example.com/alerts"

  @Test func `A link is added with its secret and its authority, and removed with both`() throws {
    let stand = try LinkStand()
    let authority = try stand.session.folder.write(
      "-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n", to: "ca.pem")
    let added = try stand.session.suzu(
      "link", "add", "home", Self.url, "--login", "ann", "--password-file", "-", "--authority", authority,
      "--app", "org.example.Tea", "--format", "apns", "--allow-category", "one", "--category", "two",
      input: "open sesame\n")
    #expect(added.status == 0 && added.output == "" && added.errors == "", "\(added)")
    let link = try stand.folders.definition(of: try LinkName("home"))
    #expect(link.secret == .password(login: "ann", .file("home.secret")) && link.authority == "home.pem")
    #expect(
      link.app == "org.example.Tea" && link.format == .apns && link.categories == ["one"] && link.category == "two")
    #expect(try link.secret?.place.read(in: stand.folders.settings) == "open sesame")
    let again = try stand.session.suzu("link", "add", "home", Self.url)
    #expect(again.status == 65 && again.errors.contains("there is a link 'home' already"), "\(again)")
    #expect(try stand.session.suzu("link", "remove", "home").status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: stand.folders.settings) == [])
    let gone = try stand.session.suzu("link", "remove", "hom")
    #expect(gone.status == 65 && gone.errors.contains("no link has the name 'hom'"), "\(gone)")
  }

  @Test func `The topic of a link may be left out with MQTT, and may have slashes`() throws {
    let stand = try LinkStand()
    let user = try stand.session.run("id", "-un").output.dropLast()
    for (name, words, server, topic) in [
      ("a", ["mqtts://mqtt.example.com"], "mqtts://mqtt.example.com", "suzu/\(user)/#"),
      (
        "b", ["mqtts://[2001:db8::1]:9/", "--login", "ann", "--password-credential", "x"], "mqtts://[2001:db8::1]:9",
        "suzu/ann/#"
      ),
      ("c", ["MQTT://localhost:1883/alarms/+/#"], "mqtt://localhost:1883", "alarms/+/#"),
    ] {
      let added = try stand.session.suzu(["link", "add", name] + words)
      #expect(added.status == 0, "\(added)")
      let link = try stand.folders.definition(of: try LinkName(name))
      #expect(link.server.text == server && link.topic == topic, "\(link)")
      #expect(try stand.session.suzu("link", "list", "--json").output.contains("\"topic\":\"\(topic)\""))
    }
  }

  @Test func `A client certificate is copied with its key`() throws {
    let stand = try LinkStand()
    let authority = try TestAuthority()
    let (certificate, key) = try authority.certificate(for: "desktop.example")
    let url = "mqtts://mqtt.example.com"
    let without = try stand.session.suzu("link", "add", "home", url, "--client-certificate", certificate)
    #expect(without.status == 64 && without.errors.contains("has no private key; name its file with '--client-key'"))
    let both = try String(contentsOfFile: certificate, encoding: .utf8) + String(contentsOfFile: key, encoding: .utf8)
    let together = try authority.folder.write(both, to: "both.pem")
    #expect(try stand.session.suzu("link", "add", "home", url, "--client-certificate", together).status == 0)
    #expect(try String(contentsOfFile: "\(stand.folders.settings)/home.identity", encoding: .utf8) == both)
    let locked = try authority.folder.write(
      both.replacing("BEGIN PRIVATE", with: "BEGIN ENCRYPTED PRIVATE"), to: "l.pem")
    let refused = try stand.session.suzu("link", "add", "next", url, "--client-certificate", locked)
    #expect(refused.status == 65 && refused.errors.contains("the key has a password"), "\(refused)")
  }

  @Test(arguments: [
    (["add"], 64, "give a name, and the address of a topic: URL"),
    (["add", "home"], 64, "give a name, and the address of a topic: URL, or --unifiedpush"),
    (["add", "a/b", url], 65, "the name of a link must be 1 to 64 letters"),
    (["add", "home", "ntfy.example.com"], 65, "'ntfy.example.com' is not the address of a topic, such as https://"),
    (["add", "home", "https://ntfy.example.com"], 65, "is not the address of a topic"),
    (["add", "home", "http://ntfy.example.com/x"], 65, "the server must begin with 'https://'"),
    (["add", "home", "https://ann:pw@ntfy.example.com/x"], 65, "the server must be the address of a server"),
    (["add", "home", "https://ntfy.example.com/x y"], 65, "the topic 'x y' must be 1 to 64 letters"),
    (["add", "home", url, "--token-file", "/nowhere"], 65, "/nowhere: No such file or directory"),
    (["add", "home", url, "--token-file", "-"], 65, "standard input is empty"),
    (["add", "home", url, "--token-file", "/proc/self/maps"], 65, "'/proc/self/maps' is longer than 4096 bytes"),
    (["add", "home", url, "--login", "ann"], 64, "'--login' needs '--password-file' or '--password-credential'"),
    (["add", "home", url, "--password-credential", "x"], 64, "'--password-credential' needs '--login'"),
    (["add", "home", url, "--token-credential", "a/b"], 65, "must be the name of a credential of systemd"),
    (["add", "home", url, "--token-credential", "x", "--token-file", "y"], 64, "cannot be combined"),
    (
      ["add", "home", url, "--allow-level", "crtical"], 65,
      "'--allow-level crtical' is not a level; did you mean 'critical'?"
    ),
    (["add", "home", url, "--send", "a/b"], 65, "'--send' must be 1 to 64 letters, digits, dashes and underscores"),
    (["add", "home", url, "--send", "alerts"], 64, "'--send' must be another topic than that of the URL"),
    (["add", "home", url, "--send", "x", "--send-only"], 64, "'--send' and '--send-only' cannot be combined"),
    (["list", "--send-only"], 64, "'--send-only' is for 'suzu link add'"),
    (["add", "home", url, "--format", "xml"], 65, "'--format xml' must be text or apns"),
    (["add", "home", url, "--allow-category", "x"], 64, "'--allow-category' needs '--format apns'"),
    (["add", "home", url, "--authority", "/dev/null"], 65, "'/dev/null' has no certificate in PEM form"),
    (["add", "home", "mqtt://mqtt.example.com/x"], 65, "the server must begin with 'mqtts://'"),
    (["add", "home", "mqtts://ann:pw@mqtt.example.com/x"], 65, "the server must be the address of a server"),
    (["add", "home", "mqtts://mqtt.example.com/a/#/b"], 65, "the topic 'a/#/b' must be a topic, such as 'suzu/ann/#'"),
    (["add", "home", "mqtt://127.0.0.1/x", "--authority", "x"], 64, "'--authority' needs a server with TLS"),
    (["add", "home", url, "--client-key", "x"], 64, "'--client-key' needs '--client-certificate'"),
    (["add", "home", url, "--client-certificate", "/dev/null"], 65, "'/dev/null' has no certificate in PEM form"),
    (["add", "home", "http://127.0.0.1:9/x", "--client-certificate", "x"], 64, "needs a server with TLS"),
    (["ad"], 64, "'ad' is not one of list, add, show, test and remove; did you mean 'add'?"),
    (["list", "--app", "x"], 64, "'--app' is for 'suzu link add'"),
    (["remove", "--json"], 64, "'--json' is for 'suzu link list'"),
    (["test"], 64, "the name of a link is missing"),
    (["list", "home"], 64, "unexpected argument 'home'"),
  ])
  func `What is wrong is refused, and nothing is written`(words: [String], status: Int32, problem: String) throws {
    let stand = try LinkStand()
    let ended = try stand.session.suzu(["link"] + words)
    #expect(ended.status == status && ended.errors.contains(problem), "\(ended)")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: stand.folders.settings)) ?? []
    #expect(files == [])
  }

  /// With UnifiedPush; apart, because the compiler takes too long for one list.
  private static let wrongWords: [(words: [String], status: Int32, problem: String)] = [
    (["add", "--unifiedpush"], 64, "give a name, and the address of a topic: URL"),
    (["add", "home", url, "--unifiedpush"], 64, "unexpected argument '\(url)'"),
    (["add", "home", url, "--vapid", "x"], 64, "'--vapid' needs '--unifiedpush'"),
    (["add", "home", url, "--distributor", "kde"], 64, "'--distributor' needs '--unifiedpush'"),
    (["add", "home", "--unifiedpush", "--vapid", "BA1H"], 65, "'--vapid' must be the public key of a sender"),
    (["add", "home", "--unifiedpush", "--distributor", "a b"], 65, "'--distributor a b' must be the name of a"),
    (
      ["add", "home", "--unifiedpush", "--distributor", "org.example.X"], 65, "must be the name of a distributor on the"
    ),
    (["add", "home", "--unifiedpush", "--token-file", "x"], 64, "'--token-file' and '--unifiedpush' cannot be"),
    (["add", "home", "--unifiedpush", "--send-only"], 64, "'--send-only' and '--unifiedpush' cannot be combined"),
    (["show"], 64, "the name of a link is missing"),
    (["show", "home"], 65, "no link has the name 'home'"),
    (["list", "--vapid", "x"], 64, "'--vapid' is for 'suzu link add'"),
  ]

  @Test(arguments: wrongWords)
  func `With UnifiedPush, what is wrong is refused as well`(words: [String], status: Int32, problem: String) throws {
    try `What is wrong is refused, and nothing is written`(words: words, status: status, problem: problem)
  }

  @Test func `A link without an address for senders has none to show`() throws {
    let stand = try LinkStand()
    #expect(try stand.session.suzu("link", "add", "home", Self.url).status == 0)
    let shown = try stand.session.suzu("link", "show", "home")
    #expect(shown.status == 65 && shown.errors.contains("only one that was added with --unifiedpush has"), "\(shown)")
  }

  @Test func `A file with an error is shown with its place`() throws {
    let stand = try LinkStand()
    try stand.write(server: "https://a.example", #""tokn": "x""#)
    let listed = try stand.session.suzu("link", "list").output
    #expect(listed.contains("home  invalid") && listed.contains("'tokn' is not a known key"), "\(listed)")
    let doctor = try stand.session.suzu("doctor").output
    #expect(doctor.contains("partly   link home: ") && doctor.contains("line 1, column "), "\(doctor)")
    let tried = try stand.session.suzu("link", "test", "home")
    #expect(tried.status == 78 && tried.errors.contains("'tokn' is not a known key"), "\(tried)")
  }

  @Test func `A secret that others can read is refused`() async throws {
    let stand = try LinkStand()
    let server = try HTTPStand()
    try stand.writeSecret("tk_secret", mode: 0o644)
    try stand.write(server: server.address, #""tokenFile": "home.secret""#)
    let link = try stand.start()
    #expect(link.readErrors(until: "others can read '") != nil)
    try await withLoop { loop in _ = try await stand.state(on: loop) { $0.phase == .invalid } }
    #expect(server.requests.waiting.isEmpty)
    let listed = try stand.session.suzu("link", "list").output
    #expect(listed.contains("invalid") && listed.contains("chmod 600"), "\(listed)")
    // Once that is done, it goes on by itself.
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: "\(stand.folders.settings)/home.secret")
    #expect(try await server.requests.next().headers.contains("authorization: bearer tk_secret"))
    #expect(!(listed + link.errors).contains("tk_secret"))
    #expect(LinkStand.stop(link) == 0)
  }

  @Test func `Links are followed as they are added, changed and removed`() async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let server = try HTTPStand()
      let center = try await ScriptedCenter.start(on: stand.bus, loop)
      #expect(try stand.session.suzu("link", "add", "home", server.address + "/tea").status == 0)
      let link = try stand.start()
      let first = try await server.requests.next()
      first.open(HTTPStand.message("m1"))
      #expect(try await center.pushes.next().app == "dev.suzu.Link.home")
      try await stand.state(on: loop) { $0.count == 1 }
      let doctor = try stand.session.suzu("doctor").output
      #expect(doctor.contains("ok       link home: connected"), "\(doctor)")
      let listed = try stand.session.suzu("link", "list", "--json").output
      #expect(listed.contains(#""state":"connected""#) && listed.contains(#""count":1"#), "\(listed)")
      // Another one.
      #expect(try stand.session.suzu("link", "add", "next", server.address + "/next").status == 0)
      let next = try await server.requests.next()
      #expect(next.line == "GET /next/json HTTP/1.1")
      next.open()
      // A changed one connects again, and goes on behind the last message.
      try stand.write(server: server.address, #""levels": ["critical"]"#)
      let changed = try await server.requests.next()
      #expect(changed.line == "GET /tea/json?since=m1 HTTP/1.1")
      changed.open(HTTPStand.message("m2"))
      #expect(try await center.pushes.next().aps["interruption-level"]?.string == "critical")
      // Only that one: the other has kept its connection.
      #expect(server.requests.waiting.isEmpty)
      next.close()
      #expect(try stand.session.suzu("link", "remove", "next").status == 0)
      #expect(try stand.session.suzu("link", "remove", "home").status == 0)
      // Nothing is left to do.
      #expect(link.waitForExit() == 0, "\(link.errors)")
      #expect(try stand.state() == nil)
    }
  }

  @Test func `Without a link, the program ends at once, and a second one is refused`() async throws {
    let stand = try LinkStand()
    let idle = try stand.start()
    #expect(idle.waitForExit() == 0 && idle.errors.contains("no link is set up"))
    let server = try HTTPStand()
    try stand.write(server: server.address)
    let first = try stand.start()
    _ = try await server.requests.next()
    let second = try stand.start()
    #expect(second.waitForExit() == 69 && second.errors.contains("suzu-link runs already"), "\(second.errors)")
    #expect(LinkStand.stop(first) == 0)
    let doctor = try stand.session.suzu("doctor").output
    #expect(doctor.contains("link home: suzu-link does not run"), "\(doctor)")
  }

  @Test func `A credential of systemd signs in`() async throws {
    let stand = try LinkStand()
    let server = try HTTPStand()
    let folder = try TemporaryFolder()
    try folder.write("tk_secret", to: "ntfy")
    #expect(
      try stand.session.suzu("link", "add", "home", server.address + "/tea", "--token-credential", "ntfy").status == 0)
    let link = try stand.start(["CREDENTIALS_DIRECTORY": folder.url.path])
    #expect(try await server.requests.next().headers.contains("authorization: bearer tk_secret"))
    #expect(LinkStand.stop(link) == 0)
  }
}
