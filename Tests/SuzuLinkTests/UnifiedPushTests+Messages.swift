// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import Links

/// Tests which messages over UnifiedPush are shown, and when they are acknowledged.
extension UnifiedPushTests {
  @Test(arguments: WebPushSender.allCases)
  func `What a sender encrypts is shown`(sender: WebPushSender) async throws {
    try await Self.withLink("--format", "apns", "--allow-category", "backup") { scene in
      let center = try await ScriptedCenter.start(on: scene.stand.bus, scene.loop)
      let payload = #"{"aps": {"alert": {"title": "Backup", "body": "Grüße"}, "category": "backup"}}"#
      let message = try scene.encrypt(payload, sender)
      #expect(try await scene.distributor.deliver(message, to: scene.registration, id: "m1") == "m1")
      let push = try await center.pushes.next()
      #expect(push.app == "org.example.Tea" && push.title == "Backup" && push.body == "Grüße")
      #expect(push.aps["category"]?.string == "backup" && push.id?.count == 43)
      #expect(push.options["categories"]?.elements?.compactMap(\.string) == ["backup"])
      #expect(push.options["collapse"]?.string == "home/\(push.id ?? "?")")
      // A second delivery has the same id, by which the center knows it, whatever the distributor calls it.
      #expect(try await scene.distributor.deliver(message, to: scene.registration) == nil)
      #expect(try await center.pushes.next().id == push.id)
      #expect(try await scene.distributor.deliver(scene.encrypt(payload, sender), to: scene.registration, id: "") == "")
      #expect(try await center.pushes.next().id != push.id)
    }
  }

  @Test func `A message is acknowledged when the center has it, and not before`() async throws {
    try await Self.withLink { scene in
      let answers = Inbox<String?>()
      let message = try scene.encrypt("one")
      let delivery = Task {
        answers.put(try await scene.distributor.deliver(message, to: scene.registration, id: "m1"))
      }
      try await scene.stand.state(on: scene.loop) { $0.obstacle != nil }
      #expect(answers.waiting.isEmpty)
      let center = try await ScriptedCenter.start(on: scene.stand.bus, scene.loop)
      #expect(try await center.pushes.next().body == "one")
      #expect(try await answers.next() == "m1")
      try await delivery.value
    }
  }

  @Test func `What the link had not passed on when it ended is not acknowledged`() async throws {
    try await Self.withLink { scene in
      let message = try scene.encrypt("one")
      let delivery = Task { try await scene.distributor.deliver(message, to: scene.registration, id: "m1") }
      try await scene.stand.state(on: scene.loop) { $0.obstacle != nil }
      #expect(LinkStand.stop(scene.link) == 0)
      await #expect(throws: CallError.self) { try await delivery.value }
      let center = try await ScriptedCenter.start(on: scene.stand.bus, scene.loop)
      let again = try scene.stand.startConnected()
      #expect(try await scene.distributor.deliver(message, to: scene.registration, id: "m1") == "m1")
      #expect(try await center.pushes.next().body == "one")
      #expect(LinkStand.stop(again) == 0)
    }
  }

