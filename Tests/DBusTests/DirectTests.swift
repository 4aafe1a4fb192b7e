// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Synchronization
import TestSupport
import Testing

/// Tests what makes short programs: calls without descriptions, properties, typed signals, structures.
@Suite(.timeLimit(.minutes(1))) struct DirectTests {
  private static let level = PropertyDescription("Level", UInt32.self)
  private static let secret = PropertyDescription("Secret", [String].self)
  private static let changed = SignalDescription("Changed", ("level", UInt32.self), ("by", String.self))

  private static let other = SignalDescription("Other", ("level", UInt32.self))

  /// A service with a property that can be set.
  private final class Tank: Sendable {
    private let state = Mutex<UInt32>(7)

    var properties: [Property] {
      [
        Property(level) { connection, level in
          self.state.withLock { $0 = level }
          try await connection.propertiesChanged(["Level"], of: Peers.interface, at: Peers.path)
        } get: { _, _ in
          self.state.withLock { $0 }
        },
        Property(secret, changes: .invalidated) { _, _ in ["a", "b"] },
      ]
    }
  }

  @Test func `A call needs no description`() async throws {
    let add = MethodDescription("Add", in: ("a", Int32.self), ("b", Int32.self), out: ("sum", Int32.self))
    let two = MethodDescription("Two", out: ("a", String.self), ("b", [UInt8].self))
    let rows: [DBus.Method] = [
      Method(add) { _, a, b, _ in a + b }, Method(two) { _, _ in ("x", [1, 2]) },
      Method(MethodDescription("Nothing")) { _, _ in },
    ]
    try await Peers.withPair(PrivateBus(), rows) { _, client in
      #expect(try await client.call("Add", of: Peers.object, Int32(2), Int32(3), returning: Int32.self) == 5)
      let (text, bytes) = try await client.call("Two", of: Peers.object, returning: String.self, [UInt8].self)
      #expect(text == "x" && bytes == [1, 2])
      try await client.call("Nothing", of: Peers.object)
      // Results may be left out.
      try await client.call("Add", of: Peers.object, Int32(2), Int32(3))
      let error = await #expect(throws: CallError.self) {
        try await client.call("Add", of: Peers.object, Int32(2), returning: Int32.self)
      }
      #expect(error?.isRefusal(.invalidArgs) == true)
      let other = await #expect(throws: CallError.self) {
        try await client.call("Add", of: Peers.object, Int32(2), Int32(3), returning: String.self)
      }
      #expect(other?.failureCode == .unexpectedReply)
    }
  }

  @Test func `Structures have any number of fields`() async throws {
    typealias Session = Structure<String, UInt32, [String: Value], ObjectPath, Value>
    let echo = MethodDescription("Echo", in: ("all", [Session].self), out: ("all", [Session].self))
    let bus = try PrivateBus()
    try await Peers.withPair(bus, [Method(echo) { _, all, _ in all }]) { _, client in
      let sent = [
        Session("c1", 1000, ["a": "b"], "/a", .variant("twice")), Session("", 0, [:], "/", .structure([.byte(1)])),
      ]
      let reply = try await client.call("Echo", of: Peers.object, sent, returning: [Session].self)
      #expect(reply.map { $0.busValue } == sent.map { $0.busValue })
      let (name, user, words, path, value) = try #require(reply.first).fields
      #expect(name == "c1" && user == 1000 && words == ["a": "b"] && path == "/a" && value == .variant("twice"))
      #expect(Session.unpack(sent[0].busValue)?.fields.1 == 1000)
      #expect(Structure<String>.unpack(sent[0].busValue) == nil && Session.unpack("a") == nil)
      #expect(Structure<String, UInt32>.unpack(.structure(["a", "b"])) == nil)
      // Another client agrees on the signature.
      #expect(try bus.busctl("Echo", "a(sua{sv}ov)", "1", "x", "7", "0", "/", "s", "y").hasPrefix("a(sua{sv}ov) 1"))
    }
  }

  @Test func `Properties are read, set and followed`() async throws {
    let tank = Tank()
    try await Peers.withPair(PrivateBus(), properties: tank.properties) { server, client in
      #expect(try await client.value(of: Self.level, of: Peers.object) == 7)
      #expect(try await client.properties(of: Peers.object)["Level"] == .uint32(7))
      var levels = try await client.values(of: Self.level, of: Peers.object).makeAsyncIterator()
      var secrets = try await client.values(of: Self.secret, of: Peers.object).makeAsyncIterator()
      #expect(try await levels.next() == 7)
      #expect(try await secrets.next() == ["a", "b"])
      try await client.set(Self.level, of: Peers.object, to: 8)
      #expect(try await levels.next() == 8)
      try await server.propertiesChanged(["Secret"], of: Peers.interface, at: Peers.path)
      #expect(try await secrets.next() == ["a", "b"])
      let readOnly = await #expect(throws: CallError.self) {
        try await client.set(Self.secret, of: Peers.object, to: [])
      }
      #expect(readOnly?.isRefusal(.propertyReadOnly) == true)
      let wrong = await #expect(throws: CallError.self) {
        try await client.value(of: PropertyDescription("Level", String.self), of: Peers.object)
      }
      #expect(
        wrong == .failed(BusError(.unexpectedReply, "the property 'Level' is of type 'u', not 's'")))
      await client.close()
      let end = await #expect(throws: CallError.self) { _ = try await levels.next() }
      #expect(end?.failureCode == .closed)
    }
  }

  @Test func `Signals come with the types of their description`() async throws {
    try await Peers.withPair(PrivateBus()) { server, client in
      var changes = try await client.signals(Self.changed, of: Peers.object).makeAsyncIterator()
      // Another type, another name.
      try await server.emit(Signal(Peers.path, Peers.interface, "Changed", ["x"]))
      try await server.emit(Self.other, from: Peers.path, Peers.interface, 1)
      try await server.emit(Self.changed, from: Peers.path, Peers.interface, 9, "me")
      let (level, author) = try #require(try await changes.next())
      #expect(level == 9 && author == "me")
    }
  }

  @Test func `A service is exported and named in one call, once`() async throws {
    let bus = try PrivateBus()
    let address = try BusAddress(bus.address)
    let table = Interface(Peers.interface, methods: [Method(MethodDescription("Ping")) { _, _ in }])
    let first = try await Connection.open(address)
    let second = try await Connection.open(address)
    // Connections without a loop share one.
    #expect(first.loop === second.loop)
    try await first.serve(table, at: Peers.path, as: Peers.name)
    try await second.call("Ping", of: Peers.object)
    let error = await #expect(throws: CallError.self) {
      try await second.serve(table, at: Peers.path, as: Peers.name)
    }
    #expect(error?.failureCode == .nameTaken)
    // Nothing is left of it.
    try await second.serve(table, at: Peers.path, as: "dev.suzu.Test2")
    let waiting = Task { await first.untilClosed() }
    await first.close()
    await waiting.value
    await second.close()
  }
}
