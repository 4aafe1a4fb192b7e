// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import TestSupport
import Testing

/// Tests match rules, signal streams and forged signals.
@Suite(.timeLimit(.minutes(1))) struct SignalTests {
  static func signal(_ member: MemberName, _ arguments: [Value] = [], at path: ObjectPath = Peers.path) -> Signal {
    Signal(path, Peers.interface, member, arguments)
  }

  /// The members of all signals up to one named `End`.
  static func members(_ stream: SignalStream) async throws -> [String] {
    var members: [String] = []
    for try await signal in stream {
      if signal.member == "End" { break }
      members.append(signal.member.text)
    }
    return members
  }

  // MARK: Rules

  @Test func `A match rule passes exactly the signals that it describes`() async throws {
    try await Peers.withPair(PrivateBus()) { server, client in
      let rules: [(MatchRule, [String])] = [
        (MatchRule(interface: Peers.interface), ["A", "B", "Below", "Beside", "Above"]),
        (MatchRule(path: Peers.path), ["A", "B", "Other"]),
        (MatchRule(pathNamespace: Peers.path, interface: Peers.interface), ["A", "B", "Below"]),
        (MatchRule(pathNamespace: "/", interface: Peers.interface), ["A", "B", "Below", "Beside", "Above"]),
        (MatchRule(interface: Peers.interface, member: "B"), ["B"]),
        (MatchRule(interface: Peers.interface, firstArgument: "x"), ["A"]),
        (MatchRule(sender: Peers.name, interface: Peers.interface), ["A", "B", "Below", "Beside", "Above"]),
        (MatchRule(sender: await client.uniqueName, path: Peers.path), []),
      ]
      var streams: [(SignalStream, [String])] = []
      for (rule, members) in rules { streams.append((try await client.signals(matching: rule), members)) }

      try await server.emit(Self.signal("A", ["x"]))
      try await server.emit(Self.signal("B", [.objectPath("/x"), "x"]))
      try await server.emit(Self.signal("Below", ["xy"], at: "/dev/suzu/Test/below"))
      try await server.emit(Self.signal("Beside", [], at: "/dev/suzu/Testing"))
      try await server.emit(Self.signal("Above", [], at: "/dev/suzu"))
      try await server.emit(Signal(Peers.path, "dev.suzu.Test2", "Other"))
      // The answer to the last call arrives after all of them.
      try await client.call(MethodCall(to: Peers.name, "/", "org.freedesktop.DBus.Peer", "Ping"))

      for (stream, expected) in streams {
        // A signal to this connection, which matches every rule except the sender's, ends each stream: its reader is
        // cancelled.
        let reading = Task { [stream] in
          var members: [String] = []
          for try await signal in stream { members.append(signal.member.text) }
          return members
        }
        reading.cancel()
        #expect(try await reading.value == expected)
      }
    }
  }

  @Test(arguments: ["it's", "'", "''quoted''", "back\\slash", "comma,arg1='x'", "", "世界", "new\nline"])
  func `An argument of any text can be matched`(_ text: String) async throws {
    try await Peers.withPair(PrivateBus()) { server, client in
      let rule = MatchRule(interface: Peers.interface, firstArgument: text)
      var iterator = try await client.signals(matching: rule).makeAsyncIterator()
      try await server.emit(Self.signal("Other", [.string(text + "x")]))
      try await server.emit(Self.signal("This", [.string(text)]))
      #expect(try await iterator.next()?.member == "This")
    }
  }

  @Test func `A match rule that the bus refuses gives an error`() async throws {
    try await Peers.withPair(PrivateBus()) { _, client in
      let rule = MatchRule(firstArgument: String(repeating: "x", count: 2000))
      for rule in [rule, MatchRule(firstArgument: "a\0b")] {
        await #expect(throws: CallError.self) { try await client.signals(matching: rule) }
      }
      let alive = try await client.call(.toBus("GetId"))
      #expect(alive.count == 1)
    }
  }

  // MARK: Streams

  @Test func `A slow reader loses the oldest signals and learns how many`() async throws {
    try await Peers.withPair(PrivateBus()) { server, client in
      let stream = try await client.signals(matching: MatchRule(interface: Peers.interface), buffering: 3)
      for number in 0..<10 { try await server.emit(Self.signal("Count", [.int32(Int32(number))])) }
      try await client.call(MethodCall(to: Peers.name, "/", "org.freedesktop.DBus.Peer", "Ping"))
      var iterator = stream.makeAsyncIterator()
      let first = try #require(try await iterator.next())
      #expect(first.arguments == [.int32(7)])
      #expect(first.lostBefore == 7)
      for number: Int32 in [8, 9] {
        let next = try #require(try await iterator.next())
        #expect(next.arguments == [.int32(number)])
        #expect(next.lostBefore == 0)
      }
    }
  }

  @Test func `A reader that is always one signal behind loses none`() async throws {
    try await Peers.withPair(PrivateBus()) { server, client in
      let stream = try await client.signals(matching: MatchRule(interface: Peers.interface), buffering: 4)
      var iterator = stream.makeAsyncIterator()
      try await server.emit(Self.signal("Count", [.int32(0)]))
      for number: Int32 in 0..<300 {
        try await server.emit(Self.signal("Count", [.int32(number + 1)]))
        let signal = try #require(try await iterator.next())
        #expect(signal.arguments == [.int32(number)])
        #expect(signal.lostBefore == 0)
      }
    }
  }

  @Test func `A cancelled reader ends, and the next reader goes on`() async throws {
    try await Peers.withPair(PrivateBus()) { server, client in
      let stream = try await client.signals(matching: MatchRule(interface: Peers.interface))
      let reading = Task { [stream] in try await stream.first { _ in true } }
      reading.cancel()
      #expect(try await reading.value == nil)
      try await server.emit(Self.signal("Next"))
      #expect(try await stream.first { _ in true }?.member == "Next")
    }
  }

  @Test func `A stream ends with its connection`() async throws {
    let bus = try PrivateBus()
    try await Peers.withPair(bus) { server, client in
      let closed = try await client.signals(matching: MatchRule(interface: Peers.interface))
      let lost = try await server.signals(matching: MatchRule(interface: Peers.interface))
      let waiting = Task { [closed] in try await closed.first { _ in true } }
      await client.close()
      let end = await #expect(throws: BusError.self) { try await waiting.value }
      #expect(end?.code == .closed)
      bus.kill()
      let error = await #expect(throws: BusError.self) { try await lost.first { _ in true } }
      #expect(error?.code == .disconnected)
    }
  }

  // MARK: What the bus holds for us

  @Test func `A match rule is removed with its last stream`() async throws {
    let bus = try PrivateBus()
    try await Peers.withPair(bus) { server, client in
      let rule = MatchRule(sender: Peers.name, interface: Peers.interface)
      let before = try await client.matchRules()
      do {
        let first = try await client.signals(matching: rule)
        let withOne = try await client.matchRules()
        // Its own rule, and one for the owner of its sender.
        #expect(withOne.count == before.count + 2)
        let second = try await client.signals(matching: rule)
        let third = try await client.signals(matching: MatchRule(sender: Peers.name, member: "X"))
        #expect(try await client.matchRules().count == before.count + 3)
        withExtendedLifetime((first, second, third)) {}
      }
      // Releasing a stream takes one turn of the loop, and this call takes one more.
      try await client.call(.toBus("GetId"))
      #expect(try await client.matchRules() == before)
    }
  }

  @Test func `A cancelled wait for a match rule leaves it to the others`() async throws {
    let bus = try PrivateBus()
    try await Peers.withPair(bus) { server, client in
      let rule = MatchRule(sender: Peers.name, interface: Peers.interface)
      let before = try await client.matchRules()
      bus.freeze()
      let first = await client.askForSignals(rule)
      let second = await client.askForSignals(rule)
      let alone = await client.askForSignals(MatchRule(sender: "dev.suzu.Other", member: "X"))
      first.cancel()
      alone.cancel()
      await #expect(throws: CallError.self) { try await first.value }
      await #expect(throws: CallError.self) { try await alone.value }
      bus.thaw()
      let stream = try await second.value
      try await server.emit(Self.signal("Heard"))
      #expect(try await stream.first { _ in true }?.member == "Heard")
      try await client.call(.toBus("GetId"))
      #expect(try await client.matchRules().count == before.count + 2)
    }
  }

  @Test func `Many concurrent streams with one rule all get the first signal`() async throws {
    try await Peers.withPair(PrivateBus()) { server, client in
      let rule = MatchRule(sender: Peers.name, interface: Peers.interface)
      try await withThrowingTaskGroup { group in
        for _ in 0..<50 {
          group.addTask {
            let stream = try await client.signals(matching: rule)
            try await server.emit(Self.signal("Here"))
            return try await stream.first { _ in true }?.member
          }
        }
        for try await member in group { #expect(member == "Here") }
      }
    }
  }

  // MARK: Forgery

  @Test func `A signal of another peer is not taken for the sender's`() async throws {
    let bus = try PrivateBus()
    try await Peers.withPair(bus) { server, client in
      let stream = try await client.signals(matching: MatchRule(sender: Peers.name, interface: Peers.interface))
      let anybody = try await client.signals(matching: MatchRule(interface: Peers.interface))
      let victim = try #require(await client.uniqueName)
      for destination in [[], ["--dest=\(victim)"]] {
        try bus.dbusSend(["--type=signal"] + destination + ["/dev/suzu/Test", "dev.suzu.Test1.Forged"])
      }
      try await server.emit(Self.signal("Real"))
      #expect(try await stream.first { _ in true }?.member == "Real")
      // The forged signals did arrive.
      var iterator = anybody.makeAsyncIterator()
      for member: MemberName in ["Forged", "Forged", "Real"] { #expect(try await iterator.next()?.member == member) }
    }
  }

  @Test func `A stream follows its name to a new owner`() async throws {
    let bus = try PrivateBus()
    try await Peers.withPair(bus) { server, client in
      let next = try await bus.connect(on: client.loop)
      #expect(try await next.requestName(Peers.name, []) == .queued)
      var owners = try await client.owners(of: Peers.name).makeAsyncIterator()
      #expect(await owners.next() == .some(await server.uniqueName))
      var signals = try await client.signals(matching: MatchRule(sender: Peers.name)).makeAsyncIterator()

      try await next.emit(Self.signal("Early"))
      try await server.emit(Self.signal("First"))
      #expect(try await signals.next()?.member == "First")
      try await server.releaseName(Peers.name)
      try await server.emit(Self.signal("Late"))
      try await next.emit(Self.signal("Second"))
      #expect(try await signals.next()?.member == "Second")
      #expect(await owners.next() == .some(await next.uniqueName))
      await next.close()
      #expect(await owners.next() == .some(nil))
    }
  }

  @Test func `Forged signals of the bus are ignored`() async throws {
    let bus = try PrivateBus()
    try await Peers.withPair(bus) { server, client in
      var owners = try await client.owners(of: Peers.name).makeAsyncIterator()
      #expect(await owners.next() == .some(await server.uniqueName))
      var events = await server.events().makeAsyncIterator()
      for victim in [await client.uniqueName, await server.uniqueName].compactMap(\.self) {
        for (member, arguments) in [
          ("NameOwnerChanged", ["string:dev.suzu.Test", "string:\(victim)", "string:"]),
          ("NameLost", ["string:dev.suzu.Test"]), ("NameAcquired", ["string:dev.suzu.Other"]),
        ] {
          try bus.dbusSend(
            ["--type=signal", "--dest=\(victim)", "/org/freedesktop/DBus", "org.freedesktop.DBus.\(member)"] + arguments
          )
        }
      }
      // The next signal is real: the server loses its name because it released it.
      try await client.call(MethodCall(to: Peers.name, "/", "org.freedesktop.DBus.Peer", "Ping"))
      try await server.releaseName(Peers.name)
      #expect(await owners.next() == .some(nil))
      #expect(await events.next() == .lost(Peers.name))
    }
  }

  @Test func `A forged disconnection is ignored`() async throws {
    let bus = try PrivateBus()
    try await Peers.withPair(bus) { _, client in
      let victim = try #require(await client.uniqueName)
      _ = try bus.raw(
        """
        client = bus()
        client.sendall(message(SIGNAL, 2, [
          (PATH, 'o', '/org/freedesktop/DBus/Local'), (INTERFACE, 's', 'org.freedesktop.DBus.Local'),
          (MEMBER, 's', 'Disconnected'), (DESTINATION, 's', sys.argv[1])]))
        ask(client)
        """, victim.text)
      #expect(try await client.call(.toBus("GetId")).count == 1)
    }
  }
}

extension Connection {
  /// Sends the query before it returns.
  fileprivate func askForSignals(_ rule: MatchRule) -> Task<SignalStream, any Error> {
    Task.immediate { try await self.signals(matching: rule) }
  }

  /// The rules that the bus itself lists for this connection.
  fileprivate func matchRules() async throws -> [String] {
    let call = MethodCall(
      to: .bus, "/org/freedesktop/DBus", "org.freedesktop.DBus.Debug.Stats", "GetAllMatchRules")
    let reply = try await self.call(call)
    guard case .dictionary(let rules) = reply.first, let name = uniqueName else { return [] }
    return rules.entries.first { $0.key.string == name.text }?.value.strings?.sorted() ?? []
  }
}
