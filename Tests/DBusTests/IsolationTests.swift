// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import TestSupport
import Testing

/// Tests that handlers, getters and setters run on the loop, in order.
@Suite(.timeLimit(.minutes(1))) struct IsolationTests {
  @Test func `Handlers, getters and setters run on the loop`() async throws {
    let places = Notes<String>()
    try await withBus(PrivateBus()) { loop, bus in
      let server = try await bus.connect(on: loop)
      @Sendable func note(_ place: String) { places.add("\(place) \(loop.isOnLoop)") }
      let `where` = MethodDescription("Where")
      let table = Interface(
        Peers.interface,
        methods: [
          Method(`where`) { connection, _ in
            connection.preconditionIsolated()
            note("handler")
            await loop.nextTurn()
            note("handler after a wait")
          }
        ],
        properties: [
          Property(
            "Place", String.self, set: { _, _ in note("setter") },
            get: { _, _ in
              note("getter")
              return "x"
            })
        ])
      try await server.export(table, at: Peers.path)
      let name = try #require(await server.uniqueName)
      let client = try await bus.connect(on: loop)
      let properties: InterfaceName = "org.freedesktop.DBus.Properties"
      try await client.call(MethodCall(to: name, Peers.path, Peers.interface, "Where"))
      try await client.call(
        MethodCall(to: name, Peers.path, properties, "Get", [.string(Peers.interface.text), "Place"]))
      try await client.call(
        MethodCall(to: name, Peers.path, properties, "Set", [.string(Peers.interface.text), "Place", .variant("y")]))
      #expect(places.all == ["handler true", "handler after a wait true", "getter true", "setter true"])
      await client.close()
      await server.close()
    }
  }

  /// `Set` was once a closure with a capture list, which moves to a thread pool: calls overtook each other.
  @Test func `Setters run in the order of the calls`() async throws {
    let values = Notes<Int32>()
    let last = Door()
    let number = Property(
      "Number", Int32.self,
      set: { [values, last] _, value in
        values.add(value)
        if value == 499 { last.open() }
      }, get: { _, _ in 0 })
    try await Peers.withPair(PrivateBus(), properties: [number]) { _, client in
      for number: Int32 in 0..<500 {
        try await client.post(
          MethodCall(
            to: Peers.name, Peers.path, "org.freedesktop.DBus.Properties", "Set",
            [.string(Peers.interface.text), "Number", .variant(.int32(number))]))
      }
      await last.wait()
      let isInOrder = values.all == Array(0..<500)
      #expect(isInOrder)
    }
  }

  /// A closure whose parameters are a pack loses its isolation with none or several of them (Swift 6.3), and one with a
  /// capture list did: its calls overtook those before. Large calls are read when they begin, or by the handler.
  @Test func `Handlers with any number of parameters begin on the loop, in the order of the calls`() async throws {
    let begun = Notes<String>()
    let last = Door()
    try await withBus(PrivateBus()) { loop, bus in
      let server = try await bus.connect(on: loop)
      let place = Place(loop: loop)
      @Sendable func note(_ text: String) {
        begun.add(loop.isOnLoop ? text : "\(text) elsewhere")
        if text == "99" { last.open() }
      }
      try await server.export(
        Interface(
          Peers.interface,
          methods: [
            Method(Self.none) { [weak place] _, _ in
              note("none")
              await place?.check()
              #expect(loop.isOnLoop)
            },
            Method(Self.one) { [weak place] _, text, _ in
              note(String(text.prefix(10)))
              await place?.check()
              #expect(loop.isOnLoop)
            },
            Method(Self.two) { [weak place] _, text, _, _ in
              note(text)
              await place?.check()
              #expect(loop.isOnLoop)
            },
            Method(unread: Self.unread) { [weak place] _, text, data, _ in
              note(try text.read())
              await place?.check()
              #expect(loop.isOnLoop)
              #expect(try data.read().count == 2000)
            },
          ]), at: Peers.path)
      _ = try await server.requestName(Peers.name)
      let client = try await bus.connect(on: loop)
      var wanted: [String] = []
      let texts = [String](repeating: "text", count: 2000)
      for number in 0..<100 {
        let text = "\(number)"
        switch number % 4 {
        case 0:
          try await client.post(Self.unread, of: Peers.object, text, texts)
          wanted.append(text)
        case 1:
          try await client.post(Self.none, of: Peers.object)
          wanted.append("none")
        case 2:
          let long = String(repeating: "x", count: 10_000)
          try await client.post(Self.one, of: Peers.object, long)
          wanted.append(String(long.prefix(10)))
        default:
          try await client.post(Self.two, of: Peers.object, text, texts)
          wanted.append(text)
        }
      }
      await last.wait()
      let all = begun.all
      #expect(all == wanted)
      await client.close()
      await server.close()
    }
  }

  private static let none = MethodDescription("None")
  private static let one = MethodDescription("One", in: ("text", String.self))
  private static let two = MethodDescription("Two", in: ("text", String.self), ("data", [String].self))
  private static let unread = MethodDescription("Unread", in: ("text", String.self), ("data", [String].self))

  /// An object on the loop that handlers wait for.
  private final class Place: Sendable {
    private let loop: EventLoop
    init(loop: EventLoop) { self.loop = loop }
    func check() async {
      #expect(loop.isOnLoop)
      await loop.nextTurn()
    }
  }
}
