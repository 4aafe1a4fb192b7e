// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import FoundationXML
import TestSupport
import Testing

/// Tests exported objects with our own and other clients.
@Suite(.timeLimit(.minutes(1))) struct ObjectTests {
  /// A value that handlers on any thread read and set.
  private final class Box: Sendable {
    private let values = Notes<Value>()
    init(_ value: Value) { values.add(value) }
    var value: Value { values.all.last ?? .byte(0) }
    func set(_ value: Value) { values.add(value) }
  }

  private static func properties(_ level: Box) -> [Property] {
    [
      Property("Version", "s", changes: .constant) { "1.0" },
      Property("Level", "i", set: { level.set($0) }) { level.value },
      Property("Hints", "a{sv}", changes: .invalidated) { .properties(["a": .byte(1)]) },
      Property("Quiet", "as", changes: .silent) { .strings(["x"]) },
    ]
  }

  private static let twice = Method("Twice", in: ["n": "i"], out: ["twice": "i"]) { call in
    [.int32(2 * Int32(call.arguments[0].integer ?? 0))]
  }

  // MARK: Mistakes of callers

  @Test func `Every mistake of a caller has its own error`() async throws {
    let bus = try PrivateBus()
    try await Peers.withPair(bus, [Self.twice], properties: Self.properties(Box(.int32(1)))) { _, client in
      let (path, interface, name) = (Peers.path, Peers.interface, Peers.name)
      let properties: InterfaceName = "org.freedesktop.DBus.Properties"
      let mistakes: [(MethodCall, ErrorName)] = [
        (MethodCall(to: name, "/nothing", interface, "Twice", [.int32(1)]), .unknownObject),
        (MethodCall(to: name, "/dev/suzu", interface, "Twice", [.int32(1)]), .unknownObject),
        (MethodCall(to: name, path, "dev.suzu.Other1", "Twice", [.int32(1)]), .unknownInterface),
        (MethodCall(to: name, path, interface, "Thrice", [.int32(1)]), .unknownMethod),
        (MethodCall(to: name, path, interface, "Twice"), .invalidArgs),
        (MethodCall(to: name, path, interface, "Twice", ["1"]), .invalidArgs),
        (MethodCall(to: name, path, interface, "Twice", [.int32(1), .int32(2)]), .invalidArgs),
        (MethodCall(to: name, path, interface, "Twice", [.variant(.int32(1))]), .invalidArgs),
        (MethodCall(to: name, path, properties, "Get", [.string(interface.text), "No"]), .unknownProperty),
        (MethodCall(to: name, path, properties, "Get", ["dev.suzu.Other1", "Level"]), .unknownInterface),
        (MethodCall(to: name, path, properties, "GetAll", ["dev.suzu.Other1"]), .unknownInterface),
        (
          MethodCall(to: name, path, properties, "Set", [.string(interface.text), "Version", .variant("2")]),
          .propertyReadOnly
        ),
        (
          MethodCall(to: name, path, properties, "Set", [.string(interface.text), "Level", .variant("2")]), .invalidArgs
        ),
        (MethodCall(to: name, "/nothing", properties, "GetAll", [""]), .unknownObject),
      ]
      for (call, expected) in mistakes {
        let error = await client.failure(of: call)
        #expect(
          error?.isRefusal(expected) == true, "\(call.object.path) \(call.member) \(call.arguments): \(error as Any)")
      }
      let words = try bus.busctl("Twice", "s", "one")
      #expect(words.contains("'Twice' takes 'i', not 's'"), "\(words)")
    }
  }

  @Test func `A call without an interface finds its method`() async throws {
    let bus = try PrivateBus()
    try await Peers.withPair(bus, [Self.twice]) { _, _ in
      let answers = try bus.raw(
        """
        client = bus()
        for serial, member, signature, body in [(7, 'Twice', 'i', struct.pack('<i', 21)), (8, 'Introspect', '', b''),
                                                (9, 'Nothing', '', b'')]:
          fields = [(PATH, 'o', '\(Peers.path)'), (MEMBER, 's', member), (DESTINATION, 's', '\(Peers.name)')]
          fields += [(SIGNATURE, 'g', signature)] if signature else []
          client.sendall(message(CALL, serial, fields, body))
          answer = read_until(client, bytes([REPLY_TO, 1]) + b'u\\0' + struct.pack('<I', serial))
          print(b'\\x2a\\0\\0\\0' in answer, b'<node>' in answer, b'UnknownMethod' in answer)
        """)
      #expect(answers == "True False False\nFalse True False\nFalse False True")
    }
  }

  // MARK: Errors in our code

  @Test func `An error thrown by a handler becomes the reply`() async throws {
    struct Trouble: Error, CustomStringConvertible { var description: String { "out of paper\0 and ink" } }
    let methods = [
      Method("Throw") { _ in throw Trouble() },
      Method("Long") { _ in throw RemoteError(.failed, String(repeating: "🔔", count: 1 << 20)) },
      Method("Wrong", out: ["text": "s"]) { _ in [.int32(1)] },
      Method("Invalid", out: ["text": "s"]) { _ in ["a\0b"] },
      Method("Many", out: ["text": "s"]) { _ in ["a", "b"] },
    ]
    try await Peers.withPair(PrivateBus(), methods) { _, client in
      let thrown = await client.failure(of: Peers.call("Throw"))
      #expect(thrown == .refused(RemoteError(.failed, "out of paper and ink")))
      for member: MemberName in ["Long", "Wrong", "Invalid", "Many"] {
        let error = await client.failure(of: Peers.call(member))
        #expect(error?.isRefusal(.failed) == true, "\(error as Any)")
      }
    }
  }

  @Test func `A reply over the limit becomes an error, and the connection stays open`() async throws {
    let much = Method("Much", out: ["bytes": "ay"]) { _ in [.bytes([UInt8](repeating: 0, count: 100_000))] }
    try await withBus(PrivateBus()) { loop, bus in
      var options = Connection.Options()
      options.longestMessage = 65_536
      let server = try await bus.connect(on: loop, options)
      try await server.export(Interface(Peers.interface, methods: [much, Peers.echo]), at: Peers.path)
      #expect(try await server.requestName(Peers.name) == .owner)
      let client = try await bus.connect(on: loop)
      #expect(await client.failure(of: Peers.call("Much"))?.isRefusal(.limitsExceeded) == true)
      let reply = try await client.call(Peers.call("Echo", [.variant("alive")]))
      #expect(reply == [.variant("alive")])
      await server.close()
      await client.close()
    }
  }

  @Test func `An object can be exported once, and is gone after withdrawal`() async throws {
    try await Peers.withPair(PrivateBus(), [Self.twice]) { server, client in
      let error = await #expect(throws: BusError.self) {
        try await server.export(Interface(Peers.interface), at: Peers.path)
      }
      #expect(error?.code == .alreadyExported)
      await server.withdraw(Peers.interface, at: Peers.path)
      #expect(await client.failure(of: Peers.call("Twice", [.int32(1)]))?.isRefusal(.unknownObject) == true)
      await server.close()
      let closed = await #expect(throws: BusError.self) { try await server.export(Interface("a.b"), at: "/") }
      #expect(closed?.code == .closed)
    }
  }

  // MARK: Properties

  @Test func `Other clients read and set properties`() async throws {
    let bus = try PrivateBus()
    let level = Box(.int32(1))
    try await Peers.withPair(bus, properties: Self.properties(level)) { _, _ in
      func busctl(_ arguments: String...) throws -> String {
        let result = try RunningProgram.run("busctl", ["--user"] + arguments, environment: bus.environment)
        return (result.output + result.errors).trimmingCharacters(in: .whitespacesAndNewlines)
      }
      let object = [Peers.name.text, Peers.path.text, Peers.interface.text]
      let read = try busctl("get-property", object[0], object[1], object[2], "Version", "Level", "Hints", "Quiet")
      #expect(read == "s \"1.0\"\ni 1\na{sv} 1 \"a\" y 1\nas 1 \"x\"")
      let set = try busctl("set-property", object[0], object[1], object[2], "Level", "i", "42")
      #expect(set == "")
      #expect(level.value == .int32(42))
      let all = try bus.gdbus("org.freedesktop.DBus.Properties.GetAll", "dev.suzu.Test1")
      #expect(
        all == "({'Hints': <{'a': <byte 0x01>}>, 'Level': <42>, 'Quiet': <['x']>, 'Version': <'1.0'>},)")
      let standard = try bus.gdbus("org.freedesktop.DBus.Properties.GetAll", "org.freedesktop.DBus.Peer")
      #expect(standard == "(@a{sv} {},)")
    }
  }

  @Test func `Property changes are announced as the table says`() async throws {
    let level = Box(.int32(7))
    try await Peers.withPair(PrivateBus(), properties: Self.properties(level)) { server, client in
      let rule = MatchRule(
        sender: Peers.name, path: Peers.path, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged")
      var signals = try await client.signals(matching: rule).makeAsyncIterator()
      try await server.propertiesChanged(["Quiet", "Version"], of: Peers.interface, at: Peers.path)
      try await server.propertiesChanged(["Level", "Hints", "Quiet"], of: Peers.interface, at: Peers.path)
      let signal = try #require(try await signals.next())
      #expect(
        signal.arguments == [
          .string(Peers.interface.text), .properties(["Level": .int32(7)]), .strings(["Hints"]),
        ])
    }
  }

  @Test func `A property of the wrong type is not sent`() async throws {
    let wrong = Property("Wrong", "i") { "not a number" }
    try await Peers.withPair(PrivateBus(), properties: [wrong]) { server, client in
      let get = MethodCall(
        to: Peers.name, Peers.path, "org.freedesktop.DBus.Properties", "Get", [.string(Peers.interface.text), "Wrong"])
      #expect(await client.failure(of: get)?.isRefusal(.failed) == true)
    }
  }

  // MARK: Introspection

  @Test func `Introspection walks the tree from its root`() async throws {
    let bus = try PrivateBus()
    try await Peers.withPair(bus, [Self.twice], properties: Self.properties(Box(.int32(1)))) { server, _ in
      try await server.export(Interface("dev.suzu.Other1"), at: "/dev/suzu/Test/deep/er")
      try await server.export(Interface("dev.suzu.Other1"), at: "/org")
      let tree = try RunningProgram.run(
        "busctl", ["--user", "tree", "--list", Peers.name.text], environment: bus.environment)
      #expect(
        tree.output.split(separator: "\n") == [
          "/", "/dev", "/dev/suzu", "/dev/suzu/Test", "/dev/suzu/Test/deep", "/dev/suzu/Test/deep/er", "/org",
        ])
      let recursion = try RunningProgram.run(
        "gdbus", ["introspect", "--session", "-d", Peers.name.text, "-o", "/", "--recurse"],
        environment: bus.environment)
      #expect(recursion.status == 0, "\(recursion.errors)")
      for line in [
        "Twice(in  i n,", "out i twice);", "readwrite i Level = 1;", "readonly s Version = '1.0';",
        "node /dev/suzu/Test/deep/er", "interface dev.suzu.Other1",
      ] {
        #expect(recursion.output.contains(line), "\(line)")
      }
      let flags = try RunningProgram.run(
        "busctl", ["--user", "introspect", Peers.name.text, Peers.path.text], environment: bus.environment)
      for (property, flag) in [
        ("Level", "emits-change writable"), ("Version", "const"), ("Hints", "emits-invalidation"), ("Quiet", "-"),
      ] {
        let line = flags.output.split(separator: "\n").first { $0.hasPrefix(".\(property) ") }
        #expect(line?.hasSuffix(" " + flag) == true, "\(flags.output)")
      }
    }
  }

  @Test func `The introspection document is well-formed for any names`() async throws {
    let odd = Interface(
      "dev.suzu.Odd1",
      methods: [Method("M", in: ["<&\">'": "a{sv}", "": "s"], out: ["世界": "(ii)"]) { _ in [] }],
      signals: [SignalDescription("S", ("x", String.self)), SignalDescription("T")])
    try await Peers.withPair(PrivateBus()) { server, client in
      try await server.export(odd, at: "/odd")
      let call = MethodCall(to: Peers.name, "/odd", "org.freedesktop.DBus.Introspectable", "Introspect")
      let xml = try #require(try await client.call(call).first?.string)
      let document = try XMLDocument(xmlString: xml, options: [])
      func names(_ path: String) throws -> [String] { try document.nodes(forXPath: path).compactMap(\.stringValue) }
      #expect(try names("/node/interface[@name='dev.suzu.Odd1']/method[@name='M']/arg/@name") == ["<&\">'", "", "世界"])
      #expect(try names("/node/interface[@name='dev.suzu.Odd1']/signal/@name") == ["S", "T"])
      #expect(
        try names("/node/interface/@name") == [
          "dev.suzu.Odd1", "org.freedesktop.DBus.Introspectable", "org.freedesktop.DBus.Peer",
          "org.freedesktop.DBus.Properties",
        ])
    }
  }

  @Test func `The Peer interface answers on any path`() async throws {
    let bus = try PrivateBus()
    try await Peers.withPair(bus) { _, _ in
      let ping = try bus.gdbus("org.freedesktop.DBus.Peer.Ping")
      #expect(ping == "()")
      let machine = try bus.gdbus("org.freedesktop.DBus.Peer.GetMachineId", path: "/any")
      let own = try String(contentsOfFile: "/etc/machine-id", encoding: .utf8).trimmingCharacters(in: .newlines)
      #expect(machine == "('\(own)',)")
    }
  }

  // MARK: ObjectManager

  @Test func `An object manager lists all objects below it and announces changes`() async throws {
    let bus = try PrivateBus()
    let item = Interface("dev.suzu.Item1", properties: [Property("Name", "s") { "one" }])
    try await Peers.withPair(bus) { server, client in
      await server.exportObjectManager(at: "/dev/suzu/Test")
      try await server.export(item, at: "/dev/suzu/Test/items/_1")
      try await server.export(Interface("dev.suzu.Elsewhere1"), at: "/elsewhere")
      let objects = try bus.gdbus("org.freedesktop.DBus.ObjectManager.GetManagedObjects")
      #expect(
        objects
          == "({objectpath '/dev/suzu/Test/items/_1': {'dev.suzu.Item1': {'Name': <'one'>}}},)")

      var signals = try await client.signals(
        matching: MatchRule(sender: Peers.name, path: "/dev/suzu/Test", interface: "org.freedesktop.DBus.ObjectManager")
      ).makeAsyncIterator()
      try await server.export(item, at: "/dev/suzu/Test/items/_2")
      try await server.export(Interface("dev.suzu.Elsewhere2"), at: "/elsewhere")
      await server.withdraw("dev.suzu.Item1", at: "/dev/suzu/Test/items/_1")
      let added = try #require(try await signals.next())
      #expect(added.member == "InterfacesAdded")
      #expect(added.arguments.first == .objectPath("/dev/suzu/Test/items/_2"))
      let removed = try #require(try await signals.next())
      #expect(removed.member == "InterfacesRemoved")
      #expect(removed.arguments == [.objectPath("/dev/suzu/Test/items/_1"), .strings(["dev.suzu.Item1"])])
    }
  }

  @Test func `Quick additions and removals are announced in order`() async throws {
    try await Peers.withPair(PrivateBus()) { server, client in
      await server.exportObjectManager(at: "/")
      var signals = try await client.signals(
        matching: MatchRule(sender: Peers.name, interface: "org.freedesktop.DBus.ObjectManager")
      ).makeAsyncIterator()
      for _ in 0..<3 {
        try await server.export(Interface("dev.suzu.Item1"), at: "/item")
        await server.withdraw("dev.suzu.Item1", at: "/item")
      }
      for member: MemberName in ["InterfacesAdded", "InterfacesRemoved", "InterfacesAdded", "InterfacesRemoved"] {
        #expect(try await signals.next()?.member == member)
      }
    }
  }
}
