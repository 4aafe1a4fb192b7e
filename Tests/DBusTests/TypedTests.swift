// SPDX-License-Identifier: Apache-2.0
import DBus
import TestSupport
import Testing

/// Tests methods, calls, signals and properties whose Swift types give signatures, checks and conversions.
@Suite(.timeLimit(.minutes(1))) struct TypedTests {
  // MARK: Types

  private static let numbers = MethodDescription(
    "Numbers", in: ("a", UInt8.self), ("b", Int16.self), ("c", UInt16.self), ("d", Int32.self), ("e", UInt32.self),
    ("f", Int64.self), ("g", UInt64.self), ("h", Double.self),
    out: ("a", UInt8.self), ("b", Int16.self), ("c", UInt16.self), ("d", Int32.self), ("e", UInt32.self),
    ("f", Int64.self), ("g", UInt64.self), ("h", Double.self))
  private static let texts = MethodDescription(
    "Texts", in: ("a", String.self), ("b", ObjectPath.self), ("c", Signature.self), ("d", Bool.self),
    out: ("a", String.self), ("b", ObjectPath.self), ("c", Signature.self), ("d", Bool.self))
  private static let containers = MethodDescription(
    "Containers", in: ("a", [String].self), ("b", [UInt8].self), ("c", [String: [Value]].self),
    ("d", [[Int64: Pair<Bool, [String: Value]>]].self), ("e", [Value].self), ("f", Value.self),
    out: ("a", [String].self), ("b", [UInt8].self), ("c", [String: [Value]].self),
    ("d", [[Int64: Pair<Bool, [String: Value]>]].self), ("e", [Value].self), ("f", Value.self))

  private static let echoes = [
    Method(numbers) { _, a, b, c, d, e, f, g, h, _ in (a, b, c, d, e, f, g, h) },
    Method(texts) { _, a, b, c, d, _ in (a, b, c, d) },
    Method(containers) { _, a, b, c, d, e, f, _ in (a, b, c, d, e, f) },
  ]

  @Test func `Numbers and texts arrive as they were sent`() async throws {
    try await Peers.withPair(PrivateBus(), Self.echoes) { _, client in
      let numbers = try await client.call(
        Self.numbers, of: Peers.object, .max, .min, .max, .min, .max, .min, .max, -0.5)
      #expect(numbers.0 == .max && numbers.1 == .min && numbers.2 == .max && numbers.3 == .min)
      #expect(numbers.4 == .max && numbers.5 == .min && numbers.6 == .max && numbers.7 == -0.5)
      let texts = try await client.call(Self.texts, of: Peers.object, "日本 🔔", "/a/b", "a{sv}i", true)
      #expect(texts == ("日本 🔔", "/a/b", "a{sv}i", true))
      let empty = try await client.call(Self.texts, of: Peers.object, "", "/", "", false)
      #expect(empty == ("", "/", "", false))
    }
  }

  @Test func `Containers arrive as they were sent, empty, nested or long`() async throws {
    try await Peers.withPair(PrivateBus(), Self.echoes) { _, client in
      let sent: [[Int64: Pair<Bool, [String: Value]>]] = [
        [:], [7: Pair(true, ["x": .bytes([1]), "a": .variant("twice")]), -1: Pair(false, [:])],
      ]
      let long = (0..<3000).map { "text \($0)" }
      for texts in [[], ["one"], long] {
        let reply = try await client.call(
          Self.containers, of: Peers.object, texts, texts.isEmpty ? [] : [0, 255],
          ["list": [.uint32(1), "two"], "": []], sent, texts.map { Value.string($0) }, Value.structure([.byte(1)]))
        #expect(reply.0 == texts && reply.1 == (texts.isEmpty ? [] : [0, 255]))
        #expect(reply.2 == ["list": [.uint32(1), "two"], "": []])
        #expect(reply.3.count == 2 && reply.3[0].isEmpty && reply.3[1].keys.sorted() == [-1, 7])
        #expect(reply.3[1][7]?.first == true && reply.3[1][7]?.second == ["x": .bytes([1]), "a": .variant("twice")])
        #expect(reply.3[1][-1]?.second == [:])
        #expect(reply.4 == texts.map { .string($0) } && reply.5 == .structure([.byte(1)]))
      }
    }
  }

  @Test func `Another client sees the signatures of the Swift types`() async throws {
    let bus = try PrivateBus()
    try await Peers.withPair(bus, Self.echoes) { _, _ in
      let answer = try bus.busctl("Containers", "asaya{sav}aa{x(ba{sv})}avv", "1", "x", "0", "0", "0", "0", "s", "y")
      #expect(answer == "asaya{sav}aa{x(ba{sv})}avv 1 \"x\" 0 0 0 0 s \"y\"")
      let refused = try bus.busctl("Texts", "ssgb", "x", "/", "", "true")
      #expect(refused.contains("'Texts' takes 'sogb', not 'ssgb'"), "\(refused)")
    }
  }

  @Test func `Properties keep their order and keys that occur twice`() async throws {
    let echo = MethodDescription("Echo", in: ("properties", Properties.self), out: ("properties", Properties.self))
    try await Peers.withPair(PrivateBus(), [Method(echo) { _, properties, _ in properties }]) { _, client in
      let twins = DictionaryValue(
        keyType: .string, valueType: .variant,
        entries: ["b", "a", "b"].enumerated().map { index, key in
          .init(key: .string(key), value: .variant(.int32(Int32(index))))
        })
      let reply = try await client.call(Peers.call("Echo", [.dictionary(twins)]))
      #expect(reply == [.dictionary(twins)])
      let typed = try await client.call(
        echo, of: Peers.object, try #require(Value.dictionary(twins).as(Properties.self)))
      #expect(typed.busValue == .dictionary(twins))
      #expect(typed.values == ["a": .int32(1), "b": .int32(2)] && typed["b"] == .int32(2))
      #expect(try typed.decode([String: Int].self) == ["a": 1, "b": 2])
      let coded = try Properties(encoding: ["one": 1])
      #expect(try coded.decode([String: Int].self) == ["one": 1] && coded.has("one") && !coded.has("two"))
    }
  }

  // MARK: Mistakes

  @Test func `An answer with other types is an error, and results behind the expected ones are ignored`() async throws {
    let short = Method("Short", out: ["a": "s"]) { _ in ["x"] }
    let more = Method("More", out: ["a": "s", "b": "u"]) { _ in ["x", .uint32(7)] }
    try await Peers.withPair(PrivateBus(), [short, more]) { _, client in
      func failure<Output>(_ method: MethodDescription<Void, Output>) async -> CallError? {
        do throws(CallError) { _ = try await client.call(method, of: Peers.object) } catch { return error }
        return nil
      }
      #expect(await failure(MethodDescription("Short", out: ("a", UInt32.self)))?.failureCode == .unexpectedReply)
      #expect(await failure(MethodDescription("Short", out: ("a", [String].self)))?.failureCode == .unexpectedReply)
      #expect(
        await failure(MethodDescription("Short", out: ("a", String.self), ("b", UInt32.self)))
          == .failed(BusError(.unexpectedReply, "the answer to 'Short' has the types 's', not 'su'")))
      // `x` is no name of a peer.
      #expect(await failure(MethodDescription("Short", out: ("a", BusName.self)))?.failureCode == .unexpectedReply)
      #expect(try await client.call(MethodDescription("More", out: ("a", String.self)), of: Peers.object) == "x")
      try await client.call(MethodDescription("More"), of: Peers.object)
    }
  }

  @Test func `A call with an invalid name or an invalid text is refused`() async throws {
    let named = MethodDescription("Named", in: ("name", BusName.self), out: ("name", BusName.self))
    let invalid = MethodDescription("Invalid", out: ("text", String.self))
    let methods = [Method(named) { _, name, _ in name }, Method(invalid) { _, _ in "a\0b" }]
    try await Peers.withPair(PrivateBus(), methods) { _, client in
      let name = try await client.call(named, of: Peers.object, Peers.name)
      #expect(name == Peers.name)
      for name in ["x", "dev.suzu." + String(repeating: "x", count: 5000)] {
        let error = await client.failure(of: Peers.call("Named", [.string(name)]))
        #expect(error == .refused(RemoteError(.invalidArgs, "not a valid BusName: '\(name)'".prefixed(4096))))
      }
      #expect(await client.failure(of: Peers.call("Invalid"))?.isRefusal(.failed) == true)
      let text = MethodDescription("Named", in: ("name", String.self), out: ("name", String.self))
      let unsent = await #expect(throws: CallError.self) { try await client.call(text, of: Peers.object, "a\0b") }
      #expect(unsent?.failureCode == .invalidValue)
    }
  }

  private struct OutOfPaper: Refusal {
    var refusal: RemoteError { RemoteError("dev.suzu.Error.OutOfPaper", "no paper") }
  }

  @Test func `An error that stands for a refusal is sent as that`() async throws {
    let print = MethodDescription("Print")
    try await Peers.withPair(PrivateBus(), [Method(print) { _, _ in throw OutOfPaper() }]) { _, client in
      #expect(await client.failure(of: Peers.call("Print")) == .refused(OutOfPaper().refusal))
    }
  }

  @Test func `Values nested too deep are not sent`() async throws {
    let take = MethodDescription("Take", in: ("value", [String: Value].self))
    try await Peers.withPair(PrivateBus(), [Method(take) { _, _, _ in }]) { _, client in
      func nested(_ levels: Int) -> [String: Value] {
        ["x": (0..<levels).reduce(Value.byte(1)) { value, _ in .variant(value) }]
      }
      // The dictionary, its entry and the variant of its value take three levels of 64.
      try await client.call(take, of: Peers.object, nested(61))
      let error = await #expect(throws: CallError.self) {
        try await client.call(take, of: Peers.object, nested(62))
      }
      #expect(error?.failureCode == .invalidValue)
    }
  }

  // MARK: Late answers, signals and properties

  @Test func `A late answer is decoded, too`() async throws {
    let (door, late) = (Door(), Inbox<UInt32>())
    let wait = MethodDescription("Wait", out: ("number", UInt32.self))
    let method = Method(wait) { _, _ in
      await door.wait()
      return 7
    }
    try await Peers.withPair(PrivateBus(), [method]) { _, client in
      let error = await #expect(throws: CallError.self) {
        try await client.call(wait, of: Peers.object, limit: .milliseconds(20)) { answer in
          if case .success(let number) = answer { late.put(number) }
        }
      }
      #expect(error?.failureCode == .timedOut)
      door.open()
      let number = try await late.next()
      #expect(number == 7)
    }
  }

  @Test func `Signals are decoded by their description, and others are not`() async throws {
    let news = SignalDescription("News", ("text", String.self), ("details", [String: Value].self), ("any", Value.self))
    try await Peers.withPair(PrivateBus()) { server, client in
      var signals = try await client.signals(matching: MatchRule(sender: Peers.name)).makeAsyncIterator()
      try await server.emit(Signal(news, Peers.path, Peers.interface, "x", ["a": true], Value.byte(1)))
      let signal = try #require(try await signals.next())
      let (text, details, any) = try #require(signal.arguments(as: news))
      #expect(text == "x" && details == ["a": true] && any == .byte(1))
      #expect(signal.arguments(as: SignalDescription("News", ("text", String.self))) == nil)
      let untyped = SignalDescription("News", ("text", String.self), ("details", Value.self), ("any", Value.self))
      #expect(signal.arguments(as: untyped) == nil)
      let other = SignalDescription(
        "Olds", ("text", String.self), ("details", [String: Value].self), ("any", Value.self))
      #expect(signal.arguments(as: other) == nil)
    }
  }

  @Test func `A value is converted to its own type only`() {
    #expect(Value.uint32(7).as(UInt32.self) == 7 && Value.uint32(7).as(Int32.self) == nil)
    #expect(Value.strings(["a"]).as([String].self) == ["a"] && Value.strings([]).as([UInt32].self) == nil)
    #expect(Value.bytes([1]).as([UInt8].self) == [1] && Value.bytes([1]).as([UInt32].self) == nil)
    #expect(Value.string("dev.suzu.A").as(BusName.self) == "dev.suzu.A" && Value.string("x").as(BusName.self) == nil)
    // An empty array can be cast to one of any type, and once became an `ay`.
    #expect(Value.bytes([]).as([UInt32].self) == nil && Value.bytes([]).as([UInt8].self) == [])
    #expect([String]().busValue == .strings([]) && [UInt8]().busValue == .bytes([]))
    let pair = Value.structure([.string("a"), .objectPath("/a")]).as(Pair<String, ObjectPath>.self)
    #expect(pair?.first == "a" && pair?.second == "/a")
    #expect(Value.structure([.string("a")]).as(Pair<String, ObjectPath>.self) == nil)
    #expect(Value.array(of: .variant, [.variant(.byte(1))]).as([Value].self) == [.byte(1)])
    #expect(Value.properties(["a": true]).as([String: Value].self) == ["a": true])
    #expect(Value.properties(["a": true]).as([String: Bool].self) == nil)
  }
}

extension String {
  /// The first characters, as many as an error on the bus has.
  fileprivate func prefixed(_ count: Int) -> String { String(prefix(count)) }
}
