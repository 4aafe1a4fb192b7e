// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import TestSupport
import Testing

@testable import Links

/// Tests links with servers of MQTT that die, repeat themselves or misbehave.
@Suite(.onOwnThread, .timeLimit(.minutes(2)))
struct FaultyBrokerTests {
  private static func withBroker(
    _ more: String = "", answering refusal: @escaping @Sendable (Int) throws -> Void = { _ in },
    _ body: @Sendable (BrokerStand, LinkStand, ScriptedCenter, RunningProgram, EventLoop) async throws -> Void
  ) async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let broker = try BrokerStand()
      let center = try await ScriptedCenter.start(on: stand.bus, loop, answering: refusal)
      try stand.write(server: broker.address, more)
      let link = try stand.start()
      try await body(broker, stand, center, link, loop)
      #expect(link.isRunning, "\(link.errors)")
      #expect(LinkStand.stop(link) == 0, "\(link.errors)")
      await center.stop()
    }
  }

  // MARK: Acknowledgments

  @Test func `A message is acknowledged once the center has it, and not before`() async throws {
    try await Self.withBroker(answering: { number in
      if number == 1 { throw RemoteError("dev.suzu.Error.Unavailable", "the disk is full") }
    }) { broker, stand, center, _, loop in
      let client = try await broker.accept()
      client.publish("one", number: 7)
      client.publish("two", number: 8)
      try await stand.state(on: loop) { $0.obstacle == "the disk is full" }
      #expect(client.packets.waiting.isEmpty)
      #expect(try await center.pushes.next(2).map(\.body) == ["one", "two"])
      #expect(try await client.packets.next() == [0x40, 2, 0, 7])
      #expect(try await client.packets.next() == [0x40, 2, 0, 8])
    }
  }

  @Test func `What a killed server has sent before is not passed on again`() async throws {
    try await Self.withBroker { broker, _, center, _, _ in
      let first = try await broker.accept()
      first.publish("one", number: 1)
      #expect(try await center.pushes.next().body == "one")
      #expect(try await first.packets.next() == [0x40, 2, 0, 1])
      first.close()
      // It has lost the acknowledgment, and may even have lost that it has sent the message.
      for isRepeated in [true, false] {
        let next = try await broker.accept(isResumed: true)
        next.publish("one", number: 1, isRepeated: isRepeated)
        #expect(try await next.packets.next() == [0x40, 2, 0, 1])
        next.close()
      }
      let last = try await broker.accept(isResumed: true)
      last.publish("two", number: 2)
      #expect(try await center.pushes.next().body == "two")
    }
  }

  @Test func `A connection that is lost before the center has a message repeats nothing`() async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let broker = try BrokerStand()
      try stand.write(server: broker.address)
      let link = try stand.start()
      let first = try await broker.accept()
      for number in 1...5 { first.publish("m\(number)", number: UInt16(number)) }
      try await stand.state(on: loop) { $0.obstacle != nil }
      first.close()
      // While the center is away, the server sends them again.
      let second = try await broker.accept(isResumed: true)
      for number in 1...5 { second.publish("m\(number)", number: UInt16(number), isRepeated: true) }
      second.publish("m6", number: 6)
      let center = try await ScriptedCenter.start(on: stand.bus, loop)
      #expect(try await center.pushes.next(6).map(\.body) == (1...6).map { "m\($0)" })
      for number in 1...6 { #expect(try await second.packets.next() == [0x40, 2, 0, UInt8(number)]) }
      #expect(center.pushes.waiting.isEmpty)
      #expect(LinkStand.stop(link) == 0, "\(link.errors)")
    }
  }

  @Test func `After its own death, the link gives a message the same id again`() async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let broker = try BrokerStand()
      let center = try await ScriptedCenter.start(on: stand.bus, loop)
      try stand.write(server: broker.address)
      let first = try stand.start()
      let before = try await broker.accept()
      before.publish("one", number: 9)
      before.publish("own", number: 10, [("id", "mine")])
      let ids = try await center.pushes.next(2).map(\.id)
      first.kill()
      let again = try stand.start()
      let after = try await broker.accept(isResumed: true)
      after.publish("one", number: 9, isRepeated: true)
      after.publish("own", number: 10, isRepeated: true, [("id", "mine")])
      after.publish("two", number: 11)
      let repeated = try await center.pushes.next(3)
      #expect(repeated.prefix(2).map(\.id) == ids && ids[1] == "mine")
      #expect(repeated[2].body == "two" && !ids.contains(repeated[2].id))
      #expect(LinkStand.stop(again) == 0)
    }
  }

  @Test func `A number that is used again is a new message`() async throws {
    try await Self.withBroker { broker, _, center, _, _ in
      let client = try await broker.accept()
      client.publish("The bell", number: 1)
      #expect(try await client.packets.next() == [0x40, 2, 0, 1])
      client.publish("The bell", number: 1)
      #expect(try await client.packets.next() == [0x40, 2, 0, 1])
      let pushes = try await center.pushes.next(2)
      #expect(Set(pushes.map(\.id)).count == 2 && pushes.allSatisfy { $0.body == "The bell" })
    }
  }

  @Test func `A number that is used twice at once ends the connection`() async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let broker = try BrokerStand()
      try stand.write(server: broker.address)
      let link = try stand.start()
      let client = try await broker.accept()
      client.publish("one", number: 1)
      client.publish("two", number: 1)
      #expect(try await client.packets.next() == [0xE0, 1, 0x82])
      #expect(LinkStand.stop(link) == 0)
    }
  }

  @Test func `A server that has forgotten the session begins anew`() async throws {
    try await Self.withBroker { broker, _, center, _, _ in
      let first = try await broker.accept()
      first.publish("one", number: 1)
      #expect(try await first.packets.next() == [0x40, 2, 0, 1])
      first.close()
      let second = try await broker.accept(isResumed: false)
      second.publish("one", number: 1)
      let pushes = try await center.pushes.next(2)
      #expect(Set(pushes.map(\.id)).count == 2)
    }
  }

  @Test func `The server learns of the name, the session and the limits of the link`() async throws {
    try await Self.withBroker(#""mostPending": 5"#) { broker, stand, _, _, _ in
      let client = try await broker.clients.next()
      let request = try await client.packets.next()
      // A session that goes on, for 7 days; at most 5 messages; the longest packet.
      let properties: [UInt8] = [13, 0x11, 0, 9, 0x3A, 0x80, 0x21, 0, 5, 0x27, 0, 0x12, 0x4F, 0x80]
      #expect(request[9] == 0 && Array(request[12...25]) == properties)
      let name = String(decoding: request[28...], as: UTF8.self)
      #expect(try stand.state()?.session?.client == name && name.count == 20)
      client.close()
      let second = try await broker.clients.next()
      #expect(try await second.packets.next() == request)
    }
  }

  @Test func `The server need not keep the session of a link that is removed`() async throws {
    let stand = try LinkStand()
    let broker = try BrokerStand()
    try stand.write(server: broker.address)
    let first = try stand.start()
    let before = try await broker.accept()
    #expect(LinkStand.stop(first) == 0)
    #expect(try await before.packets.next() == [0xE0, 0])
    let second = try stand.start()
    let after = try await broker.accept(isResumed: true)
    #expect(try stand.session.suzu("link", "remove", "home").status == 0)
    #expect(try await after.packets.next() == [0xE0, 7, 0, 5, 0x11, 0, 0, 0, 0])
    #expect(second.waitForExit() == 0, "\(second.errors)")
  }

  // MARK: States of topics

  @Test func `States that come again with a new session are not shown again`() async throws {
    try await Self.withBroker { broker, _, center, _, _ in
      let first = try await broker.accept()
      first.publish("on", to: "alarm", number: 1, isRetained: true)
      first.publish("closed", to: "door", number: 2, isRetained: true)
      let pushes = try await center.pushes.next(2)
      #expect(pushes.map { $0.options["collapse"]?.string } == ["home/topic/alarm", "home/topic/door"])
      #expect(try await first.packets.next(2) == [[0x40, 2, 0, 1], [0x40, 2, 0, 2]])
      first.close()
      let second = try await broker.accept(isResumed: false)
      second.publish("on", to: "alarm", number: 1, isRetained: true)
      second.publish("open", to: "door", number: 2, isRetained: true)
      #expect(try await center.pushes.next().body == "open")
      #expect(try await second.packets.next() == [0x40, 2, 0, 1])
      // The same state once more is news if it is sent anew.
      second.publish("on", to: "alarm", number: 3, isRetained: true)
      #expect(try await center.pushes.next().body == "on")
    }
  }

  @Test func `An empty state takes the notification down`() async throws {
    try await Self.withBroker { broker, _, center, _, _ in
      let client = try await broker.accept()
      client.publish("on", to: "alarm", number: 1, isRetained: true)
      #expect(try await center.pushes.next().body == "on")
      client.publish("", to: "alarm", number: 2, isRetained: true)
      let (cancelled, dismissed) = (try await center.withdrawn.next(), try await center.withdrawn.next())
      #expect(cancelled.member == "Cancel" && dismissed.member == "Dismiss")
      #expect(cancelled.ids == ["home/topic/alarm"] && dismissed.ids == ["home/topic/alarm"])
      #expect(dismissed.app == "org.example.Tea")
      #expect(try await client.packets.next(2) == [[0x40, 2, 0, 1], [0x40, 2, 0, 2]])
      client.publish("on", to: "alarm", number: 3, isRetained: true)
      #expect(try await center.pushes.next().body == "on")
    }
  }

  // MARK: Connections

  @Test func `A server that does not answer is given up`() async throws {
    try await Self.withBroker(#""silence": "1s""#) { broker, _, center, link, _ in
      let mute = try await broker.clients.next()
      try await mute.waitForClose()
      // This one goes silent after the subscription: the other end of a cable that was pulled out.
      let first = try await broker.accept()
      first.publish("one", number: 1)
      #expect(try await center.pushes.next().body == "one")
      #expect(try await first.next(0xC0) == [0xC0, 0])
      try await first.waitForClose()
      // One that answers is kept.
      let second = try await broker.accept(isResumed: true)
      for _ in 0..<4 {
        #expect(try await second.next(0xC0) == [0xC0, 0])
        second.send([0xD0, 0])
      }
      second.publish("two", number: 2)
      #expect(try await center.pushes.next().body == "two")
      #expect(link.errors.contains("warning: home: the server has been silent for too long"))
    }
  }

  @Test(
    arguments: [
      ([0x20, 3, 0, 0x86, 0], "bad user name or password", LinkState.Phase.refused),
      ([0x20, 3, 0, 0x84, 0], "does not speak MQTT 5", .refused), ([0x20, 2, 0, 1], "does not speak MQTT 5", .refused),
      ([0x20, 3, 0, 0x88, 0], "in trouble (MQTT 0x88)", .waiting),
      (Array("HTTP/1.1 400 Bad".utf8), "not one of MQTT 5", .waiting),
    ] as [([UInt8], String, LinkState.Phase)])
  func `A refusal is said`(answer: [UInt8], words: String, phase: LinkState.Phase) async throws {
    try await Self.withBroker { broker, stand, _, link, loop in
      let client = try await broker.clients.next()
      _ = try await client.packets.next()
      client.send(answer)
      try await stand.state(on: loop) { $0.phase == phase && $0.error?.contains(words) == true }
      #expect(link.errors.contains(words))
    }
  }

  @Test func `A subscription that is denied is said`() async throws {
    try await Self.withBroker { broker, stand, _, _, loop in
      let client = try await broker.clients.next()
      try await client.greet()
      _ = try await client.packets.next()
      client.send([0x90, 4, 0, 1, 0, 0x87])
      try await stand.state(on: loop) { $0.phase == .refused && $0.error?.contains("denies the topic") == true }
      #expect(try stand.session.suzu("link", "list").output.contains("denies the topic"))
    }
  }

  // MARK: Hostile bytes

  @Test(
    arguments: [
      [0x32, 0xFF, 0xFF, 0xFF, 0xFF, 1], [0x90, 0xFF, 0xFF, 0xFF, 0x7F], [0x32, 2, 0, 9], [0xF0, 0], [0x10, 0],
      [0x34, 6, 0, 1, 97, 0, 1, 0], [0x20, 3, 0, 0, 0], [0x90, 4, 0, 9, 0, 1], [0x40, 3, 0, 0, 0], [0xD0, 1, 1],
      [0x32, 0x81, 0x80, 1, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 16_383),
    ] as [[UInt8]])
  func `What is no MQTT ends the connection, and nothing else`(bytes: [UInt8]) async throws {
    try await Self.withBroker { broker, _, center, link, _ in
      let first = try await broker.accept()
      first.send(bytes)
      try await first.waitForClose()
      let second = try await broker.accept(isResumed: true)
      second.publish("good", number: 1)
      #expect(try await center.pushes.next().body == "good")
      #expect(link.errors.contains("the server sends what MQTT 5 does not permit"))
    }
  }

  @Test func `Messages that cannot be shown are acknowledged and counted`() async throws {
    try await Self.withBroker(#""longestMessage": 2048"#) { broker, stand, center, _, loop in
      let client = try await broker.accept()
      client.send([0x32, 7, 0, 1, 97, 0, 1, 1, 0x7F])  // a property that does not exist
      client.send([0x32, 7, 0, 1, 97, 0, 2, 0, 0xFF])  // no text
      client.publish("", number: 3)
      client.publish(String(repeating: "x", count: 10_000), number: 4)
      client.publish("a test", number: 5, [(MQTTMessage.testKey, "x")])
      client.publish("good", number: 6)
      for number in 1...6 { #expect(try await client.packets.next() == [0x40, 2, 0, UInt8(number)]) }
      #expect(try await center.pushes.next().body == "good")
      try await stand.state(on: loop) { $0.omissions == [.unreadable: 2, .binary: 1, .tooLong: 1] && $0.count == 1 }
    }
  }

  @Test func `Ten mebibytes from a server that knows no limits are left out`() async throws {
    try await Self.withBroker { broker, stand, center, link, loop in
      let client = try await broker.accept()
      client.publish(String(repeating: "x", count: 10 << 20), number: 1)
      client.publish("small", number: 2)
      #expect(try await center.pushes.next().body == "small")
      #expect(try await client.packets.next() == [0x40, 2, 0, 1])
      #expect(try FaultyServerTests.memory(of: link) < 64 << 10)
      try await stand.state(on: loop) { $0.omissions == [.tooLong: 1] }
    }
  }

  @Test func `More messages than may wait stay with the server`() async throws {
    try await withLoop { loop in
      let stand = try LinkStand()
      let broker = try BrokerStand()
      try stand.write(server: broker.address, #""mostPending": 3"#)
      let link = try stand.start()
      let client = try await broker.accept()
      for number in 1...9 { client.publish("m\(number)", number: UInt16(number)) }
      try await stand.state(on: loop) { $0.obstacle != nil && $0.session?.flights.count == 3 }
      let center = try await ScriptedCenter.start(on: stand.bus, loop)
      #expect(try await center.pushes.next(9).map(\.body) == (1...9).map { "m\($0)" })
      #expect(LinkStand.stop(link) == 0)
    }
  }

  @Test func `A flood of messages without acknowledgment waits, and memory does not grow`() async throws {
    try await Self.withBroker(#""messagesPerMinute": 10, "mostPending": 5, "silence": "1s""#) {
      broker, stand, center, link, _ in
      let client = try await broker.accept()
      Thread.detachNewThread {
        for number in 0..<20_000 where !client.publish("f\(number) " + String(repeating: "x", count: 500)) { return }
      }
      #expect(try await center.pushes.next(10).map { $0.body?.prefix(2) } == (0..<10).map { "f\($0)" })
      // It goes on to say that it is there while it does not read.
      for _ in 0..<4 { #expect(try await client.next(0xC0) == [0xC0, 0]) }
      let doctor = try stand.session.suzu("doctor").output
      #expect(doctor.contains("link home: flooded; more than 10 messages a minute come; the others wait"), "\(doctor)")
      #expect(try FaultyServerTests.memory(of: link) < 64 << 10)
      #expect(center.pushes.waiting.count < 3)
    }
  }
}
