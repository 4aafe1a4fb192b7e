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
      guard case .happened(let event, _)? = await reader.next() else { return #expect(Bool(false)) }
      #expect(event["arg0"] == "true")
      await printer.close()
      await forger.close()
    }
  }

  @Test func `Ten thousand signals are counted, and the memory for them is bounded`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let source = SignalSource(on: loop, system: stand.link, session: stand.session)
      let printer = try await bus.connect(on: loop)
      let reader = try stand.watch(source, "signal org.example.Printer.Done")
      #expect(await reader.next() == .holds(true))
      for number in 0..<10_000 { try await Self.emit(printer, "\(number)") }
      var count = 0
      while count < 10_000, case .happened(_, let lost)? = await reader.next() { count += 1 + lost }
      #expect(count == 10_000)
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
}
