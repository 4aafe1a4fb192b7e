// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Scheduling

/// The clocks that the center uses, with the identity and the state that the simulated machine gives them.
final class SimulatedTime: TimeSource {
  private let real: MachineTime
  let boot: String
  let isSynchronised = true

  init(on machine: SimulatedMachine) {
    real = MachineTime(on: machine.loop)
    // Without a blank, as the kernel's: the scheduler stores it in a line of words.
    boot = "boot-\(machine.boots)"
  }

  var wall: Timestamp { real.wall }
  var elapsed: Int64 { real.elapsed }

  var whenDue: () -> Void {
    get { real.whenDue }
    set { real.whenDue = newValue }
  }

  var whenSet: () -> Void {
    get { real.whenSet }
    set { real.whenSet = newValue }
  }

  // The kernel's timer that wakes a machine is not simulated.
  func setAlarm(at date: Timestamp?, waking: Timestamp?) { real.setAlarm(at: date, waking: nil) }

  func call(after milliseconds: Int64, _ body: @escaping () -> Void) { real.call(after: milliseconds, body) }

  func callNext(_ body: @escaping () -> Void) { real.callNext(body) }

  func callAway<T: Sendable>(_ work: @escaping @Sendable () -> T, then done: @escaping (T) -> Void) {
    real.callAway(work, then: done)
  }

  func end() { real.end() }
}
