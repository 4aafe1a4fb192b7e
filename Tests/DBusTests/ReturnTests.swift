// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import TestSupport
import Testing

/// Tests a bus that ends, hangs or comes back.
@Suite(.timeLimit(.minutes(1))) struct ReturnTests {
  static var returning: Connection.Options {
    var options = Connection.Options()
    options.reconnects = true
    return options
  }

  static func echo(_ text: String) -> MethodCall { Peers.call("Echo", [.variant(.string(text))]) }

  @Test func `Every waiting call ends with the bus, and the process lives on`() async throws {
    let end = Door()
    let called = Notes<Int>()
    let all = Door()
    let hang = Method("Hang") { _ in
      called.add(1)
      if called.all.count == 100 { all.open() }
      await end.wait()
      return []
    }
    let bus = try PrivateBus()
    try await Peers.withPair(bus, [hang]) { server, client in
      var owners = try await client.owners(of: Peers.name).makeAsyncIterator()
      #expect(await owners.next() == .some(await server.uniqueName))
      var events = await client.events().makeAsyncIterator()
      let codes = await withTaskGroup { group in
        for _ in 0..<100 { group.addTask { await client.failure(of: Peers.call("Hang"))?.failureCode } }
        await all.wait()
        bus.kill()
        return await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(codes == [.disconnected])
      #expect(await events.next() == .disconnected)
      #expect(await events.next() == nil)
      #expect(await owners.next() == nil)
      #expect(await client.failure(of: Peers.call("Hang"))?.failureCode == .disconnected)
      await #expect(throws: BusError.self) { try await client.post(Peers.call("Hang")) }
      end.open()
    }
  }

  @Test func `A reconnected connection has its names, objects and signals again`() async throws {
    Peers.makeLibraryStrict
    try await withLoop { loop in
      var bus = try PrivateBus()
      let server = try await bus.connect(on: loop, Self.returning)
      try await server.export(Interface(Peers.interface, methods: [Peers.echo]), at: Peers.path)
      #expect(try await server.requestName(Peers.name) == .owner)
      let client = try await bus.connect(on: loop, Self.returning)
      let rule = MatchRule(sender: Peers.name, interface: Peers.interface)
      var signals = try await client.signals(matching: rule).makeAsyncIterator()
      var owners = try await client.owners(of: Peers.name).makeAsyncIterator()
      #expect(await owners.next() == .some(await server.uniqueName))
      let (serverEvents, clientEvents) = (await server.events(), await client.events())

      for round in 0..<3 {
        bus.kill()
        await clientEvents.wait { $0 == .disconnected }
        await serverEvents.wait { $0 == .disconnected }
        #expect(await owners.next() == .some(nil))
        #expect(await client.failure(of: Self.echo("unreachable"))?.failureCode == .disconnected)

        bus = try PrivateBus(in: bus.folder)  // at the same address
        await serverEvents.wait { $0.isReturn }
        await clientEvents.wait { $0.isReturn }
        #expect(await owners.next() == .some(await server.uniqueName))
        let reply = try await client.call(Self.echo("\(round)"))
        #expect(reply == [.variant(.string("\(round)"))])
        try await server.emit(Signal(Peers.path, Peers.interface, "Round", [.byte(UInt8(round))]))
        let signal = try await signals.next()
        #expect(signal?.arguments == [.byte(UInt8(round))])
      }
      await client.close()
      await server.close()
    }
  }

  @Test func `A name that another peer took before the reconnection is lost`() async throws {
    try await withLoop { loop in
      let bus = try PrivateBus()
      let first = try await bus.connect(on: loop, Self.returning)
      #expect(try await first.requestName(Peers.name) == .owner)
      let events = await first.events()
      bus.kill()
      await events.wait { $0 == .disconnected }
      let next = try PrivateBus(in: bus.folder)
      // Either may win this race; the loser gets an event.
      let second = try await next.connect(on: loop)
      let isSecondOwner = try await second.requestName(Peers.name) == .owner
      var seen: [ConnectionEvent] = []
      for await event in events {
        seen.append(event)
        if event.isReturn { break }
      }
      #expect(seen.contains(isSecondOwner ? .lost(Peers.name) : .acquired(Peers.name)))
      await first.close()
      await second.close()
    }
  }

  @Test func `A connection can be closed at any moment of its reconnection`() async throws {
    try await withLoop { loop in
      for stage in ["waiting", "accepted", "greeted"] {
        let bus = try PrivateBus()
        let connection = try await bus.connect(on: loop, Self.returning)
        _ = try await connection.requestName(Peers.name)
        let stream = try await connection.signals(matching: MatchRule(interface: Peers.interface))
        let events = await connection.events()
        bus.kill()
        await events.wait { $0 == .disconnected }
        let impostor = try Impostor(in: bus.folder, answering: stage == "greeted")
        if stage != "waiting" { #expect(impostor.program.readLine(within: 50) == "accepted") }
        if stage == "greeted" { #expect(impostor.program.readLine(within: 50) == "greeted") }
        await connection.close()
        let error = await #expect(throws: BusError.self) { try await stream.first { _ in true } }
        #expect(error?.code == .closed)
        await events.wait { _ in false }
        impostor.program.kill()
      }
    }
  }

  @Test func `A connection tries again if the bus ends during the reconnection`() async throws {
    try await withLoop { loop in
      var bus = try PrivateBus()
      let connection = try await bus.connect(on: loop, Self.returning)
      let stream = try await connection.signals(matching: MatchRule(interface: Peers.interface))
      let events = await connection.events()
      for _ in 0..<3 {
        bus.kill()
        await events.wait { $0 == .disconnected }
        // The server accepts, and hangs up before or after the greeting.
        for isAnswering in [false, true] {
          let impostor = try Impostor(in: bus.folder, answering: isAnswering)
          #expect(impostor.program.readLine(within: 50) == "accepted")
          if isAnswering { #expect(impostor.program.readLine(within: 50) == "greeted") }
          impostor.program.kill()
        }
        bus = try PrivateBus(in: bus.folder)
        await events.wait { $0.isReturn }
        let name = await connection.uniqueName
        try await connection.emit(Signal(Peers.path, Peers.interface, "Here", to: name))
        #expect(try await stream.first { _ in true }?.member == "Here")
      }
      await connection.close()
    }
  }

  @Test func `Calls to a frozen bus time out, and their answers come late`() async throws {
    let bus = try PrivateBus()
    try await Peers.withPair(bus, [Peers.echo]) { _, client in
      let (late, heard) = AsyncStream.makeStream(of: Result<[Value], CallError>.self)
      bus.freeze()
      for number in 0..<10 {
        let call = Self.echo("\(number)")
        let error = await client.failure(of: call, limit: .milliseconds(5)) { heard.yield($0) }
        #expect(error?.failureCode == .timedOut)
      }
      bus.thaw()
      var answers = late.makeAsyncIterator()
      for number in 0..<10 { #expect(await answers.next() == .success([.variant(.string("\(number)"))])) }
      let reply = try await client.call(Self.echo("as before"))
      #expect(reply == [.variant("as before")])
    }
  }

  @Test func `Messages keep their order when the socket has no room for some of them`() async throws {
    let bus = try PrivateBus()
    try await withLoop { loop in
      let connection = try await bus.connect(on: loop)
      let listener = try await bus.connect(on: loop)
      let stream = try await listener.signals(matching: MatchRule(interface: Peers.interface))
      bus.freeze()
      var sent: Int32 = 0
      var queued = 0
      // Short ones are written to the socket directly, and long ones by libdbus, until neither fits.
      while queued < 20 {
        let bytes = [UInt8](repeating: 0, count: sent % 7 == 0 ? 20_000 : 100)
        try await connection.emit(Signal(Peers.path, Peers.interface, "Next", [.int32(sent), .bytes(bytes)]))
        sent += 1
        if await connection.outgoingBytes > 0 { queued += 1 }
      }
      bus.thaw()
      var next: Int32 = 0
      for try await signal in stream {
        #expect(signal.arguments.first == .int32(next))
        next += 1
        if next == sent { break }
      }
      #expect(next == sent)
      // What comes after the queue is empty again.
      #expect(try await connection.call(.toBus("GetId")).count == 1)
      await listener.close()
      await connection.close()
    }
  }

  @Test func `The queue to a bus that does not read is limited`() async throws {
    let bus = try PrivateBus()
    try await withLoop { loop in
      var options = Connection.Options()
      options.longestQueue = 1 << 20
      let connection = try await bus.connect(on: loop, options)
      let listener = try await bus.connect(on: loop)
      let stream = try await listener.signals(matching: MatchRule(interface: Peers.interface))
      bus.freeze()
      let signal = Signal(Peers.path, Peers.interface, "Much", [.bytes([UInt8](repeating: 0, count: 100_000))])
      var sent = 0
      let error = await #expect(throws: BusError.self) {
        while sent < 100 {
          try await connection.emit(signal)
          sent += 1
        }
      }
      #expect(error?.code == .outOfResources)
      #expect(await connection.outgoingBytes < 1 << 20 + 200_000)
      bus.thaw()
      // Queued messages arrive, and then there is room again.
      var arrived = 0
      while arrived < sent, try await stream.first(where: { _ in true }) != nil { arrived += 1 }
      let alive = try await connection.call(.toBus("GetId"))
      #expect(alive.count == 1)
      await listener.close()
      await connection.close()
    }
  }
}

/// A program that listens at the address of the bus, but is not a bus; it prints how far the client came.
private struct Impostor {
  let program: RunningProgram

  init(in folder: TemporaryFolder, answering: Bool) throws {
    program = try RunningProgram(
      "/usr/bin/python3",
      [
        "-c",
        """
        import os, socket
        path = '\(folder.path("bus"))'
        if os.path.exists(path): os.unlink(path)
        server = socket.socket(socket.AF_UNIX)
        server.bind(path)
        server.listen()
        client = server.accept()[0]
        data = client.recv(1000)
        print('accepted', flush=True)
        if \(answering ? "True" : "False"):
          client.send(b'OK 0123456789abcdef0123456789abcdef\\r\\n')
          while b'Hello' not in data:
            data += client.recv(1000)
            if b'NEGOTIATE' in data and b'BEGIN' not in data: client.send(b'AGREE_UNIX_FD\\r\\n')
          print('greeted', flush=True)
        while client.recv(1000): pass
        """,
      ], environment: [:])
  }
}

extension ConnectionEvent {
  fileprivate var isReturn: Bool { if case .reconnected = self { true } else { false } }
}

extension AsyncStream<ConnectionEvent> {
  /// Reads until a matching event, or the end.
  fileprivate func wait(_ fits: (ConnectionEvent) -> Bool) async {
    for await event in self where fits(event) { return }
  }
}
