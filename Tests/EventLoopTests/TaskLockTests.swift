// SPDX-License-Identifier: Apache-2.0
import EventLoop
import TestSupport
import Testing

/// Tests the lock for tasks on the loop.
@Suite struct TaskLockTests {
  @Test func `Tasks hold it one after the other, in the order in which they asked`() async throws {
    let held = try await withLoop { loop in
      await withCheckedContinuation { (done: CheckedContinuation<[Int], Never>) in
        loop.perform {
          let lock = TaskLock(on: loop)
          var (held, holders) = ([Int](), 0)
          for number in 0..<50 {
            loop.start {
              await lock.take()
              holders += 1
              held.append(holders == 1 ? number : -1)
              if number.isMultiple(of: 2) { await loop.nextTurn() }
              holders -= 1
              lock.release()
              if number == 49 { done.resume(returning: held + (lock.isHeld ? [-1] : [])) }
            }
          }
        }
      }
    }
    #expect(held == Array(0..<50))
  }

  // It joined a queue that was there no more.
  @Test func `A task that asks while the lock is being released gets it`() async throws {
    try await withLoop { loop in
      let isHeld = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
        loop.perform {
          let lock = TaskLock(on: loop)
          var done = Optional(continuation)
          _ = loop.schedule(after: .seconds(10)) { done.take()?.resume(returning: false) }
          var gate: CheckedContinuation<Void, Never>?
          loop.start {
            await lock.take()
            await loop.withContinuation { gate = $0 }
            lock.release()
          }
          loop.start {
            await loop.nextTurn()
            gate?.resume()
            loop.start {
              await lock.take()
              done.take()?.resume(returning: true)
            }
          }
        }
      }
      #expect(isHeld)
    }
  }
}
