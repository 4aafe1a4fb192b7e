// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import TestSupport
import Testing

/// Tests faults of a bus and its peers. libdbus ends the process at its first warning here.
@Suite(.timeLimit(.minutes(2))) struct FaultTests {
  // MARK: What we would send

  @Test func `A value that the bus would reject is refused before it is sent`() async throws {
    try await Peers.withPair(PrivateBus(), [Peers.echo]) { _, client in
      let tooDeep = RoundTripTests.nest("deep", 65) { .variant($0) }
      let invalid: [Value] = [
        "a\0b", .structure([]), .array(of: .int32, ["text"]), .array(of: .structure([]), []),
        .array(of: .dictionary(.variant, .string), []), .array(of: .byte, [.boolean(true)]),
        RoundTripTests.nest("deep", 33, RoundTripTests.inArray), RoundTripTests.nest("deep", 33) { .structure([$0]) },
        RoundTripTests.nest("deep", 33, RoundTripTests.inDictionary), tooDeep,
        .variant(.variant(.structure([Value](repeating: .byte(1), count: 254)))),
        .dictionary(DictionaryValue(keyType: .variant, valueType: .string, entries: [])),
        .dictionary(
          DictionaryValue(keyType: .string, valueType: .int32, entries: [.init(key: "k", value: "not a number")])),
        RoundTripTests.nest("deep", 2000) { .variant($0) },
      ]
      for value in invalid {
        let error = await client.failure(of: Peers.call("Echo", [value]))
        #expect(error?.failureCode == .invalidValue, "\(value.type.code.prefix(80))")
        let signal = Signal(Peers.path, Peers.interface, "S", [value])
        let emitted = await #expect(throws: BusError.self) { try await client.emit(signal) }
        #expect(emitted?.code == .invalidValue)
      }
      let many = await client.failure(of: Peers.call("Echo", [Value](repeating: "s", count: 256)))
      #expect(many?.failureCode == .invalidValue)
      let alive = try await client.call(Peers.call("Echo", [.variant("alive")]))
      #expect(alive == [.variant("alive")])
    }
  }

  @Test func `A message that is too large is refused before it is sent`() async throws {
    try await Peers.withPair(PrivateBus(), [Peers.echo]) { _, client in
      let tooLong: [Value] = [
        .bytes([UInt8](repeating: 0, count: 64 << 20 + 1)),
        .array(of: .variant, [Value](repeating: .variant(.bytes([UInt8](repeating: 0, count: 1 << 20))), count: 65)),
        .structure([Value](repeating: .bytes([UInt8](repeating: 0, count: 43 << 20)), count: 3)),
      ]
      for value in tooLong {
        #expect(await client.failure(of: Peers.call("Echo", [.variant(value)]))?.failureCode == .tooLarge)
      }
      let path = ObjectPath(unchecked: "/" + String(repeating: "x", count: 65 << 20))
      let call = MethodCall(to: Peers.name, path, Peers.interface, "Echo")
      #expect(await client.failure(of: call)?.failureCode == .tooLarge)
      let alive = try await client.call(Peers.call("Echo", [.variant("alive")]))
      #expect(alive == [.variant("alive")])
    }
  }

  @Test func `An array of the maximum length arrives`() async throws {
    let count = Method("Count", in: ["bytes": "ay"], out: ["count": "u"]) { call in
      guard case .bytes(let bytes) = call.arguments[0] else { return [] }
      return [.uint32(UInt32(bytes.count))]
    }
    let limits = [
      "max_message_size": 134_217_728, "max_incoming_bytes": 1_000_000_000, "max_outgoing_bytes": 1_000_000_000,
    ]
    try await Peers.withPair(PrivateBus(limits: limits), [count]) { _, client in
      let reply = try await client.call(Peers.call("Count", [.bytes([UInt8](repeating: 1, count: 64 << 20))]))
      #expect(reply == [.uint32(64 << 20)])
    }
  }

  @Test func `A message over the connection's limit is refused, and the connection stays open`() async throws {
    try await withBus(PrivateBus(limits: ["max_message_size": 65_536])) { loop, bus in
      var options = Connection.Options()
      options.longestMessage = 65_536
      let client = try await bus.connect(on: loop, options)
      let large = Value.string(String(repeating: "x", count: 70_000))
      let error = await client.failure(of: .toBus("GetNameOwner", [large]))
      #expect(error?.failureCode == .tooLarge)
      #expect(error?.description.contains("at most 65536") == true)
      // Just below the limit the bus accepts the message: it answers that there is no such name, and the connection
      // lives.
      let fitting = Value.string(String(repeating: "x", count: 60_000))
      #expect(await client.failure(of: .toBus("GetNameOwner", [fitting]))?.failureCode == nil)
      let alive = try await client.call(.toBus("GetId"))
      #expect(alive.count == 1)
      await client.close()
    }
  }

  // MARK: What others send

  @Test func `Malformed messages of other peers do not close the connection`() async throws {
    let bus = try PrivateBus(limits: [
      "max_message_unix_fds": 4096, "max_incoming_unix_fds": 100_000,
      "max_outgoing_unix_fds": 100_000,
    ])
    let quick = Connection.Options()
    Peers.makeLibraryStrict
    try await withLoop { loop in
      let server = try await bus.connect(on: loop, quick)
      try await server.export(Interface(Peers.interface, methods: [Peers.echo]), at: Peers.path)
      #expect(try await server.requestName(Peers.name) == .owner)
      let victim = try #require(await server.uniqueName)
      let printed = try bus.raw(
        """
        import random
        random.seed(7)
        victim = sys.argv[1]
        to = [(DESTINATION, 's', victim)]
        here = to + [(PATH, 'o', '\(Peers.path)'), (INTERFACE, 's', '\(Peers.interface)'), (MEMBER, 's', 'Echo')]
        deep = b''.join(b'\\1v\\0' for _ in range(63)) + b'\\1y\\0\\7'
        cases = {
          'invalid utf-8': message(CALL, 2, here + [(SIGNATURE, 'g', 's')], string(b'\\xff\\xfe')),
          'nul': message(CALL, 2, here + [(SIGNATURE, 'g', 's')], string(b'a\\0b')),
          'surrogate': message(CALL, 2, here + [(SIGNATURE, 'g', 's')], string(b'\\xed\\xa0\\x80')),
          'bad signature': message(CALL, 2, here + [(SIGNATURE, 'g', 'a{vs}')], b'\\0' * 8),
          'long array': message(CALL, 2, here + [(SIGNATURE, 'g', 'ay')], struct.pack('<I', 1 << 27)),
          'long message': message(CALL, 2, here + [(SIGNATURE, 'g', 'ay')], b'', length=1 << 28),
          'long name': message(CALL, 2, to + [(PATH, 'o', '/'), (MEMBER, 's', 'x' * 300)]),
          'bad path': message(CALL, 2, to + [(PATH, 'o', '/a//b'), (MEMBER, 's', 'X')]),
          'no member': message(CALL, 2, to + [(PATH, 'o', '/')]),
          'kind 0': message(0, 2, to), 'kind 77': message(77, 2, to),
          'serial 0': message(CALL, 0, here), 'a bool of 2': message(CALL, 2, here + [(SIGNATURE, 'g', 'b')], b'\\2\\0\\0\\0'),
          'deep': message(CALL, 2, here + [(SIGNATURE, 'g', 'v')], deep),
          'deeper': message(CALL, 2, here + [(SIGNATURE, 'g', 'v')], b'\\1v\\0' * 2 + deep),
          'reply to nothing': message(REPLY, 2, to + [(REPLY_TO, 'u', 99)]),
          'error without words': message(REFUSAL, 2, to + [(REPLY_TO, 'u', 1), (ERROR, 's', 'a.b')]),
          'unknown field': message(CALL, 2, here + [(99, 's', 'x')]),
          'our own name': message(SIGNAL, 2, here + [(SENDER, 's', 'org.freedesktop.DBus')]),
        }
        survived = 0
        for name, data in cases.items():
          client = bus()
          client.sendall(data)
          survived += ask(client)
        for _ in range(300):
          data = bytearray(message(CALL, 2, here + [(SIGNATURE, 'g', 'a{sv}')], struct.pack('<I', 0) + b'\\0' * 4))
          for _ in range(random.randint(1, 4)):
            data[random.randrange(len(data))] = random.randrange(256)
          client = bus()
          client.sendall(data)
          client.close()
        # More descriptors than libdbus accepts by itself, in a message without a receiver.
        client, (r, w) = bus(), os.pipe()
        passed = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [w] * 250))]
        client.sendmsg([message(SIGNAL, 2, here + [(SIGNATURE, 'g', 'h'), (FDS, 'u', 250)], struct.pack('<I', 0))], passed)
        print(survived > 3, ask(client))
        """, victim.text)
      #expect(printed == "True True")
      #expect(await server.uniqueName == victim)
      let reply = try bus.busctl("Echo", "v", "s", "alive")
      #expect(reply == #"v s "alive""#)
      await server.close()
    }
  }

  @Test func `A signature that only libdbus allows is read correctly`() async throws {
    // 40 arrays with a structure in between exceed the specification's depth, which libdbus does not check.
    let bus = try PrivateBus()
    let stream = Door()
    let seen = Notes<[Value]>()
    let take = Method("Take", in: ["value": "v"]) { call in
      seen.add(call.arguments)
      stream.open()
      return []
    }
    try await Peers.withPair(bus, [take]) { _, _ in
      let printed = try bus.raw(
        """
        signature = 'a' * 20 + '(' + 'a' * 20 + 'y)'
        body = bytes([len(signature)]) + signature.encode() + b'\\0'
        body = align(body, 4) + struct.pack('<I', 0)
        client = bus()
        client.sendall(message(CALL, 2, [
          (DESTINATION, 's', '\(Peers.name)'), (PATH, 'o', '\(Peers.path)'), (INTERFACE, 's', '\(Peers.interface)'),
          (MEMBER, 's', 'Take'), (SIGNATURE, 'g', 'v')], body))
        print(read_until(client, bytes([REPLY_TO, 1]) + b'u\\0' + struct.pack('<I', 2)) is not None)
        """)
      #expect(printed == "True")
      await stream.wait()
      guard case .variant(.array(let element, let values)) = seen.all[0][0] else {
        Issue.record("\(seen.all)")
        return
      }
      #expect(values == [])
      #expect(element.code == String(repeating: "a", count: 19) + "(" + String(repeating: "a", count: 20) + "y)")
    }
  }

  // MARK: A bus with narrow limits

  @Test func `A bus with too few match rules gives an error, and the connection stays open`() async throws {
    try await withBus(PrivateBus(limits: ["max_match_rules_per_connection": 4])) { loop, bus in
      let client = try await bus.connect(on: loop)
      var streams: [SignalStream] = []
      for number in 0..<4 {
        streams.append(try await client.signals(matching: MatchRule(member: MemberName("M\(number)"))))
      }
      // A rule that exists already does not count again.
      streams.append(try await client.signals(matching: MatchRule(member: "M0")))
      for sender: BusName? in [nil, "dev.suzu.Sender"] {
        let error = await #expect(throws: CallError.self) {
          try await client.signals(matching: MatchRule(sender: sender, member: "M5"))
        }
        #expect(error?.isRefusal(.limitsExceeded) == true)
      }
      streams.removeAll()
      try await client.call(.toBus("GetId"))
      // There is room for two rules again, one for the owner and one for the signals.
      let again = try await client.signals(matching: MatchRule(sender: "dev.suzu.Sender", member: "M5"))
      withExtendedLifetime(again) {}
      await client.close()
    }
  }

  @Test func `A bus with too few pending replies gives an error, and the connection stays open`() async throws {
    let called = Notes<Int>()
    let (both, end) = (Door(), Door())
    let hang = Method("Hang") { _ in
      called.add(1)
      if called.all.count == 2 { both.open() }
      await end.wait()
      return []
    }
    try await Peers.withPair(PrivateBus(limits: ["max_replies_per_connection": 2]), [hang]) { _, client in
      async let first = client.failure(of: Peers.call("Hang"))
      async let second = client.failure(of: Peers.call("Hang"))
      await both.wait()
      #expect(await client.failure(of: Peers.call("Hang"))?.isRefusal(.limitsExceeded) == true)
      end.open()
      #expect(await first == nil)
      #expect(await second == nil)
    }
  }

  // MARK: No bus

  @Test func `The error without a bus names the address`() async throws {
    try await withLoop { loop in
      for address in [
        "unix:path=/nowhere/bus", "unix:abstract=no-listener-here", "nonsense:", "unix:", "tcp:port=1",
      ] {
        let error = await #expect(throws: CallError.self) {
          try await Connection.open(BusAddress(address), on: loop)
        }
        #expect(error?.failureCode == .noBus)
        #expect(error?.description.contains("'\(address)'") == true)
      }
      for address in ["", "nothing", "unixexec:path=/bin/true", "autolaunch:", "unix:path=/x;autolaunch:"] {
        let error = #expect(throws: BusError.self) { try BusAddress(address) }
        #expect(error?.code == .noBus)
      }
    }
  }

  @Test func `Opening fails in time on a socket that is no bus`() async throws {
    let folder = try TemporaryFolder()
    // The server accepts data without answering, or closes the connection immediately.
    for (manner, code) in [
      ("while client.recv(1000): pass", BusError.Code.timedOut),
      ("client.recv(1)", .disconnected),
    ] {
      let path = folder.path(code.rawValue)
      let program = try RunningProgram(
        "/usr/bin/python3",
        [
          "-c",
          """
          import socket
          server = socket.socket(socket.AF_UNIX)
          server.bind('\(path)')
          server.listen()
          print('listening', flush=True)
          client = server.accept()[0]
          \(manner)
          client.close()
          """,
        ], environment: [:])
      #expect(program.readLine() == "listening")
      try await withLoop { loop in
        var options = Connection.Options()
        options.connectionLimit = .milliseconds(100)
        options.reconnects = true
        let address = try BusAddress("unix:path=\(path)")
        let error = await #expect(throws: CallError.self) {
          try await Connection.open(address, on: loop, options: options)
        }
        #expect(error?.failureCode == code)
      }
      program.kill()
    }
  }

  @Test func `Opening can be cancelled`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      bus.freeze()
      let opening = Task { try await bus.connect(on: loop) }
      opening.cancel()
      let error = await #expect(throws: CallError.self) { try await opening.value }
      #expect(error?.failureCode == .cancelled)
      bus.thaw()
    }
  }

  // MARK: Memory and descriptors

  @Test func `A thousand connections leak neither memory nor descriptors`() async throws {
    final class Trace: Sendable {
      weak let connection: Connection?
      init(_ connection: Connection) { self.connection = connection }
    }
    try await withBus(PrivateBus()) { loop, bus in
      let observer = try await bus.connect(on: loop)
      var changes = try await observer.signals(
        matching: MatchRule(sender: .bus, member: "NameOwnerChanged"), buffering: 5000
      ).makeAsyncIterator()
      var traces: [Trace] = []
      for number in 0..<1000 {
        let connection = try await bus.connect(on: loop)
        traces.append(Trace(connection))
        try await connection.export(Interface(Peers.interface, methods: [Peers.echo]), at: Peers.path)
        // Half of them are closed, the others are released.
        if number.isMultiple(of: 2) { await connection.close() }
      }
      // The bus sees the end of a socket when its last descriptor is closed.
      var ends = 0
      while ends < 1000, let signal = try await changes.next() {
        if signal.arguments[2] == "" { ends += 1 }
      }
      #expect(ends == 1000)
      #expect(traces.allSatisfy { $0.connection == nil })
      await observer.close()
    }
  }
}
