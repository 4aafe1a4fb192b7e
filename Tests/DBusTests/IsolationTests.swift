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
      let table = Interface(
        Peers.interface,
        methods: [
          Method("Where") { _ in
            note("handler")
            // A sleep is meant: the handler is on the loop after any wait.
            try? await loop.sleep(for: .zero)
            note("handler after a wait")
            return []
          }
        ],
        properties: [
          Property(
            "Place", "s", set: { _ in note("setter") },
            get: {
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
    let values = Notes<Int64>()
    let last = Door()
    let number = Property(
      "Number", "i",
      set: { value in
        values.add(value.integer ?? -1)
        if value == .int32(499) { last.open() }
      }, get: { .int32(0) })
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
}
