// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import Freedesktop
import NotificationModel
import Scheduling
import SuzuTesting

@testable import suzud

/// A desktop on which a script is played: the real center, on a simulated machine with a simulated disk, server and
/// user, beside the model that says what must come of it.
final class Simulation {
  /// What came of a script.
  struct Result {
    let differences: [Difference]
    /// All that happened, a line each.
    let trace: [String]
    let showings: Int
    let ends: Int
  }

  let onThread = pthread_self()
  let script: Script
  let machine: SimulatedMachine
  let disk: SimulatedDisk
  let server: SimulatedServer
  let wire: SimulatedWire
  let zones: VirtualZones
  let model: Model
  var center: SimulatedCenter?
  var bus = SimulatedBus() { didSet { server.bus = bus } }
  /// The app while it runs.
  var app: SimulatedApp?
  var appStarts = 0
  var trace: [String] = []
  let traces: Bool
  /// An end of the center that waits for its moment.
  var ending: (moment: Script.Moment, isPowerLoss: Bool, off: Int64, step: Int)?
  var ends = 0
  /// When the user has moved to the current zone.
  var lastTravel: Int64 = -2_000
  /// How often each title was shown.
  var counts: [String: Int] = [:]
  /// The calls that the center has not answered.
  var calls: [Int: Call] = [:]
  var lastCall = 0
  /// The calls of the center that have not been answered.
  var openAnswers: [Int: (Answer) -> Void] = [:]

  /// Plays a script.
  ///
  /// - Parameters:
  ///   - traces: whether to keep what happened.
  ///   - played: called after each day with the number of days so far.
  static func run(_ script: Script, traces: Bool = false, played: @escaping (_ days: Int) -> Void = { _ in }) throws
    -> Result
  {
    try onOwnThread { try play(script, traces, played) }
  }

  private static func play(_ script: Script, _ traces: Bool, _ played: @escaping (Int) -> Void) throws -> Result {
    let folder =
      (FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory())
      + "/suzu-simulation-\(getpid())"
    try? FileManager.default.removeItem(atPath: folder)
    let simulation = try Simulation(script, folder: folder, traces: traces)
    defer { simulation.disk.unmount() }
    let result = try simulation.play(played)
    simulation.machine.retire()
    return result
  }

  /// Runs `body` on a thread without a task: the loop runs tasks of its own on it, which must not be inside of another.
  private static func onOwnThread<T>(_ body: @escaping () throws -> T) throws -> T {
    let done = DispatchSemaphore(value: 0)
    // The semaphore orders the two threads, of which only one runs at a time.
    nonisolated(unsafe) let body = body
    nonisolated(unsafe) var result: Swift.Result<T, any Error>?
    let thread = Thread {
      result = Swift.Result { try body() }
      done.signal()
    }
    thread.stackSize = 8 << 20
    thread.start()
    done.wait()
    guard let result else { preconditionFailure("the thread ended without a result") }
    return try result.get()
  }

  private init(_ script: Script, folder: String, traces: Bool) throws {
    self.script = script
    self.traces = traces
    machine = try SimulatedMachine(Timestamp(milliseconds: script.start))
    disk = SimulatedDisk(folder: folder)
    server = SimulatedServer(script.server, on: machine)
    wire = SimulatedWire(seed: script.seed, on: machine)
    zones = try VirtualZones(ScriptMaker.zones[0])
    model = Model(
      zone: ScriptMaker.zones[0],
      Moment(now: machine.now, wall: machine.wall, elapsed: machine.elapsed, awake: machine.awake),
      ModelServer(script.server))
  }

  private func play(_ played: @escaping (Int) -> Void) throws -> Result {
    disk.whenSyncing = { [unowned self] isDone in synced(isDone) }
    disk.whenMoving = { [unowned self] in moving() }
    disk.whenWriting = { [unowned self] in wrote() }
    machine.whenGoingOn = { [unowned self] in beginTurns() }
    disk.whenFailing = { [unowned self] in
      note("the disk fails")
      look()
      model.diskFails()
    }
    disk.whenBroken = { [unowned self] in model.fail($0) }
    server.start()
    machine.after(0) { [self] in startCenter() }
    for step in script.steps { machine.after(step.at) { [self] in take(step) } }
    var hour: Int64 = 0
    while hour < script.length {
      hour += 3_600_000
      let (day, rest) = hour.quotientAndRemainder(dividingBy: 86_400_000)
      machine.after(hour - 1) { [self] in
        look()
        if rest > 0 { return }
        compareWaiting()
        played(Int(day))
      }
    }
    // The last dates get their time, and what ended starts again.
    machine.run(until: script.length + 2 * 86_400_000)
    look()
    compareWaiting()
    center?.die()
    endCalls()
    let center = center
    machine.after(0) { center?.tearDown() }
    machine.run(until: machine.now + 1)
    return Result(differences: model.differences, trace: trace, showings: model.showings, ends: ends)
  }

  // MARK: The center

  func startCenter() {
    // Without a bus, nothing starts it.
    if !bus.isUp { return machine.after(1_000) { [self] in startCenter() } }
    do {
      center = try SimulatedCenter(on: machine, folder: disk.folder, zones: zones, outside: self)
    } catch {
      model.fail("the center did not start: \(error)")
      return
    }
    note("center starts")
    look()
    model.hasServer = server.isUp && !server.isHung
    model.isServerUnknown = server.isHung
    model.isOn = true
    settleCalls()
    settleDates()
    look()
    // It notices that there is a new center.
    if app != nil { machine.after(20) { [self] in attachApp() } }
  }

  // MARK: The model

  var moment: Moment {
    Moment(now: machine.now, wall: machine.wall, elapsed: machine.elapsed, awake: machine.awake)
  }

  /// Lets the model see this moment.
  func look() {
    precondition(onThread == pthread_self(), "the center runs on another thread, where time does not stand still")
    model.advance(to: moment)
  }

  func note(_ line: @autoclosure () -> String) {
    if traces { trace.append("\(machine.now) \(CivilDay.rfc3339(machine.wall / 1000)) \(line())") }
  }
}
