// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Glibc
import TestSupport
import Testing

/// Tests opening and closing a connection, and the end of its loop.
@Suite(.timeLimit(.minutes(1))) struct ConnectionTests {
  @Test func `A connection gets a unique name and an answer`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let connection = try await bus.connect(on: loop)
      #expect(await connection.uniqueName?.isUnique == true)
      let reply = try await connection.call(.toBus("GetId"))
      #expect(reply.first?.string?.isEmpty == false)
      await connection.close()
    }
  }

  @Test func `An exported table answers gdbus`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let connection = try await bus.connect(on: loop)
      let table = Interface(
        "dev.suzu.Test1",
        methods: [
          Method("Double", in: ["n": "i"], out: ["twice": "i"]) { call in
            guard case .int32(let n) = call.arguments[0] else { return [] }
            return [.int32(2 * n)]
          }
        ])
      try await connection.export(table, at: "/dev/suzu/Test")
      #expect(try await connection.requestName("dev.suzu.Test") == .owner)
      let result = try RunningProgram.run(
        "gdbus",
        ["call", "--session", "-d", "dev.suzu.Test", "-o", "/dev/suzu/Test", "-m", "dev.suzu.Test1.Double", "21"],
        environment: bus.environment)
      #expect(result.output == "(42,)\n")
      await connection.close()
    }
  }

  // MARK: A loop that ends before its connections

  @Test func `A connection whose loop has ended is closed, and its waiting calls fail`() async throws {
    let bus = try PrivateBus(limits: Peers.sessionLimits)
    let loop = try EventLoop.onOwnThread(named: "test")
    let connection = try await bus.connect(on: loop)
    let signals = try await connection.signals(matching: MatchRule(interface: "a.b"))
    let owners = try await connection.owners(of: "dev.suzu.Unowned")
    bus.freeze()
    defer { bus.thaw() }
    let waiting = Task { await connection.failure(of: .toBus("GetId"), limit: .seconds(3600)) }
    // The task waits by then.
    _ = await connection.failure(of: .toBus("GetId"), limit: .zero)
    loop.stopAndWait()
    #expect(await waiting.value?.failureCode == .closed)
    #expect(await connection.failure(of: .toBus("GetId"))?.failureCode == .closed)
    await #expect(throws: BusError.self) { for try await _ in signals {} }
    for await owner in owners { #expect(owner == nil) }
    await connection.close()
    let late = await #expect(throws: CallError.self) { try await bus.connect(on: loop) }
    #expect(late?.failureCode == .closed)
  }

  @Test func `A connection released after the end of its loop leaves the bus and frees its memory`() async throws {
    try await withBus(PrivateBus()) { other, bus in
      let watcher = try await bus.connect(on: other)
      var changes = try await watcher.signals(
        matching: MatchRule(sender: .bus, interface: "org.freedesktop.DBus", member: "NameOwnerChanged")
      ).makeAsyncIterator()
      let freed = Inbox<Void>()
      weak var leftover: Connection?
      let name = try await {
        let loop = try EventLoop.onOwnThread(named: "test")
        let connection = try await bus.connect(on: loop)
        leftover = connection
        let sentinel = Sentinel { freed.put(()) }
        try await withCheckedThrowingContinuation { continuation in
          loop.perform {
            // The thread ends with the loop, which the connection retains; the signal is blocked on this thread only.
            continuation.resume(with: Result { try loop.onSignal(SIGUSR1) { _ = sentinel } })
          }
        }
        loop.stopAndWait()
        return await connection.uniqueName
      }()
      try await freed.next()
      #expect(leftover == nil)
      #expect(name == nil, "it was closed with its loop")
      let came = try await changes.next()?.arguments
      let went = try await changes.next()?.arguments
      #expect(came?[0] == went?[0] && went?[2] == "")
      await watcher.close()
    }
  }

  private final class Sentinel: Sendable {
    let onEnd: @Sendable () -> Void
    init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
    deinit { onEnd() }
  }
}
