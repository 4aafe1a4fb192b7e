// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import Freedesktop
import TestSupport
import Testing

/// Tests events of logind and timedated.
@Suite(.timeLimit(.minutes(1))) struct MachineEventsTests {
  static let login: BusName = "org.freedesktop.login1"
  static let loginPath: ObjectPath = "/org/freedesktop/login1"
  static let time: BusName = "org.freedesktop.timedate1"
  static let timePath: ObjectPath = "/org/freedesktop/timedate1"
  static let timeInterface: InterfaceName = "org.freedesktop.timedate1"

  /// A peer that acts as logind, timedated, both or neither.
  struct Peer: Sendable {
    let connection: Connection

    init(_ bus: PrivateBus, _ loop: EventLoop, as names: BusName...) async throws {
      connection = try await bus.connect(on: loop)
      try await connection.export(
        Interface(
          timeInterface,
          properties: [
            Property("Timezone", "s") { "Pacific/Honolulu" }, Property("NTPSynchronized", "b") { true },
            Property("LocalRTC", "b") { false },
          ]), at: timePath)
      for name in names { #expect(try await connection.requestName(name) == .owner) }
    }

    func announceSleep(_ isBeginning: Bool, to receiver: BusName? = nil) async throws {
      try await connection.emit(
        Signal(
          loginPath, "org.freedesktop.login1.Manager", "PrepareForSleep", [.boolean(isBeginning)], to: receiver))
    }

    func change(_ property: MemberName) async throws {
      try await connection.propertiesChanged([property], of: timeInterface, at: timePath)
    }
  }

  /// The events of a bus, once they are followed.
  static func follow(
    _ bus: PrivateBus, on loop: EventLoop, retries: [Duration] = []
  ) async throws -> Reader<MachineEvent> {
    // Without the bus id, like the system bus address.
    let address = try BusAddress("unix:path=" + bus.folder.path("bus"))
    let events = Reader(MachineEvents.events(on: loop, from: address, retries: retries))
    #expect(await events.next() == .listening)
    return events
  }

  // MARK: Events

  @Test func `Sleep, wake-up and zone changes are reported in the order of each service`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let peer = try await Peer(bus, loop, as: Self.login, Self.time)
      let events = try await Self.follow(bus, on: loop)
      try await peer.announceSleep(true)
      #expect(await events.next() == .willSleep)
      try await peer.announceSleep(false)
      #expect(await events.next() == .resumed)
      try await peer.change("Timezone")
      #expect(await events.next() == .zoneChanged)
      try await peer.change("LocalRTC")
      try await peer.change("NTPSynchronized")
      #expect(await events.next() == .synchronizationChanged)
      // Without the value, as some versions do.
      let arguments: [Value] = [.string(Self.timeInterface.text), .properties([:]), .strings(["Timezone"])]
      try await peer.connection.emit(
        Signal(Self.timePath, "org.freedesktop.DBus.Properties", "PropertiesChanged", arguments))
      #expect(await events.next() == .zoneChanged)
      await peer.connection.close()
    }
  }

  @Test func `A service that starts later, ends and starts again is followed`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let events = try await Self.follow(bus, on: loop)
      for _ in 0..<3 {
        let peer = try await Peer(bus, loop, as: Self.time)
        try await peer.change("Timezone")
        #expect(await events.next() == .zoneChanged)
        await peer.connection.close()
      }
    }
  }

  // MARK: Untrusted signals

  @Test func `A signal from another sender is ignored, broadcast or addressed to us`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let events = try await Self.follow(bus, on: loop)
      let logind = try await Peer(bus, loop, as: Self.login)
      let timedated = try await Peer(bus, loop, as: Self.time)
      let forger = try await Peer(bus, loop)
      let names = try #require(try await forger.connection.call(.toBus("ListNames")).first?.strings)
      for name in names.compactMap({ BusName($0) }) where name.isUnique {
        try await forger.announceSleep(true, to: name)
        // Each is a known service, but not the right one for the signal.
        try await timedated.announceSleep(true, to: name)
      }
      try await forger.announceSleep(true)
      try await forger.change("Timezone")
      try await logind.change("Timezone")
      // The bus orders different senders: their signals precede its replies to them.
      for peer in [forger, logind, timedated] { _ = try await peer.connection.call(.toBus("GetId")) }
      try await logind.announceSleep(false)
      #expect(await events.next() == .resumed)
      for peer in [forger, logind, timedated] { await peer.connection.close() }
    }
  }

  @Test func `Malformed signals are ignored`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let peer = try await Peer(bus, loop, as: Self.login, Self.time)
      let events = try await Self.follow(bus, on: loop)
      func emit(_ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [Value]) async throws
      {
        try await peer.connection.emit(Signal(path, interface, member, arguments))
      }
      let properties: InterfaceName = "org.freedesktop.DBus.Properties"
      let manager: InterfaceName = "org.freedesktop.login1.Manager"
      try await emit(Self.loginPath, manager, "PrepareForSleep", [])
      try await emit(Self.loginPath, manager, "PrepareForSleep", ["true"])
      try await emit(Self.loginPath, manager, "PrepareForShutdown", [true])
      try await emit("/elsewhere", manager, "PrepareForSleep", [true])
      try await emit(Self.timePath, properties, "PropertiesChanged", [.string(Self.timeInterface.text)])
      try await emit(
        Self.timePath, properties, "PropertiesChanged",
        ["org.example.Other", .properties(["Timezone": "x"]), .strings([])])
      try await emit(
        Self.timePath, properties, "PropertiesChanged", [.string(Self.timeInterface.text), "Timezone", "Timezone"])
      try await peer.announceSleep(true)
      #expect(await events.next() == .willSleep)
      await peer.connection.close()
    }
  }

  // MARK: Without a bus

  @Test func `Without a bus the events end after the allowed retries`() async throws {
    try await withLoop { loop in
      #expect(await Reader(MachineEvents.events(on: loop, from: nil)).next() == nil)
      let folder = try TemporaryFolder()
      let nowhere = try BusAddress("unix:path=" + folder.path("none"))
      let start = ContinuousClock.now
      let events = MachineEvents.events(on: loop, from: nowhere, retries: [.milliseconds(20), .milliseconds(30)])
      let read = Reader(events)
      // Once for each attempt: the last one may be minutes later.
      for _ in 0..<3 { #expect(await read.next() == .unreachable) }
      #expect(await read.next() == nil)
      #expect(start.duration(to: .now) >= .milliseconds(50))
    }
    #expect(MachineEvents.usualRetries.count < 5)
  }

  @Test func `A bus that comes back is followed again`() async throws {
    let bus = try PrivateBus()
    try await withLoop { loop in
      let retries = [Duration](repeating: .milliseconds(50), count: 200)
      let events = try await Self.follow(bus, on: loop, retries: retries)
      bus.kill()
      let second = try PrivateBus(in: bus.folder)
      var event = await events.next()
      #expect(event == .unreachable)
      while event == .unreachable { event = await events.next() }
      #expect(event == .listening)
      let peer = try await Peer(second, loop, as: Self.login)
      try await peer.announceSleep(false)
      #expect(await events.next() == .resumed)
      await peer.connection.close()
    }
  }

  @Test func `Dropping the events closes the connection`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let other = try await bus.connect(on: loop)
      let owners = try await other.signals(
        matching: MatchRule(sender: .bus, interface: "org.freedesktop.DBus", member: "NameOwnerChanged"))
      var changes = owners.makeAsyncIterator()
      do {
        let events = try await Self.follow(bus, on: loop)
        let came = try await changes.next()
        #expect(came?.arguments[1] == "")
        _ = events
      }
      let gone = try await changes.next()
      #expect(gone?.arguments[2] == "")
      await other.close()
    }
  }

  @Test func `An idle machine causes no wake-ups`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      _ = try await Self.follow(bus, on: loop)
      let events = try await Self.follow(bus, on: loop)
      let thread = await LoopThread(of: loop)
      let rest = try thread.rest()
      // The timer for the time limit of the last call, ten seconds, stays armed after the answer.
      #expect(rest.map { $0 > .seconds(5) } ?? true, "\(String(describing: rest))")
      _ = events
    }
  }

  // MARK: Other implementations

  /// Uses the service templates of python-dbusmock.
  @Test func `The mocks of python-dbusmock are understood`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      var environment = bus.environment
      environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus.address
      let events = try await Self.follow(bus, on: loop)
      let connection = try await bus.connect(on: loop)
      var owners: [AsyncStream<BusName?>.Iterator] = []
      for name in [Self.login, Self.time] { owners.append(try await connection.owners(of: name).makeAsyncIterator()) }
      let mocks = try ["logind", "timedated"].map {
        try RunningProgram("/usr/bin/python3", ["-m", "dbusmock", "--template", $0], environment: environment)
      }
      for index in owners.indices {
        while let owner = await owners[index].next(isolation: #isolation), owner == nil {}
      }
      for isBeginning in [true, false] {
        try await connection.call(
          MethodCall(
            to: Self.login, Self.loginPath, "org.freedesktop.DBus.Mock", "EmitSignal",
            [
              "org.freedesktop.login1.Manager", "PrepareForSleep", "b",
              .array(of: .variant, [.variant(.boolean(isBeginning))]),
            ]))
        #expect(await events.next() == (isBeginning ? .willSleep : .resumed))
      }
      try await connection.call(
        MethodCall(to: Self.time, Self.timePath, Self.timeInterface, "SetTimezone", ["Pacific/Honolulu", false]))
      #expect(await events.next() == .zoneChanged)
      try await connection.call(MethodCall(to: Self.time, Self.timePath, Self.timeInterface, "SetNTP", [false, false]))
      #expect(await events.next() == .synchronizationChanged)
      for mock in mocks { mock.kill() }
      await connection.close()
    }
  }
}
