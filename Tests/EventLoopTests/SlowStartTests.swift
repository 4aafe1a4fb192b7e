// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Glibc
import TestSupport
import Testing

/// Tests programs that the system takes long to start, as on a busy machine or a slow file system.
@Suite(.timeLimit(.minutes(1)), .serialized) struct SlowStartTests {
  /// A program that cannot be started as long as this lives, or for 45 seconds: the kernel waits with opening the file
  /// until its lease is given back.
  private final class HeldProgram: Sendable {
    let path: String
    private let lease: Int32

    init(_ script: String, in folder: TemporaryFolder) throws {
      path = try folder.write("#!/bin/sh\n\(script)\n", to: "held", executable: true)
      lease = open(path, O_RDONLY | O_CLOEXEC)
      // The kernel asks for the lease by a signal, SIGIO unless another is chosen; this one is ignored.
      let setSignal: Int32 = 10
      #expect(fcntl(lease, setSignal, SIGWINCH) == 0)
      try #require(fcntl(lease, Self.setLease, Int32(F_WRLCK)) == 0)
    }

    private static let setLease: Int32 = 1024

    func release() {
      // Fails if the kernel took the lease back: then the test has waited for the start.
      #expect(fcntl(lease, Self.setLease, Int32(F_UNLCK)) == 0)
      close(lease)
    }
  }

  // The loop waited for the child to reach its program, which took 600 ms on a busy machine.
  @Test func `The loop goes on while a program starts, and other programs start`() async throws {
    try await withLoop { loop in
      let folder = try TemporaryFolder()
      let held = try HeldProgram("echo begun", in: folder)
      async let ending = ChildProcess.run(.init([held.path], limit: .seconds(60)), on: loop)
      let other = await ChildProcess.run(.init(["/bin/sh", "-c", "echo other"], limit: .seconds(20)), on: loop)
      #expect(other == .exited(0, lastLine: "other"))
      held.release()
      #expect(await ending == .exited(0, lastLine: "begun"))
    }
  }

  @Test func `A program whose time is over before it has started ends as soon as it starts`() async throws {
    try await withLoop { loop in
      let folder = try TemporaryFolder()
      // A sleep is meant: a program that lasts.
      let held = try HeldProgram("exec sleep 1000", in: folder)
      let started = Events<Int32>()
      var command = ChildProcess.Command([held.path], limit: .milliseconds(500), grace: .milliseconds(10))
      command.whenStarted = { started.add($0) }
      #expect(await ChildProcess.run(command, on: loop) == .timedOut)
      held.release()
      let process = await started.next()[0]
      if let handle = ProcessHandle(process) { #expect(await loop.awaitEnd(of: handle, within: .seconds(20))) }
    }
  }

  // A center that ended left out actions that it had recorded as begun.
  @Test func `A process can wait until its programs have started, within a limit`() async throws {
    try await withLoop { loop in
      let folder = try TemporaryFolder()
      let held = try HeldProgram("cat", in: folder)
      let endings = Events<ChildProcess.Ending>()
      let started = Events<String>()
      loop.perform {
        loop.start {
          endings.add(await ChildProcess.run(.init([held.path], input: "read", limit: .seconds(60)), on: loop))
        }
        loop.start {
          await ChildProcess.finishStarting(within: .milliseconds(20), on: loop)
          started.add("time is over")
          loop.start {
            await ChildProcess.finishStarting(within: .seconds(60), on: loop)
            started.add("started")
          }
          started.add("waits")
        }
      }
      #expect(await started.next(2) == ["time is over", "waits"])
      held.release()
      #expect(await started.next() == ["started"])
      #expect(await endings.next() == [.exited(0, lastLine: "read")])
    }
  }

  @Test func `A program that waits for its turn to start can be cancelled, and does not run`() async throws {
    try await withLoop { loop in
      let folder = try TemporaryFolder()
      let held = try HeldProgram("exit 3", in: folder)
      let script = "echo >\(folder.path("late"))"
      let endings = Events<ChildProcess.Ending>()
      loop.perform {
        // As many as are started at the same time.
        for _ in 0..<4 {
          loop.start { endings.add(await ChildProcess.run(.init([held.path], limit: .seconds(60)), on: loop)) }
        }
        let late = loop.start {
          let command = ChildProcess.Command(["/bin/sh", "-c", script], grace: .milliseconds(10))
          endings.add(await ChildProcess.ask(command, on: loop).ending)
        }
        loop.performNext { late.cancel() }
      }
      #expect(await endings.next() == [.timedOut])
      held.release()
      #expect(await endings.next(4) == Array(repeating: .exited(3, lastLine: ""), count: 4))
      // After all that was waiting.
      let last = ChildProcess.Command(["test", "-e", folder.path("late")], limit: .seconds(20))
      #expect(await ChildProcess.run(last, on: loop) == .exited(1, lastLine: ""))
    }
  }
}
