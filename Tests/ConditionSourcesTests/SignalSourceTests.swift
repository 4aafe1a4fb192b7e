// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import NotificationModel
import Scheduling
import TestSupport
import Testing

@testable import ConditionSources

/// Tests signals, on a real bus.
@Suite(.timeLimit(.minutes(1))) struct SignalSourceTests {
  private static let done = SignalDescription("Done", ("page", String.self), ("count", UInt32.self))

  private static func emit(_ connection: Connection, _ page: String, _ count: UInt32 = 1) async throws {
    try await connection.emit(Signal(done, "/org/example/Printer", "org.example.Printer", page, count))
  }

  @Test(arguments: ["", "system "])
  func `A signal is observed with its arguments, sender and object`(_ prefix: String) async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let source = SignalSource(on: loop, system: stand.link, session: stand.session)
      let printer = try await bus.connect(on: loop)
      let reader = try stand.watch(source, prefix + "signal org.example.Printer.Done at /org/example/Printer arg1=3")
      #expect(await reader.next() == .holds(true))
      try await Self.emit(printer, "first", 2)
      try await Self.emit(printer, "second", 3)
      let name = try #require(await printer.uniqueName)
      #expect(
        await reader.next()
          == .happened(
            event: ["sender": name.text, "path": "/org/example/Printer", "arg0": "second", "arg1": "3"]))
      await printer.close()
    }
  }

  @Test func `Only the owner of the name counts as its sender`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let source = SignalSource(on: loop, system: stand.link, session: stand.session)
      let (printer, forger) = (try await bus.connect(on: loop), try await bus.connect(on: loop))
      #expect(try await printer.requestName("org.example.Printer") == .owner)
      let reader = try stand.watch(source, "signal org.example.Printer.Done from org.example.Printer")
      #expect(await reader.next() == .holds(true))
      try await Self.emit(forger, "false")
      // The bus orders different senders: the forged signal precedes its reply.
      _ = try await forger.call(.toBus("GetId"))
      try await Self.emit(printer, "true")
      guard case .happened(let event)? = await reader.next() else { return #expect(Bool(false)) }
      #expect(event["arg0"] == "true")
      await printer.close()
      await forger.close()
    }
  }

  @Test func `Each of ten thousand signals is reported`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let source = SignalSource(on: loop, system: stand.link, session: stand.session)
      let printer = try await bus.connect(on: loop)
      let reader = try stand.watch(source, "signal org.example.Printer.Done")
      #expect(await reader.next() == .holds(true))
      for number in 0..<10_000 { try await Self.emit(printer, "\(number)") }
      for number in 0..<10_000 {
        guard case .happened(let event)? = await reader.next(), event["arg0"] == "\(number)" else {
          return #expect(Bool(false), "\(number)")
        }
      }
      await printer.close()
    }
  }

  @Test func `A bus that cannot be reached is named`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let nowhere = SystemBusLink(try BusAddress("unix:path=" + bus.folder.path("none")), on: loop)
      let source = SignalSource(on: loop, system: nowhere, session: stand.session)
      let reader = try stand.watch(source, "system signal org.example.Printer.Done")
      #expect(await reader.next() == .unknown("the system bus cannot be reached"))
      source.unwatch(try Condition("system signal org.example.Printer.Done").subject)
    }
  }

  @Test func `A closed connection is named`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let source = SignalSource(on: loop, system: stand.link, session: stand.session)
      let reader = try stand.watch(source, "signal org.example.Printer.Done")
      #expect(await reader.next() == .holds(true))
      await stand.session.close()
      #expect(await reader.next() == .unknown("the session bus cannot be reached"))
      source.unwatch(try Condition("signal org.example.Printer.Done").subject)
    }
  }

  @Test func `Nothing is reported of a signal that is no longer watched`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let source = SignalSource(on: loop, system: stand.link, session: stand.session)
      let printer = try await bus.connect(on: loop)
      let (line, other) = ("signal org.example.Printer.Done", "signal org.example.Printer.Done arg0=last")
      let reader = try stand.watch(source, line)
      #expect(await reader.next() == .holds(true))
      let others = try stand.watch(source, other)
      #expect(await others.next() == .holds(true))
      source.unwatch(try Condition(line).subject)
      try await Self.emit(printer, "first")
      try await Self.emit(printer, "last")
      guard case .happened(let event)? = await others.next() else { return #expect(Bool(false)) }
      #expect(event["arg0"] == "last")
      source.watch(try Condition(line).subject)
      #expect(await reader.next() == .holds(true))
      await printer.close()
    }
  }

  // A subscription ends some turns after its task is cancelled; until then, the next one reported each signal as well.
  @Test func `A signal is reported once, though its subject is watched anew meanwhile`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let source = SignalSource(on: loop, system: stand.link, session: stand.session)
      let printer = try await bus.connect(on: loop)
      let line = "signal org.example.Printer.Done"
      let subject = try Condition(line).subject
      let reader = try stand.watch(source, line)
      #expect(await reader.next() == .holds(true))
      var pages: [String] = []
      func read(until end: String) async {
        while pages.last != end, let observation = await reader.next() {
          if case .happened(let event) = observation { pages.append(event["arg0"] ?? "") }
        }
      }
      for round in 0..<20 {
        // These are all reported: the source watches.
        for number in 0..<6 { try await Self.emit(printer, "\(round) before \(number)") }
        await read(until: "\(round) before 5")
        for number in 0..<100 {
          try await Self.emit(printer, "\(round).\(number)")
          guard number % 5 == 0 else { continue }
          source.unwatch(subject)
          source.watch(subject)
          // The watch comes at another moment in each round, also between the signals on their way.
          if number == round * 5 { _ = try await stand.session.call(.toBus("GetId")) }
        }
        // The source takes its subjects in order: when it watches this one, it watches the other one as well.
        let end = "end \(round)"
        let ends = try stand.watch(source, "\(line) 'arg0=\(end)'")
        #expect(await ends.next() == .holds(true))
        try await Self.emit(printer, end)
        await read(until: end)
      }
      #expect(pages.count > 100 && Set(pages).count == pages.count, "\(pages.count), \(Set(pages).count) different")
      await printer.close()
    }
  }
}
