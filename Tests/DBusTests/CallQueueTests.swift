// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Synchronization
import TestSupport
import Testing

/// Tests that with pacing a caller with many or long calls delays its own calls, not those of others, and that all are
/// answered in order.
@Suite(.timeLimit(.minutes(1))) struct CallQueueTests {
  /// A service whose `Hold` begins, is recorded, and ends when the door opens.
  private static func withService(
    pacing: CallPacing? = CallPacing(),
    _ body: @Sendable (_ opened: Door, _ begun: Inbox<String>, _ clients: [Connection]) async throws -> Void
  ) async throws {
    let (opened, begun) = (Door(), Inbox<String>())
    let hold = Method("Hold", in: ["name": "s", "data": "ay"], out: ["name": "s"]) { call in
      begun.put(call.arguments[0].string ?? "")
      await opened.wait()
      return [call.arguments[0]]
    }
    let bus = try PrivateBus(limits: Peers.sessionLimits)
    try await withLoop { loop in
      var options = Connection.Options()
      options.callPacing = pacing
      let server = try await bus.connect(on: loop, options)
      try await server.export(Interface(Peers.interface, methods: [hold]), at: Peers.path)
      _ = try await server.requestName(Peers.name)
      let clients = [try await bus.connect(on: loop), try await bus.connect(on: loop)]
      try await body(opened, begun, clients)
      for client in clients { await client.close() }
      await server.close()
    }
  }

  private static func hold(_ client: Connection, _ name: String, bytes: Int) async throws -> String? {
    let arguments: [Value] = [.string(name), .bytes([UInt8](repeating: 1, count: bytes))]
    return try await client.call(Peers.call("Hold", arguments)).first?.string
  }

  @Test(arguments: [(count: 40, bytes: 200_000), (count: 2000, bytes: 2000)])
  func `Calls of others overtake those of a caller with too much in progress`(_ bulk: (count: Int, bytes: Int))
    async throws
  {
    // Independent of how fast the calls arrive: it was enough on a fast machine that they came faster than 1 MiB in 50
    // ms.
    var pacing = CallPacing()
    pacing.behind = 0
    pacing.window = .milliseconds(100)
    try await Self.withService(pacing: pacing) { opened, begun, clients in
      let calls = (0..<bulk.count).map { index in
        Task { try await Self.hold(clients[0], "\(index)", bytes: bulk.bytes) }
      }
      // Some begin; the others wait for these to end.
      _ = try await begun.next()
      let other = Task { try await Self.hold(clients[1], "other", bytes: 10) }
      var before = 1
      while try await begun.next() != "other" { before += 1 }
      #expect(before < bulk.count / 2)
      opened.open()
      #expect(try await other.value == "other")
      for (index, call) in calls.enumerated() { #expect(try await call.value == "\(index)") }
    }
  }

  @Test func `The calls of one caller begin in the order in which they came, long or short`() async throws {
    try await Self.withService { opened, begun, clients in
      // Sent from one task on the loop, to keep their order.
      let sent = Task(executorPreference: clients[0].loop) {
        (0..<60).map { index in
          Task.immediate { try await Self.hold(clients[0], "\(index)", bytes: index % 3 == 0 ? 200_000 : 10) }
        }
      }
      opened.open()
      var order: [String] = []
      for _ in 0..<60 { order.append(try await begun.next()) }
      #expect(order == (0..<60).map(String.init))
      for call in await sent.value { _ = try await call.value }
    }
  }

  @Test func `Without pacing, every call begins as it comes`() async throws {
    try await Self.withService(pacing: nil) { opened, begun, clients in
      let calls = (0..<40).map { index in
        Task { try await Self.hold(clients[0], "\(index)", bytes: 200_000) }
      }
      // No call has been answered yet.
      let names = try await begun.next(40)
      #expect(Set(names).count == 40)
      opened.open()
      for (index, call) in calls.enumerated() { #expect(try await call.value == "\(index)") }
    }
  }
}
