// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Testing

/// Tasks and functions of objects that are confined to the loop without being actors.
@Suite(.timeLimit(.minutes(1)))
struct StartTests {
  /// An actor on the loop, as connections are.
  private actor Peer {
    let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private(set) var calls: [Int] = []

    init(on loop: EventLoop) { self.loop = loop }

    func call(_ number: Int, then tell: @escaping @Sendable (Int) -> Void) async -> Int {
      calls.append(number)
      await loop.nextTurn()
      tell(number)
      return number * 2
    }
  }

  /// Not `Sendable`, and without a lock.
  private final class Object {
    let loop: EventLoop
    let peer: Peer
    private var lines: [String] = []

    init(on loop: EventLoop, _ peer: Peer) {
      self.loop = loop
      self.peer = peer
    }

    private func note(_ line: String) {
      #expect(loop.isOnLoop)
      lines.append(line)
    }

    func run(_ tell: @escaping @Sendable ([String]) -> Void) {
      loop.startLater { self.note("later") }
      for number in 1...2 {
        loop.start {
          self.note("start \(number)")
          let answer = await self.peer.call(number, then: self.loop.confine { self.note("told \($0)") })
          self.note("answer \(answer)")
          if number == 2 { tell(self.lines) }
        }
        // The call has begun, in order, without a turn of the loop.
        note("begun \(peer.assumeIsolated { $0.calls })")
      }
    }
  }

  @Test func `A task begins at once or later, calls actors of the loop without a turn, and stays on the loop`()
    async throws
  {
    try await withLoop { loop in
      let lines: [String] = try await withCheckedThrowingContinuation { continuation in
        loop.perform { Object(on: loop, Peer(on: loop)).run { continuation.resume(returning: $0) } }
      }
      #expect(
        lines == [
          "start 1", "begun [1]", "start 2", "begun [1, 2]", "later", "told 1", "answer 2", "told 2", "answer 4",
        ])
    }
  }

  @Test func `A task can be cancelled, and a wait in it ends`() async throws {
    try await withLoop { loop in
      let isCancelled: Bool = await withCheckedContinuation { continuation in
        loop.perform {
          let task = loop.start {
            // A sleep is meant: the cancellation ends it at once, which is tested here.
            try? await loop.sleep(for: .seconds(3600))
            continuation.resume(returning: Task.isCancelled)
          }
          task.cancel()
        }
      }
      #expect(isCancelled)
    }
  }

  @Test func `A confined function that is called on another thread ends the process`() async {
    await #expect(processExitsWith: .failure) {
      let loop = try EventLoop.onOwnThread(named: "test")
      loop.confine { (_: Int) in }(1)
    }
  }
}