  @Test func `What cannot be decrypted is left out, and said`() async throws {
    try await Self.withLink { scene in
      let (stand, distributor, registration) = (scene.stand, scene.distributor, scene.registration)
      let center = try await ScriptedCenter.start(on: stand.bus, scene.loop)
      let message = try scene.encrypt("secret text")
      var damaged = message
      damaged[damaged.count - 1] ^= 1
      // Of another link.
      var generator = SystemRandomNumberGenerator()
      let keys = try PushKeys(PushKeys.line(using: &generator))
      let other = PushSubscription(endpoint: "https://push.example.com/x", publicKey: Self.vapid, keys)
      let foreign = try WebPushSender.httpECE.encrypt("secret text", for: other.plain.json)
      // All are acknowledged: no other delivery would change that.
      for (index, bytes) in [
        damaged, foreign, Array("plain text".utf8), Array(message.prefix(50)), [], [UInt8](repeating: 1, count: 4097),
        [UInt8](repeating: 1, count: 60_000),
      ].enumerated() {
        #expect(try await distributor.deliver(bytes, to: registration, id: "m\(index)") == "m\(index)")
      }
      try await stand.state(on: scene.loop) { $0.omissions == [.undecipherable: 2, .unencrypted: 3, .tooLong: 2] }
      // Too long to be read at all.
      await #expect(throws: CallError.self) {
        try await distributor.deliver([UInt8](repeating: 1, count: 100_000), to: registration)
      }
      let words = "2 were too long, 3 were not encrypted, 2 could not be decrypted"
      let listed = try stand.session.suzu("link", "list", "--json").output
      #expect(listed.contains(words), "\(listed)")
      let doctor = try stand.session.suzu("doctor").output
      #expect(doctor.contains("ok       link home: connected; \(words)"), "\(doctor)")
      #expect(scene.link.errors.contains("left out a message: it was encrypted for another key, or is damaged"))
      // The next one comes.
      #expect(try await distributor.deliver(message, to: registration, id: "good") == "good")
      #expect(try await center.pushes.next().body == "secret text" && !scene.link.errors.contains("secret"))
    }
  }

  @Test func `Calls with another token, or without their words, are ignored`() async throws {
    try await Self.withLink { scene in
      let center = try await ScriptedCenter.start(on: scene.stand.bus, scene.loop)
      let message = try scene.encrypt("hello")
      let stranger = ScriptedDistributor.Registration(
        version: 2, service: "dev.suzu.Link", token: "other", description: nil, vapid: nil)
      #expect(try await scene.distributor.deliver(message, to: stranger, id: "m1") == "m1")
      try await scene.distributor.give("https://evil.example.com/x", to: stranger)
      try await scene.distributor.end(stranger)
      let words = MethodDescription("Message", in: ("args", [String: Value].self), out: ("res", [String: Value].self))
      let raw = try await scene.stand.bus.connect(on: scene.loop)
      for arguments: [String: Value] in [
        [:], ["token": .string(scene.registration.token)], ["token": .int64(1), "message": .bytes(message)],
        ["token": .string(scene.registration.token), "message": .string("x")],
      ] {
        let answer = try await raw.call(
          words, of: RemoteObject("dev.suzu.Link", "/org/unifiedpush/Connector", "org.unifiedpush.Connector2"),
          arguments)
        #expect(answer.isEmpty)
      }
      await raw.close()
      #expect(try await scene.distributor.deliver(message, to: scene.registration) == nil)
      #expect(try await center.pushes.next().body == "hello" && center.pushes.waiting.isEmpty)
      #expect(try scene.stand.state()?.endpoint == ScriptedDistributor.endpoint)
      #expect(scene.distributor.registrations.waiting.isEmpty)
    }
  }

  @Test func `While the center is away, only so many messages wait, and the others are not acknowledged`()
    async throws
  {
    try await withLoop { loop in
      let stand = try LinkStand()
      let distributor = try await ScriptedDistributor.start(on: stand.bus, loop)
      try Self.add(stand)
      let file = "\(stand.folders.settings)/home.json"
      let text = try String(contentsOfFile: file, encoding: .utf8)
      try text.replacing("\n}", with: ",\n  \"mostPending\": 3\n}").write(
        toFile: file, atomically: true, encoding: .utf8)
      let link = try stand.startConnected()
      let registration = try await distributor.registrations.next()
      try await stand.state(on: loop) { $0.endpoint != nil }
      let shown = try stand.session.suzu("link", "show", "home").output
      let messages = try (0..<5).map { try WebPushSender.httpECE.encrypt("n\($0)", for: shown) }
      let refused = Inbox<Int>()
      let taken = Inbox<String?>()
      for (number, message) in messages.enumerated() {
        Task {
          do { taken.put(try await distributor.deliver(message, to: registration, id: "n\(number)")) } catch {
            refused.put(number)
          }
        }
      }
      _ = try await refused.next(2)
      try await stand.state(on: loop) { $0.omissions == [.overflow: 2] }
      let center = try await ScriptedCenter.start(on: stand.bus, loop)
      #expect(try await center.pushes.next(3).count == 3)
      _ = try await taken.next(3)
      try await stand.state(on: loop) { $0.obstacle == nil && $0.count == 3 }
      let listed = try stand.session.suzu("link", "list", "--json").output
      #expect(listed.contains("2 came while too many waited"), "\(listed)")
      #expect(LinkStand.stop(link) == 0 && center.pushes.waiting.isEmpty)
    }
  }
}
