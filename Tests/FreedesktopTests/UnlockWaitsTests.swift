// SPDX-License-Identifier: Apache-2.0
import DBus
import Freedesktop
import TestSupport
import Testing

/// Tests waits for the unlock that share one reader of the lock.
@Suite(.timeLimit(.minutes(1))) struct UnlockWaitsTests {
  @Test func `A screen saver that refused is queried again without a signal`() async throws {
    try await LockStand.run { stand in
      let saver = try await stand.saver()
      await saver.follow(.refuse("org.freedesktop.DBus.Error.LimitsExceeded"))
      let waiting = try await stand.wait(asking: saver)
      // Services that were there at the beginning cause a second query.
      for _ in 0..<2 { _ = try await saver.asked.next() }
      await saver.follow(.active(false))
      #expect(await waiting.value)
      await saver.close()
    }
  }

  @Test func `One reader follows the lock for hundreds that wait`() async throws {
    try await LockStand.run { stand in
      let saver = try await stand.saver()
      await saver.follow(.active(true))
      let first = try await stand.wait(asking: saver)
      let others = (0..<400).map { _ in Task { await stand.lock.unlocked(within: .seconds(30)) } }
      try await saver.tell(false)
      for waiting in [first] + others { #expect(await waiting.value) }
      let queries = await saver.queries
      #expect(queries < 100)
      await saver.close()
    }
  }

  @Test func `An answer counts only for those who waited before its query`() async throws {
    try await LockStand.run { stand in
      let saver = try await stand.saver()
      await saver.follow(.active(true))
      let early = try await stand.wait(asking: saver)
      _ = try await saver.asked.next()
      await saver.follow(.hold)
      try await saver.emit(true)
      _ = try await saver.asked.next()
      let late = Task { await stand.lock.unlocked(within: .seconds(30)) }
      // By then it waits, and the query of the other one is open.
      _ = try await LockStand.guests(of: stand.connection)
      await saver.follow(.active(false))
      await saver.follow(.active(true))
      #expect(await early.value)
      _ = try await saver.asked.next()
      late.cancel()
      #expect(await !late.value)
      await saver.close()
    }
  }
}
