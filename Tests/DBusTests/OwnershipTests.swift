// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import TestSupport
import Testing

/// Tests names on the bus: requesting, following and starting their owners, and the credentials behind them.
@Suite(.timeLimit(.minutes(1))) struct OwnershipTests {
  static let name: BusName = "dev.suzu.Shared"

  @Test func `A name has one owner and a queue`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let first = try await bus.connect(on: loop)
      let second = try await bus.connect(on: loop)
      var events = await second.events().makeAsyncIterator()
      #expect(try await first.requestName(Self.name) == .owner)
      #expect(try await first.requestName(Self.name) == .alreadyOwner)
      #expect(try await second.requestName(Self.name) == .taken)
      #expect(try await second.requestName(Self.name, []) == .queued)
      #expect(try await second.owner(of: Self.name) == first.uniqueName)
      try await first.releaseName(Self.name)
      #expect(await events.next() == .acquired(Self.name))
      #expect(try await first.owner(of: Self.name) == second.uniqueName)
      await first.close()
      await second.close()
    }
  }

  @Test func `An owner that allows replacement is replaced and gets an event`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let first = try await bus.connect(on: loop)
      let second = try await bus.connect(on: loop)
      var events = await first.events().makeAsyncIterator()
      #expect(try await first.requestName(Self.name, .allowReplacement) == .owner)
      #expect(await events.next() == .acquired(Self.name))
      #expect(try await second.requestName(Self.name, .replaceExisting) == .owner)
      #expect(await events.next() == .lost(Self.name))
      // The connection is queued as an owner, and gets the name back.
      await second.close()
      #expect(await events.next() == .acquired(Self.name))
      await first.close()
      #expect(await events.next() == nil)
    }
  }

  @Test func `An owner that does not allow replacement stays`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let first = try await bus.connect(on: loop)
      let second = try await bus.connect(on: loop)
      #expect(try await first.requestName(Self.name) == .owner)
      #expect(try await second.requestName(Self.name, [.replaceExisting, .doNotQueue]) == .taken)
      await first.close()
      await second.close()
    }
  }

  @Test func `Owners are reported in order, beginning with the current one`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let watcher = try await bus.connect(on: loop)
      var owners = try await watcher.owners(of: Self.name).makeAsyncIterator()
      #expect(await owners.next() == .some(nil))
      for _ in 0..<3 {
        let owner = try await bus.connect(on: loop)
        #expect(try await owner.requestName(Self.name) == .owner)
        #expect(await owners.next() == .some(await owner.uniqueName))
        await owner.close()
        #expect(await owners.next() == .some(nil))
      }
      await watcher.close()
      #expect(await owners.next() == nil)
    }
  }

  @Test func `The bus starts the service of an activatable name`() async throws {
    let folder = try TemporaryFolder()
    // A service that does not use the bus: it starts, owns no name, and ends.
    let bus = try PrivateBus(
      limits: ["service_start_timeout": 500],
      services: ["dev.suzu.Startable": "/usr/bin/touch \(folder.path("started"))"], in: folder)
    try await withLoop { loop in
      let client = try await bus.connect(on: loop)
      #expect(try await client.isActivatable("dev.suzu.Startable"))
      #expect(try await !client.isActivatable("dev.suzu.Absent"))
      // The bus waits for a name that is never owned; the test is over once the program has run.
      let error = await client.failure(of: MethodCall(to: "dev.suzu.Startable", "/", "a.b", "c"), limit: .seconds(30))
      #expect(error?.isRefusal("org.freedesktop.DBus.Error.TimedOut") == true, "\(error as Any)")
      #expect(FileManager.default.fileExists(atPath: folder.path("started")))
      await client.close()
    }
  }

  @Test func `The bus reports the credentials of a caller`() async throws {
    let bus = try PrivateBus()
    let callers = Notes<BusName>()
    let who = Method("Who") { call in
      callers.add(call.sender)
      return []
    }
    try await Peers.withPair(bus, [who]) { server, client in
      try await client.call(Peers.call("Who"))
      let caller = try #require(callers.all.first)
      #expect(await client.uniqueName == caller)
      let credentials = try await server.credentials(of: caller)
      #expect(credentials.userID == getuid())
      #expect(credentials.processID == UInt32(getpid()))

      let gone = MethodCall.toBus("GetConnectionCredentials", [":1.4711"])
      #expect(await server.failure(of: gone)?.isRefusal(.nameHasNoOwner) == true)
      let daemon = try await server.credentials(of: .bus)
      #expect(daemon.processID == UInt32(bus.processID))
    }
  }
}
