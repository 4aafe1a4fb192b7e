// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import Freedesktop
import TestSupport
import Testing

/// Tests programs that answer instead of a screen saver.
@Suite(.timeLimit(.minutes(1)))
struct FalseLockTests {
  @Test(
    .enabled(if: CallerIdentificationTests.hasProxy, "no xdg-dbus-proxy or no bwrap here"), arguments: [true, false])
  func `A sandboxed program with a screen saver's name is ignored`(saysLocked: Bool) async throws {
    try await LockStand.run { stand in
      let info = try stand.session.folder.write("[Application]\nname=org.example.Boxed\n", to: "info")
      let (proxy, address) = try await CallerIdentificationTests.proxy(
        stand.session, in: Bubblewrap.words(stand.session.folder, info: info),
        allowing: ["--own=org.freedesktop.ScreenSaver"])
      let connection = try await Connection.open(try BusAddress(address), on: stand.loop)
      let boxed = ScriptedLocker(connection, "org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver")
      try await boxed.start()
      await boxed.follow(.active(saysLocked))
      #expect(await !stand.lock.isLocked())
      let saver = try await stand.saver()
      await saver.follow(.active(true))
      #expect(await stand.lock.isLocked())
      proxy.kill()
    }
  }

  @Test func `Only the owner of the name is asked, by its unique name`() async throws {
    try await LockStand.run { stand in
      let saver = try await stand.saver()
      await saver.follow(.hold)
      let asking = Task { await stand.lock.isLocked() }
      _ = try await saver.asked.next()
      // While it prepares its answer, another program takes the name: that one was not asked, and cannot answer for the
      // first.
      try await saver.dropName()
      let other = try await stand.saver()
      await saver.follow(.active(true))
      #expect(await asking.value)
      #expect(other.asked.waiting.isEmpty)
      #expect(await !stand.lock.isLocked())
    }
  }
}
