// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Glibc
import TestSupport
import Testing

/// Tests handles of processes.
@Suite(.timeLimit(.minutes(1))) struct ProcessHandleTests {
  @Test func `A handle knows its process, and whether it has ended`() throws {
    // A sleep is meant: a program that lasts.
    let program = try RunningProgram("sleep", ["1000"], environment: ["PATH": "/usr/bin:/bin"])
    guard let handle = ProcessHandle(program.processID) else {
      Issue.record("no handle")
      return
    }
    #expect(!handle.hasEnded && handle.processID == program.processID)
    program.kill()
    #expect(handle.hasEnded && handle.processID == nil)
    if ProcessHandle(program.processID) != nil { Issue.record("there is no process to hold") }
  }

  @Test func `A signal reaches the process, and none is sent once it has ended`() throws {
    // A sleep is meant: a program that lasts.
    let program = try RunningProgram("sleep", ["1000"], environment: ["PATH": "/usr/bin:/bin"])
    guard let handle = ProcessHandle(program.processID) else {
      Issue.record("no handle")
      return
    }
    let (isAlive, isAsked) = (handle.send(0), handle.send(SIGTERM))
    #expect(isAlive && isAsked)
    #expect(program.waitForExit() != nil)
    let isStillThere = handle.send(0)
    #expect(!isStillThere)
  }

  @Test func `A number without a process and a descriptor of another kind give no handle`() {
    for number: Int32 in [0, -1, .min, .max] {
      if ProcessHandle(number) != nil { Issue.record("\(number) is no process number") }
    }
    if ProcessHandle(owning: -1) != nil { Issue.record("-1 is no descriptor") }
    let other = ProcessHandle(owning: open("/dev/null", O_RDONLY | O_CLOEXEC))
    #expect(other?.processID == nil)
  }
}
