// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import Links

/// Tests links over UnifiedPush: a scripted distributor, the messages of real senders, and a scripted center.
@Suite(.onOwnThread, .timeLimit(.minutes(2)), .enabled(if: WebPushSender.isPossible, "no packages of PyPI"))
struct UnifiedPushTests {
  static let vapid = "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"

  /// What a test works with, once the link is connected.
  struct Scene {
    let stand: LinkStand
    let distributor: ScriptedDistributor
    let registration: ScriptedDistributor.Registration
    let link: RunningProgram
    let loop: EventLoop

    func encrypt(_ text: String, _ sender: WebPushSender = .httpECE) throws -> [UInt8] {
      try sender.encrypt(text, for: stand.session.suzu("link", "show", "home").output)
    }
  }

  static func add(_ stand: LinkStand, _ more: String...) throws {
    let added = try stand.session.suzu(
      ["link", "add", "home", "--unifiedpush", "--app", "org.example.Tea"] + more)
    guard added.status == 0, added.errors.isEmpty else { throw TestFailure("\(added)") }
  }

  static func withLink(
    _ more: String..., versions: Set<Int> = [1, 2], _ body: @Sendable (Scene) async throws -> Void
  ) async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let distributor = try await ScriptedDistributor.start(on: stand.bus, loop, versions: versions)
      let added = try stand.session.suzu(
        ["link", "add", "home", "--unifiedpush", "--app", "org.example.Tea"] + more)
      #expect(added.status == 0, "\(added)")
      let link = try stand.startConnected()
      let registration = try await distributor.registrations.next()
      try await stand.state(on: loop) { $0.phase == .connected && $0.endpoint != nil }
      try await body(
        Scene(stand: stand, distributor: distributor, registration: registration, link: link, loop: loop))
      #expect(LinkStand.stop(link) == 0, "\(link.errors)")
    }
  }

  // MARK: Registering

  @Test func `A link registers, and shows what a sender needs`() async throws {
    try await Self.withLink("--vapid", Self.vapid) { scene in
      let registration = scene.registration
      #expect(registration.version == 2 && registration.service == "dev.suzu.Link")
      #expect(registration.description == "Suzu: home" && registration.vapid == Self.vapid)
      #expect(registration.token.utf8.count == 36)
      let secret = "\(scene.stand.folders.settings)/home.secret"
      let mode = try FileManager.default.attributesOfItem(atPath: secret)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      let shown = try scene.stand.session.suzu("link", "show", "home")
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(shown.output.utf8)) as? [String: Any], "\(shown)")
      #expect(object["endpoint"] as? String == ScriptedDistributor.endpoint)
      let keys = try #require(object["keys"] as? [String: String])
      #expect(keys["p256dh"]?.count == 87 && keys["auth"]?.count == 22)
      let listed = try scene.stand.session.suzu("link", "list", "--json").output
      for part in [
        #""state":"connected""#, #""endpoint":"https://push.example.com/up/1""#,
        "\"p256dh\":\"\(keys["p256dh"] ?? "")\"",
        "\"vapid\":\"\(Self.vapid)\"", #""distributor":"org.unifiedpush.Distributor.test""#,
      ] {
        #expect(listed.contains(part), "\(listed)")
      }
      // Only what is asked for by name has the secret, and nothing has the private key or the token.
      let key = try String(contentsOfFile: secret, encoding: .utf8).prefix(40)
      #expect(!listed.contains(keys["auth"] ?? "?") && !(listed + shown.output + scene.link.errors).contains(key))
      #expect(!(listed + shown.output + scene.link.errors).contains(registration.token))
      let doctor = try scene.stand.session.suzu("doctor").output
      #expect(doctor.contains("ok       link home: connected"), "\(doctor)")
    }
  }

  @Test func `A distributor of version 1 is spoken to in its words`() async throws {
    try await Self.withLink("--vapid", Self.vapid, versions: [1]) { scene in
      let center = try await ScriptedCenter.start(on: scene.stand.bus, scene.loop)
      #expect(scene.registration.version == 1 && scene.registration.description == "Suzu: home")
      try await scene.distributor.deliverFirst(scene.encrypt("hello"), to: scene.registration)
      #expect(try await center.pushes.next().body == "hello")
      #expect(try scene.stand.session.suzu("link", "remove", "home").status == 0)
      let ended = try await scene.distributor.unregistrations.next()
      #expect(ended.version == 1 && ended.token == scene.registration.token)
      #expect(scene.link.waitForExit() == 0)
    }
  }

  @Test func `The token and the keys stay, also if the state is lost`() async throws {
    try await Self.withLink { scene in
      let shown = try scene.stand.session.suzu("link", "show", "home").output
      #expect(LinkStand.stop(scene.link) == 0)
      try FileManager.default.removeItem(atPath: scene.stand.folders.state(of: LinkName("home")))
      let none = try scene.stand.session.suzu("link", "show", "home")
      #expect(none.status == 69 && none.errors.contains("no distributor has given the link an address"), "\(none)")
      let again = try scene.stand.startConnected()
      #expect(try await scene.distributor.registrations.next().token == scene.registration.token)
      try await scene.stand.state(on: scene.loop) { $0.endpoint != nil }
      #expect(try scene.stand.session.suzu("link", "show", "home").output == shown)
      #expect(LinkStand.stop(again) == 0)
    }
  }

  @Test(arguments: [
    ("NETWORK", LinkState.Phase.waiting, "the distributor has no network"),
    ("INTERNAL_ERROR", .waiting, "the distributor has failed"),
    ("ACTION_REQUIRED", .refused, "the distributor needs you, such as to sign in"),
    ("VAPID_REQUIRED", .refused, "add the link again with --vapid"),
    ("UNAUTHORIZED", .refused, "does not permit suzu-link"),
    ("of next year", .refused, "the distributor refuses the registration"),
  ])
  func `A refused registration is explained`(reason: String, phase: LinkState.Phase, words: String) async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let distributor = try await ScriptedDistributor.start(on: stand.bus, loop) { _ in .refusal(reason) }
      try Self.add(stand)
      let link = try stand.start()
      let state = try await stand.state(on: loop) { $0.phase == phase }
      #expect(state.error?.contains(words) == true, "\(state)")
      let tried = try stand.session.suzu("link", "test", "home")
      #expect(tried.status == 69 && tried.errors.contains(words), "\(tried)")
      if phase == .refused {
        let doctor = try stand.session.suzu("doctor").output
        #expect(doctor.contains("partly   link home: refused; ") && doctor.contains(words), "\(doctor)")
      }
      #expect(distributor.unregistrations.waiting.isEmpty && LinkStand.stop(link) == 0)
    }
  }

  @Test func `An address that is not on the web is refused, and a later one taken`() async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let distributor = try await ScriptedDistributor.start(on: stand.bus, loop) { _ in .endpoint("file:///etc/x") }
      try Self.add(stand)
      let link = try stand.start()
      let registration = try await distributor.registrations.next()
      try await stand.state(on: loop) { $0.phase == .refused && $0.endpoint == nil }
      try await distributor.give("https://push.example.com/" + String(repeating: "x", count: 1000), to: registration)
      try await distributor.give("https://push.example.com/2", to: registration)
      let state = try await stand.state(on: loop) { $0.phase == .connected }
      #expect(state.endpoint == "https://push.example.com/2")
      // And a new one at any time.
      try await distributor.give("https://push.example.com/3", to: registration)
      try await stand.state(on: loop) { $0.endpoint == "https://push.example.com/3" }
      #expect(LinkStand.stop(link) == 0)
    }
  }

  @Test func `The registration is tried out`() async throws {
    try await Self.withLink { scene in
      let tried = try scene.stand.session.suzu("link", "test", "home")
      let words = /^home: the distributor 'org.unifiedpush.Distributor.test' took the registration within \d+ ms\n$/
      #expect(tried.status == 0 && tried.output.wholeMatch(of: words) != nil, "\(tried)")
      #expect(try await scene.distributor.registrations.next().token == scene.registration.token)
    }
  }

  // MARK: Distributors

  @Test func `Without a distributor the link waits, and uses the first that comes`() async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      try Self.add(stand)
      let link = try stand.start()
      let state = try await stand.state(on: loop) { $0.phase == .waiting }
      #expect(state.error?.hasPrefix("no distributor of UnifiedPush runs; install one") == true)
      let other = try await stand.bus.connect(on: loop)
      _ = try await other.requestName("org.example.Other")
      let distributor = try await ScriptedDistributor.start(on: stand.bus, loop)
      _ = try await distributor.registrations.next()
      try await stand.state(on: loop) { $0.phase == .connected }
      await other.close()
      #expect(LinkStand.stop(link) == 0)
    }
  }

  @Test func `Of several, the user chooses one`() async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let first = try await ScriptedDistributor.start(on: stand.bus, loop)
      let second = try await ScriptedDistributor.start(on: stand.bus, loop, name: "org.unifiedpush.Distributor.second")
      try Self.add(stand)
      let link = try stand.start()
      let state = try await stand.state(on: loop) { $0.phase == .refused }
      #expect(
        state.error?.contains(
          "(org.unifiedpush.Distributor.second, org.unifiedpush.Distributor.test); add the link again with --distributor"
        ) == true, "\(state)")
      #expect(LinkStand.stop(link) == 0)
      #expect(try stand.session.suzu("link", "remove", "home").status == 0)
      try Self.add(stand, "--distributor", "second")
      let again = try stand.startConnected()
      _ = try await second.registrations.next()
      #expect(first.registrations.waiting.isEmpty && LinkStand.stop(again) == 0)
    }
  }

  @Test func `A distributor that leaves and comes back gets the same registration, and another one does not`()
    async throws
  {
    try await Self.withLink { scene in
      let (stand, loop) = (scene.stand, scene.loop)
      await scene.distributor.stop()
      let lost = try await stand.state(on: loop) { $0.phase == .waiting }
      #expect(lost.error?.contains("'org.unifiedpush.Distributor.test'") == true, "\(lost)")
      // Its address stays: senders have it.
      #expect(lost.endpoint == ScriptedDistributor.endpoint)
      let other = try await ScriptedDistributor.start(on: stand.bus, loop, name: "org.unifiedpush.Distributor.other")
      let back = try await ScriptedDistributor.start(on: stand.bus, loop)
      let registration = try await back.registrations.next()
      #expect(registration.token == scene.registration.token && other.registrations.waiting.isEmpty)
      try await stand.state(on: loop) { $0.phase == .connected }
      let center = try await ScriptedCenter.start(on: stand.bus, loop)
      #expect(try await back.deliver(scene.encrypt("again"), to: registration, id: "m1") == "m1")
      #expect(try await center.pushes.next().body == "again")
    }
  }

  @Test func `A registration that the distributor ends is made again`() async throws {
    try await Self.withLink { scene in
      try await scene.distributor.end(scene.registration)
      let again = try await scene.distributor.registrations.next()
      #expect(again.token == scene.registration.token)
      try await scene.stand.state(on: scene.loop) { $0.phase == .connected }
      #expect(scene.link.errors.contains("warning: home: the distributor has ended the registration"))
    }
  }

  @Test func `Removing the link ends the registration, whether suzu-link runs or not`() async throws {
    try await Self.withLink { scene in
      let (stand, distributor) = (scene.stand, scene.distributor)
      #expect(try stand.session.suzu("link", "remove", "home").status == 0)
      #expect(try await distributor.unregistrations.next().token == scene.registration.token)
      #expect(scene.link.waitForExit() == 0)
      try Self.add(stand)
      let again = try stand.startConnected()
      let registration = try await distributor.registrations.next()
      try await stand.state(on: scene.loop) { $0.distributor != nil }
      #expect(registration.token != scene.registration.token && LinkStand.stop(again) == 0)
      #expect(distributor.unregistrations.waiting.isEmpty)
      #expect(try stand.session.suzu("link", "remove", "home").status == 0)
      let ended = try await distributor.unregistrations.next()
      #expect(ended.version == 2 && ended.token == registration.token)
      #expect(try FileManager.default.contentsOfDirectory(atPath: stand.folders.settings) == [])
    }
  }

  @Test func `Without its name on the bus, the program registers nothing, and says why`() async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let distributor = try await ScriptedDistributor.start(on: stand.bus, loop)
      let other = try await stand.bus.connect(on: loop)
      #expect(try await other.requestName("dev.suzu.Link") == .owner)
      try Self.add(stand)
      let link = try stand.start()
      let state = try await stand.state(on: loop) { $0.phase == .refused }
      #expect(state.error?.contains("another program has the name dev.suzu.Link on the bus") == true, "\(state)")
      #expect(distributor.registrations.waiting.isEmpty && LinkStand.stop(link) == 0)
      await other.close()
    }
  }

  @Test func `Keys that others can read, or that are none, are refused`() async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let distributor = try await ScriptedDistributor.start(on: stand.bus, loop)
      try Self.add(stand)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: "\(stand.folders.settings)/home.secret")
      let link = try stand.start()
      try await stand.state(on: loop) { $0.phase == .invalid && $0.error?.contains("chmod 600") == true }
      try FileManager.default.removeItem(atPath: "\(stand.folders.settings)/home.secret")
      try stand.writeSecret("none")
      try await stand.state(on: loop) { $0.phase == .invalid && $0.error?.contains("64 random bytes") == true }
      let tried = try stand.session.suzu("link", "test", "home")
      #expect(tried.status == 78 && tried.errors.contains("64 random bytes"), "\(tried)")
      #expect(distributor.registrations.waiting.isEmpty && LinkStand.stop(link) == 0)
    }
  }
}
