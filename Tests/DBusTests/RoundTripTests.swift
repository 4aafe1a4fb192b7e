// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import TestSupport
import Testing

/// Tests values that go over a real bus and back, and as other programs print them.
@Suite(.timeLimit(.minutes(1))) struct RoundTripTests {
  // MARK: Through the bus as arguments

  static func nest(_ value: Value, _ depth: Int, _ wrap: (Value) -> Value) -> Value {
    (0..<depth).reduce(value) { inner, _ in wrap(inner) }
  }

  static func inArray(_ value: Value) -> Value { .array(of: value.type, [value]) }

  static func inDictionary(_ value: Value) -> Value {
    .dictionary(DictionaryValue(keyType: .byte, valueType: value.type, entries: [.init(key: .byte(1), value: value)]))
  }

  static let basic: [Value] = [
    .byte(0), .byte(.max), .boolean(false), .boolean(true), .int16(.min), .int16(.max), .uint16(.max), .int32(.min),
    .int32(.max), .uint32(.max), .int64(.min), .int64(.max), .uint64(.max), .double(0), .double(-0.0), .double(.pi),
    .double(.infinity), .double(-.infinity), .double(.leastNonzeroMagnitude), .double(.greatestFiniteMagnitude),
    .string(""), .string("Grüße, 世界 🔔\n\u{1}\u{7f}\u{fffe}\u{10ffff}"), .string(String(repeating: "x", count: 100_000)),
    .objectPath("/"), .objectPath("/dev/suzu/_1"), .signature(""), .signature("a{sv}(ii)"),
  ]

  static var containers: [Value] {
    let types: [ValueType] = [
      .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
      .unixFD, .variant, .array(.string), .array(.array(.byte)), .structure([.string, .int64]), .properties,
      .dictionary(.int32, .array(.properties)),
    ]
    var values: [Value] = types.map { $0 == .byte ? .bytes([]) : .array(of: $0, []) }
    values += types.map { .dictionary(DictionaryValue(keyType: .string, valueType: $0, entries: [])) }
    for key in basic {
      values.append(
        .dictionary(
          DictionaryValue(
            keyType: key.type, valueType: .variant,
            entries: [.init(key: key, value: .variant("one")), .init(key: key, value: .variant(.byte(2)))])))
      values.append(.variant(key))
      values.append(.structure([key, .byte(1), key]))
      if key.type != .byte { values.append(.array(of: key.type, [key, key, key])) }
    }
    values += [
      .bytes([0, 1, 255]), .bytes([UInt8](repeating: 7, count: 1 << 20)), .strings(["a", "", "c"]),
      .properties(["b": .byte(1), "a": .strings([]), "c": .properties([:])]),
      // As deep as libdbus accepts, for each container alone and for all together.
      nest("deep", 32, inArray), nest("deep", 32) { .structure([$0]) }, nest("deep", 32, inDictionary),
      nest("deep", 64) { .variant($0) },
      nest("deep", 32) { inArray(.structure([$0])) },
      nest(.variant("deep"), 31) { .array(of: .variant, [.variant($0)]) },
      .variant(nest(.variant(nest("deep", 30, inArray)), 30, inArray)),
    ]
    return values
  }

  @Test func `Every value arrives unchanged`() async throws {
    try await Peers.withPair(PrivateBus()) { server, client in
      let values = Self.basic + Self.containers
      let name = try #require(await server.uniqueName)
      let stream = try await server.signals(
        matching: MatchRule(interface: Peers.interface), buffering: 2 * values.count)
      for value in values {
        try await client.emit(Signal(Peers.path, Peers.interface, "Here", [value], to: name))
      }
      // All types in a row, so that each alignment follows each other one.
      let mixed = Array(Self.basic.prefix(30).shuffled() + Self.basic.prefix(30).shuffled())
      try await client.emit(Signal(Peers.path, Peers.interface, "Here", mixed, to: name))

      var iterator = stream.makeAsyncIterator()
      for value in values {
        let arguments = try await iterator.next()?.arguments
        #expect(arguments == [value], "\(value.type.code)")
      }
      #expect(try await iterator.next()?.arguments == mixed)
    }
  }

  @Test func `A NaN comes back with its bits`() async throws {
    try await Peers.withPair(PrivateBus(), [Peers.echo]) { _, client in
      for bits: UInt64 in [0x7ff8_0000_0000_0000, 0xfff8_0000_0000_1234, 0x8000_0000_0000_0000] {
        let reply = try await client.call(Peers.call("Echo", [.variant(.double(Double(bitPattern: bits)))]))
        guard case .variant(.double(let number)) = reply[0] else {
          Issue.record("\(reply)")
          return
        }
        #expect(number.bitPattern == bits)
      }
    }
  }

  @Test func `A random value arrives unchanged or is refused before it is sent`() async throws {
    try await Peers.withPair(PrivateBus()) { server, client in
      var random = SeededNumbers(seed: 20)
      let name = try #require(await server.uniqueName)
      let stream = try await server.signals(matching: MatchRule(interface: Peers.interface))
      var iterator = stream.makeAsyncIterator()
      var sent = 0
      for _ in 0..<2000 {
        let values = (0..<Int.random(in: 0...4, using: &random)).map { _ in random.value(depth: 6) }
        guard (try? await client.emit(Signal(Peers.path, Peers.interface, "Here", values, to: name))) != nil else {
          continue
        }
        sent += 1
        #expect(try await iterator.next()?.arguments == values)
      }
      #expect(sent > 1000)
    }
  }

  // MARK: In the words of others

  @Test(arguments: [
    (["y", "255"], "v y 255"), (["b", "true"], "v b true"), (["n", "-32768"], "v n -32768"),
    (["q", "65535"], "v q 65535"), (["i", "-1"], "v i -1"), (["u", "4294967295"], "v u 4294967295"),
    (["x", "-9223372036854775808"], "v x -9223372036854775808"),
    (["t", "18446744073709551615"], "v t 18446744073709551615"), (["d", "0.5"], "v d 0.5"), (["d", "inf"], "v d inf"),
    (["d", "nan"], "v d nan"), (["s", "Grüße"], #"v s "Gr\303\274\303\237e""#), (["o", "/a/b"], #"v o "/a/b""#),
    (["g", "a{sv}"], #"v g "a{sv}""#), (["as", "0"], "v as 0"), (["as", "2", "a", "b"], #"v as 2 "a" "b""#),
    (["ay", "3", "1", "2", "3"], "v ay 3 1 2 3"), (["(si)", "a", "1"], #"v (si) "a" 1"#),
    (["a(ii)", "0"], "v a(ii) 0"),
    (["a{sv}", "1", "k", "v", "i", "7"], #"v a{sv} 1 "k" v i 7"#),
    (["a{ob}", "1", "/", "true"], #"v a{ob} 1 "/" true"#),
    (["a{ya{sas}}", "1", "9", "1", "k", "1", "v"], #"v a{ya{sas}} 1 9 1 "k" 1 "v""#),
    (["v", "v", "s", "x"], #"v v v s "x""#),
  ])
  func `busctl reads back the value that it sent`(_ arguments: [String], _ printed: String) async throws {
    let bus = try PrivateBus()
    try await Peers.withPair(bus, [Peers.echo]) { _, _ in
      let result = try RunningProgram.run(
        "busctl",
        ["--user", "call", Peers.name.text, Peers.path.text, Peers.interface.text, "--", "Echo", "v"] + arguments,
        environment: bus.environment)
      let plain = printed.replacingOccurrences(of: #"Gr\303\274\303\237e"#, with: "Grüße")
      #expect([printed, plain].contains(result.output.trimmingCharacters(in: .newlines)), "\(result)")
    }
  }

  @Test func `gdbus reads back the value that it sent`() async throws {
    let bus = try PrivateBus()
    try await Peers.withPair(bus, [Peers.echo]) { _, _ in
      let texts = [
        "<@a{sv} {}>", "<@as []>", "<{'k': <byte 0x07>}>", "<(1, 'two', <3.0>)>", "<[(true, objectpath '/a')]>",
        "<signature 'a{sv}'>", "<int64 -1>", "<uint16 65535>", "<<<'deep'>>>", "<@aay []>", "<-inf>", "<@a{u(ss)} {}>",
      ]
      for text in texts {
        let printed = try bus.gdbus("dev.suzu.Test1.Echo", text)
        #expect(printed == "(\(text),)")
      }
    }
  }

  // MARK: Descriptors

  @Test func `A passed descriptor can be read by the receiver`() async throws {
    let take = MethodDescription(
      "Take", in: ("a", UnixFD.self), ("all", [String: UnixFD].self), out: ("text", String.self))
    let method = Method(take) { _, first, all, _ in try read(first) + read(try #require(all["b"])) }
    try await Peers.withPair(PrivateBus(), [method]) { _, client in
      let text = try await client.call(
        take, of: Peers.object, try pipe(holding: "one "), ["b": try pipe(holding: "two")])
      #expect(text == "one two")
    }
  }

  @Test func `An unused descriptor is closed everywhere`() async throws {
    try await Peers.withPair(PrivateBus(), [Peers.echo]) { server, client in
      let pipe = Pipe()
      do {
        // A descriptor in an answered call, in a refused call, and in a signal without a reader.
        let end = Value.unixFD(UnixFD(owning: dup(pipe.fileHandleForWriting.fileDescriptor)))
        #expect(try await client.call(Peers.call("Echo", [.variant(end)])).count == 1)
        #expect(await client.failure(of: Peers.call("Nothing", [end]))?.isRefusal(.unknownMethod) == true)
        try await client.emit(Signal(Peers.path, Peers.interface, "Here", [end], to: await server.uniqueName))
        #expect(try await client.call(Peers.call("Echo", [.variant("after")])).count == 1)
      }
      try pipe.fileHandleForWriting.close()
      // The pipe ends when its last copy is closed: ours, the server's and the bus's. Until then this waits.
      #expect(try await wholeText(of: pipe.fileHandleForReading) == "")
    }
  }

  @Test func `A descriptor from a Python program can be written to`() async throws {
    let write = Method("Write", in: ["to": "h"]) { call in
      guard case .unixFD(let descriptor) = call.arguments[0] else { return [] }
      try FileHandle(fileDescriptor: descriptor.number, closeOnDealloc: false).write(contentsOf: Data("hello\n".utf8))
      return []
    }
    let bus = try PrivateBus()
    try await Peers.withPair(bus, [write]) { _, _ in
      let printed = try bus.raw(
        """
        client, (r, w) = bus(), os.pipe()
        fields = [
          (PATH, 'o', '\(Peers.path)'), (INTERFACE, 's', '\(Peers.interface)'), (MEMBER, 's', 'Write'),
          (DESTINATION, 's', '\(Peers.name)'), (SIGNATURE, 'g', 'h'), (FDS, 'u', 1)]
        passed = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [w]))]
        client.sendmsg([message(CALL, 2, fields, struct.pack('<I', 0))], passed)
        print(os.read(r, 100).decode())
        """)
      #expect(printed == "hello")
    }
  }

  @Test func `A closed descriptor and too many descriptors are refused before they are sent`() async throws {
    try await Peers.withPair(PrivateBus(), [Peers.echo]) { _, client in
      let pipe = try pipe(holding: "")
      let many = Value.array(of: .unixFD, [Value](repeating: .unixFD(pipe), count: 17))
      #expect(await client.failure(of: Peers.call("Echo", [.variant(many)]))?.failureCode == .tooLarge)
      let enough = Value.array(of: .unixFD, [Value](repeating: .unixFD(pipe), count: 16))
      #expect(try await client.call(Peers.call("Echo", [.variant(enough)])).count == 1)

      let closed = UnixFD(owning: 1 << 20)  // no process has so many
      let error = await client.failure(of: Peers.call("Echo", [.variant(.unixFD(closed))]))
      #expect(error?.failureCode == .outOfResources)
      #expect(try await client.call(.toBus("GetId")).count == 1)
    }
  }
}

/// The reading end of a pipe that contains exactly `text`.
private func pipe(holding text: String) throws -> UnixFD {
  let pipe = Pipe()
  try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  try pipe.fileHandleForWriting.close()
  let duplicate = UnixFD(owning: dup(pipe.fileHandleForReading.fileDescriptor))
  try pipe.fileHandleForReading.close()
  return duplicate
}

private func wholeText(of handle: FileHandle) async throws -> String {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      continuation.resume(with: Result { String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self) })
    }
  }
}

private func read(_ descriptor: UnixFD) throws -> String {
  let handle = FileHandle(fileDescriptor: descriptor.number, closeOnDealloc: false)
  return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
}

extension SeededNumbers {
  /// A random value, sometimes one that the bus refuses.
  mutating func value(depth: Int) -> Value {
    let kind = Int.random(in: 0..<(depth > 0 ? 20 : 12), using: &self)
    switch kind {
    case 0: return .byte(.random(in: .min ... .max, using: &self))
    case 1: return .boolean(.random(using: &self))
    case 2: return .int16(.random(in: .min ... .max, using: &self))
    case 3: return .uint16(.random(in: .min ... .max, using: &self))
    case 4: return .int32(.random(in: .min ... .max, using: &self))
    case 5: return .uint32(.random(in: .min ... .max, using: &self))
    case 6: return .int64(.random(in: .min ... .max, using: &self))
    case 7: return .uint64(.random(in: .min ... .max, using: &self))
    case 8: return .double(.random(in: -1e300...1e300, using: &self))
    case 9: return .string(text(of: ["a", "ß", "世", "🔔", "\u{301}", "\n", kind == 9 ? "x" : "\0"], upTo: 20))
    case 10: return .objectPath(ObjectPath("/" + text(of: ["a", "b/c", "_", "/"], upTo: 4)) ?? "/")
    case 11: return .signature(Signature(text(of: ["a", "s", "(i)", "{sv}", "v"], upTo: 6)) ?? "")
    case 12, 13: return .variant(value(depth: depth - 1))
    case 14:
      return .bytes(
        (0..<Int.random(in: 0...300, using: &self)).map { _ in UInt8.random(in: .min ... .max, using: &self) })
    case 15, 16:
      let one = value(depth: depth - 1)
      if one.type == .byte { return one }
      return .array(of: one.type, [Value](repeating: one, count: Int.random(in: 0...5, using: &self)))
    case 17: return .structure((0...Int.random(in: 0...4, using: &self)).map { _ in value(depth: depth - 1) })
    case 18: return .properties(["k": value(depth: depth - 1), "l": value(depth: depth - 1)])
    default:
      let key = value(depth: 0)
      let one = value(depth: depth - 1)
      let entries = [DictionaryValue.Entry](
        repeating: .init(key: key, value: one), count: Int.random(in: 0...3, using: &self))
      return .dictionary(DictionaryValue(keyType: key.type, valueType: one.type, entries: entries))
    }
  }
}
