// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Glibc
import TestSupport
import Testing

@testable import EventLoop

/// Tests waking the machine, the state of its clock and the identity of its start.
@Suite(.timeLimit(.minutes(1))) struct MachineClockTests {
  // MARK: Waking the machine

  /// What the kernel says of the process; it may be anything where the tests run.
  private static var hasCapability: Bool {
    let line = contents(of: "/proc/self/status").split(separator: "\n").first { $0.hasPrefix("CapEff:") }
    let bits = line.flatMap { UInt64($0.split(whereSeparator: \.isWhitespace).last ?? "", radix: 16) } ?? 0
    let wakeAlarm: UInt64 = 35  // linux/capability.h
    return bits >> wakeAlarm & 1 == 1
  }

  @Test func `The ability to wake the machine agrees with the kernel's own files`() {
    let ability = WakeAbility.current
    #expect(ability.isPermitted == Self.hasCapability)
    // A machine may have a clock that cannot ring, but none that rings without a clock.
    let clocks = (try? FileManager.default.contentsOfDirectory(atPath: "/sys/class/rtc")) ?? []
    if clocks.isEmpty { #expect(!ability.hasAlarmClock) }
    #expect(ability.isAble == (ability.hasAlarmClock && ability.isPermitted))
  }

  /// In a process of its own, which gives its rights away.
  @Test(.enabled(if: geteuid() == 0)) func `A process that may not wake the machine is told so, and its loop runs`()
    async
  {
    await #expect(processExitsWith: .success) {
      #expect(setuid(65534) == 0)
      #expect(!WakeAbility.current.isPermitted)
      #expect(throws: EventLoopError("timerfd_create", EPERM)) { try TimerQueue(clock: .wall, wakesMachine: true) }
      let isWaking = try await withLoop { loop in
        let isWaking = try await loop.inside { $0.wakeMachine(at: EventLoop.Clock.wall.now) != nil }
        // A sleep is meant: it ends only if the loop still keeps its deadlines, with a timer of the kernel.
        try await loop.sleep(for: .milliseconds(1))
        return isWaking
      }
      #expect(!isWaking)
    }
  }

  @Test func `A wake-up timer is available exactly where it is possible`() async throws {
    let isPossible = try await withLoop { loop in
      try await loop.inside { loop in
        let deadline = loop.wakeMachine(at: EventLoop.Clock.wall.now + .seconds(3600))
        deadline?.cancel()
        return deadline != nil
      }
    }
    #expect(isPossible == WakeAbility.current.isAble)
  }

  @Test(.enabled(if: hasCapability)) func `The timer that wakes comes at its date on a machine that is awake`() throws {
    let timers = try TimerQueue(clock: .wall, wakesMachine: true)
    let date = EventLoop.Clock.wall.now + .milliseconds(30)
    var calls = 0
    _ = timers.add(at: date) { calls += 1 }
    timers.arm()
    #expect(becomesReadable(timers.descriptor, within: 10_000))
    #expect(EventLoop.Clock.wall.now >= date)
    timers.expire()
    #expect(calls == 1)
  }

  @Test(.enabled(if: hasCapability)) func `A cancelled or moved wake-up does not wake the machine`() throws {
    let timers = try TimerQueue(clock: .wall, wakesMachine: true)
    func armed() -> Int {
      timers.arm()
      var setting = itimerspec()
      #expect(timerfd_gettime(timers.descriptor, &setting) == 0)
      return setting.it_value.tv_sec
    }
    var calls = 0
    let now = EventLoop.Clock.wall.now
    let first = timers.add(at: now + .seconds(1000)) {}
    let second = timers.add(at: now + .seconds(5000)) {}
    #expect((900...1000).contains(armed()))
    timers.remove(first)
    #expect((4900...5000).contains(armed()))
    // Of a lifted alarm the kernel still tells how long it would have been: only waiting shows that it does not come.
    let soon = timers.add(at: EventLoop.Clock.wall.now + .milliseconds(20)) { calls += 1 }
    #expect(armed() == 0)
    timers.remove(soon)
    timers.remove(second)
    timers.arm()
    #expect(!becomesReadable(timers.descriptor, within: 60))
    _ = timers.add(at: .zero) { calls += 10 }
    timers.arm()
    #expect(becomesReadable(timers.descriptor, within: 10_000))
    timers.expire()
    #expect(calls == 10)
  }

  @Test(.enabled(if: hasCapability)) func `A loop with such a timer sleeps and wakes as any other`() async throws {
    try await withLoop { loop in
      let events = Events<Void>()
      try await loop.inside { loop in
        let alarms = try loop.makeAlarms()
        _ = alarms.add(at: EventLoop.Clock.wall.now + .milliseconds(20)) { events.add(()) }
      }
      _ = await events.next()
    }
  }

  // MARK: What the kernel says

  @Test func `The clock's state matches the one that Python reads, and reading changes nothing`() throws {
    let script = """
      import ctypes
      values = (ctypes.c_long * 64)()
      state = ctypes.CDLL(None, use_errno=True).adjtimex(values)
      # modes, offset, freq, maxerror, esterror, status
      print(state, values[5] & 0xffffffff)
      """
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let words = try RunningProgram.run("python3", ["-c", script], environment: ["PATH": path]).output
      .split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    #expect(words.count == 2)
    let health = ClockHealth.current
    if words[0] < 0 {
      #expect(health == nil)
    } else {
      #expect(health?.isSynchronized == (words[0] != 5 && words[1] & 0x40 == 0))
      #expect((health?.greatestError ?? .seconds(-1)) >= .zero)
    }
  }

  @Test func `A start of the machine has one identity`() throws {
    let id = try #require(BootID.current)
    #expect(id == BootID(contents(of: "/proc/sys/kernel/random/boot_id").trimmingCharacters(in: .newlines)))
    #expect(id.text.count == 36)
  }
}
