// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import NotificationModel
import Scheduling
import Synchronization
import TestSupport
import Testing

@testable import ConditionSources

/// Tests the lock of the session and the sleep of the machine.
@Suite(.timeLimit(.minutes(1))) struct SessionSourceTests {
  @Test func `The lock of a screen saver is followed`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let saver = try await bus.connect(on: loop)
      let isLocked = Mutex(true)
      let getActive = MethodDescription("GetActive", out: ("active", Bool.self))
      let changed = SignalDescription("ActiveChanged", ("active", Bool.self))
      try await saver.export(
        Interface(
          "org.freedesktop.ScreenSaver",
          methods: [DBus.Method(getActive) { _, _ in isLocked.withLock { $0 } }], signals: [changed]),
        at: "/org/freedesktop/ScreenSaver")
      #expect(try await saver.requestName("org.freedesktop.ScreenSaver") == .owner)
      let source = SessionSource(on: loop, system: nil, session: stand.session)
      let reader = try stand.watch(source, "unlocked")
      #expect(await reader.next() == .holds(false))
      for state in [false, true] {
        isLocked.withLock { $0 = state }
        try await saver.emit(
          Signal(changed, "/org/freedesktop/ScreenSaver", "org.freedesktop.ScreenSaver", state))
        var last = await reader.next()
        while last == .holds(state) { last = await reader.next() }
        #expect(last == .holds(!state))
      }
      source.unwatch(.unlocked)
      await saver.close()
    }
  }

  // Only after the last attempt, some six minutes later, it said so.
  @Test func `Without a system bus nothing is known about the sleep, and that is told at once`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let nowhere = try BusAddress("unix:path=" + bus.folder.path("none"))
      let source = SessionSource(on: loop, system: nowhere, session: stand.session)
      let reader = try stand.watch(source, "awake")
      #expect(await reader.next() == .unknown("the system bus cannot be reached"))
      source.unwatch(.awake)
    }
  }

  @Test func `Resuming from sleep is an event`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let logind = try await bus.connect(on: loop)
      #expect(try await logind.requestName("org.freedesktop.login1") == .owner)
      let source = SessionSource(on: loop, system: try BusAddress(bus.address), session: stand.session)
      let reader = try stand.watch(source, "awake")
      #expect(await reader.next() == .holds(false))
      let sleep = SignalDescription("PrepareForSleep", ("start", Bool.self))
      for isBeginning in [true, false] {
        try await logind.emit(
          Signal(sleep, "/org/freedesktop/login1", "org.freedesktop.login1.Manager", isBeginning))
      }
      #expect(await reader.next() == .happened())
      source.unwatch(.awake)
      await logind.close()
    }
  }
}
