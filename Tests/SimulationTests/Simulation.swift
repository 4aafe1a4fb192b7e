// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import Freedesktop
import NotificationModel
import Scheduling
import SuzuTesting

@testable import suzud

/// A desktop on which a script is played: the real center, on a simulated machine with a simulated disk, server and user,
/// beside the model that says what must come of it.
final class Simulation {
  /// What came of a script.
  struct Result {
    let differences: [Difference]
    /// All that happened, a line each.
    let trace: [String]
    let showings: Int
    let ends: Int
  }

  private let onThread = pthread_self()
  private let script: Script
  let machine: SimulatedMachine
  let disk: SimulatedDisk
  let server: SimulatedServer
  let zones: VirtualZones
  let model: Model
  private(set) var center: SimulatedCenter?
  private var trace: [String] = []
  private let traces: Bool
  /// An end of the center that waits for its moment.
  private var ending: (moment: Script.Moment, isPowerLoss: Bool, off: Int64, step: Int)?
  private var ends = 0
  /// How often each title was shown.
  private var counts: [String: Int] = [:]
  /// The calls that the center has not answered.
  private var calls: [Int: Call] = [:]
  private var lastCall = 0

  private enum Call {
    case notify(RequestSpec, Waiting.Date?, Moment, boots: Int)
    case cancel(String)
  }

  /// Plays a script.
  ///
  /// - Parameter traces: whether to keep what happened.
  static func run(_ script: Script, traces: Bool = false) throws -> Result {
    try onOwnThread { try play(script, traces: traces) }
  }

  private static func play(_ script: Script, traces: Bool) throws -> Result {
    let folder =
      (FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory())
      + "/suzu-simulation-\(getpid())"
    try? FileManager.default.removeItem(atPath: folder)
    let simulation = try Simulation(script, folder: folder, traces: traces)
    defer { simulation.disk.unmount() }
    let result = try simulation.play()
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
    server = SimulatedServer(on: machine)
    zones = try VirtualZones(ScriptMaker.zones[0])
    model = Model(
      zone: ScriptMaker.zones[0],
      Moment(now: machine.now, wall: machine.wall, elapsed: machine.elapsed))
  }

  private func play() throws -> Result {
    disk.whenSyncing = { [unowned self] isDone in synced(isDone) }
    server.start()
    machine.after(0) { [self] in startCenter() }
    for step in script.steps { machine.after(step.at) { [self] in take(step) } }
    var hour: Int64 = 0
    while hour < script.length {
      hour += 3_600_000
      let isDaily = hour % 86_400_000 == 0
      machine.after(hour - 1) { [self] in
        look()
        if isDaily { compareWaiting() }
      }
    }
    // The last dates get their time, and what ended starts again.
    machine.run(until: script.length + 2 * 86_400_000)
    look()
    compareWaiting()
    center?.die()
    server.refuseOpen()
    let center = center
    machine.after(0) { center?.tearDown() }
    machine.run(until: machine.now + 1)
    return Result(differences: model.differences, trace: trace, showings: model.showings, ends: ends)
  }

  // MARK: The center

  func startCenter() {
    do {
      center = try SimulatedCenter(on: machine, folder: disk.folder, zones: zones, outside: self)
    } catch {
      model.fail("the center did not start: \(error)")
      return
    }
    note("center starts")
    look()
    model.hasServer = server.isUp
    model.isOn = true
    settleCalls()
    look()
  }

  /// What the calls came to that the earlier center had not answered.
  private func settleCalls() {
    guard let center else { return }
    for number in calls.keys.sorted() {
      switch calls[number] {
      case .notify(let spec, let date, let made, let boots)?:
        let stored = center.waits(RequestSpec.app, spec.id)
        if stored?.payload.contains("\"\(spec.title)\"") == true {
          let offset = made.wall - made.elapsed
          model.accepted(spec, boots == machine.boots ? date : model.date(date, foundAt: offset))
        }
      case .cancel(let id)?:
        if center.waits(RequestSpec.app, id)?.wait == nil { model.cancelled(id) }
      case nil: break
      }
    }
    calls = [:]
  }

  private func synced(_ isDone: Bool) {
    switch ending?.moment {
    case .beforeSync(let count) where !isDone:
      ending?.moment = .beforeSync(count - 1)
      if count == 1 { endCenter() }
    case .afterSync(let count) where isDone:
      ending?.moment = .afterSync(count - 1)
      if count == 1 { endCenter() }
    default: break
    }
  }

  /// The process or the machine ends at this very moment, in the middle of whatever it does.
  private func endCenter() {
    guard let ending, let center, !center.isDead else { return }
    self.ending = nil
    ends += 1
    note(ending.isPowerLoss ? "power lost" : "killed")
    look()
    model.centerHasEnded()
    center.die()
    if ending.isPowerLoss { endServer() }
    let random = ending.isPowerLoss ? SeededRandom(script.seed, for: "remains \(ending.step)") : nil
    let image = disk.image(afterPowerLoss: random)
    // When the loop has nothing left to do, the objects of the dead center are freed.
    machine.after(0) { [self] in server.refuseOpen() }
    machine.after(1) { [self] in
      center.tearDown()
      machine.loop.dropDeadlines()
      self.center = nil
    }
    machine.after(max(2, ending.off)) { [self] in
      do { try disk.restore(image) } catch { model.fail("the disk: \(error)") }
      if ending.isPowerLoss {
        machine.boot()
        model.booted(moment)
        server.start()
      }
      startCenter()
    }
  }

  // MARK: The server

  func startServer() {
    guard !server.isUp else { return }
    look()
    server.start()
    note("server starts")
    model.hasServer = true
    look()
    if let state = server.state { center?.receive(.appeared(state)) }
  }

  func endServer() {
    guard server.isUp else { return }
    look()
    server.end()
    note("server ends")
    model.serverIsGone()
    center?.receive(.vanished)
  }

  // MARK: The model

  var moment: Moment { Moment(now: machine.now, wall: machine.wall, elapsed: machine.elapsed) }

  /// Lets the model see this moment.
  func look() {
    precondition(onThread == pthread_self(), "the center runs on another thread, where time does not stand still")
    model.advance(to: moment)
  }

  func note(_ line: @autoclosure () -> String) {
    if traces { trace.append("\(machine.now) \(CivilDay.rfc3339(machine.wall / 1000)) \(line())") }
  }

  /// Compares what waits in the store with what waits in the model.
  private func compareWaiting() {
    guard let center, !center.isDead, model.isAwake,
      let stored = try? center.sides.around.agenda.store.pending(app: RequestSpec.app)
    else { return }
    // What may have been postponed or not is not compared.
    let doubtful = Set(model.expected.filter(\.comesAnyTime).map(\.key))
    // A date that comes in a moment has been recorded already.
    guard !model.waiting.values.contains(where: { abs(model.nextDate($0, moment) - moment.wall) < 100 }) else { return }
    var rest = model.waiting
    for one in stored where !doubtful.contains(one.id) {
      guard let known = rest.removeValue(forKey: one.id) else {
        model.fail("'\(one.id)' waits in the store and should not")
        continue
      }
      let date = model.nextDate(known, moment)
      guard case .date(let planned)? = one.wait, abs(planned.due.milliseconds - date) < 1_000 else {
        model.fail("'\(one.id)' waits for \(String(describing: one.wait)), not for \(CivilDay.rfc3339(date / 1000))")
        continue
      }
    }
    for id in rest.keys.sorted() where !doubtful.contains(id) { model.fail("'\(id)' does not wait in the store") }
  }

  // MARK: Steps

  private func take(_ step: Script.Step) {
    note("step \(step)")
    look()
    switch step.event {
    case .notify(let spec): notify(spec)
    case .cancel(let id): cancel(id)
    case .setClock(let change):
      machine.setWall(by: change)
      look()
    case .move(let zone):
      model.zone = zone
      zones.move(to: zone)
      look()
    case .suspend(let time):
      model.isAwake = false
      machine.suspend(for: time) { [self] in
        note("awake")
        look()
        model.isAwake = true
        look()
        machine.after(0) { [self] in if let center, !center.isDead { center.sides.lookAtClocks() } }
      }
    case .restartServer(let pause):
      endServer()
      machine.after(pause) { [self] in startServer() }
    case .slowServer(let answer, let time):
      server.answerTime = answer
      model.answerTime = answer
      machine.after(time) { [self] in
        server.answerTime = 0
        // Its last answers are still on their way.
        machine.after(answer) { self.model.answerTime = self.server.answerTime }
      }
    case .refuse(let count): server.refusals = count
    case .end(let moment, let isPowerLoss, let off):
      guard center?.isDead == false else { return }
      ending = (moment, isPowerLoss, off, step.number)
      if case .now = moment { endCenter() }
    }
  }

  private func notify(_ spec: RequestSpec) {
    guard let center, !center.isDead else { return }
    let now = moment
    let local = LocalTime.zone(spec.zone ?? model.zone)
    let today = local.wall(at: now.wall / 1000) / 86_400
    let words = spec.words(date: { CivilDay(number: today + Int64($0)) }) { day, minute in
      local.instant(ofWall: day.number * 86_400 + Int64(minute) * 60)
    }
    let date = Swift.Result { () throws(Model.RefusedDate) in try model.date(of: spec, now) }
    lastCall += 1
    let call = lastCall
    if case .success(let date) = date { calls[call] = .notify(spec, date, now, boots: machine.boots) }
    let request: NotificationRequest
    do { request = try NotificationRequest(words) } catch {
      return model.fail("\(words) cannot be read: \(error)")
    }
    center.notify(request) { [self] error in
      // It may have come to the screen before its caller was answered.
      let isOpen = calls.removeValue(forKey: call) != nil
      look()
      switch (date, error) {
      case (.success(let date), nil): if isOpen { model.accepted(spec, date) }
      case (.success, let error?): model.fail("'\(spec.title)' is refused: \(error); \(words)")
      case (.failure, nil): model.fail("'\(spec.title)' is accepted and should be refused; \(words)")
      case (.failure, _?): break
      }
      look()
    }
  }

  private func cancel(_ id: String) {
    guard let center, !center.isDead else { return }
    lastCall += 1
    let call = lastCall
    calls[call] = .cancel(id)
    center.cancel(RequestSpec.app, id) { [self] in
      calls[call] = nil
      look()
      model.cancelled(id)
    }
  }

  /// What comes after a notification has been shown.
  private func schedule(_ reaction: SimulatedUser.Reaction, of number: UInt32, after time: Int64) {
    let version = server.popups[number]?.version
    machine.after(time) { [self] in
      guard let popup = server.popups[number], popup.version == version else { return }
      react(reaction, to: popup, number)
    }
  }

  private func react(_ reaction: SimulatedUser.Reaction, to popup: SimulatedServer.Popup, _ number: UInt32) {
    guard let state = server.state else { return }
    let posted = PostedNumber(server: state.owner, number: number)
    look()
    if reaction == .expire {
      note("expired \(number)")
      _ = server.close(number)
      model.left(number)
      return closed(posted, .expired)
    }
    // The user does nothing while there is no center, and leaves what the model cannot tell.
    guard let center, !center.isDead, let shown = model.screen.popups[number], !shown.isDoubtful,
      shown.answeredAt != nil
    else { return }
    switch reaction {
    case .press(let key) where popup.notification.actions.contains { $0.key == key }:
      note("user presses \(key) of \(number)")
      if key == "open" { model.clickedLaunch(number) } else { model.clickedSnooze(number, moment) }
      center.receive(.actionInvoked(posted, key: key))
    default:
      note("user dismisses \(number)")
      _ = server.close(number)
      model.left(number)
      closed(posted, .dismissed)
    }
  }

  /// The signal comes a little later than the change.
  private func closed(_ number: PostedNumber, _ reason: ClosedReason) {
    machine.after(Int64(number.number % 3) * 40) { [self] in center?.receive(.closed(number, reason)) }
  }
}

extension Simulation: SimulatedCenter.Outside {
  var serverState: ServerState? { server.state }

  func post(
    _ notification: ServerNotification, replacing number: UInt32,
    answer: @escaping (Swift.Result<UInt32, PostFailure>) -> Void
  ) {
    look()
    let given = server.post(notification, replacing: number) { [self] result in
      if case .success(let number) = result { model.screen.answered(number, at: machine.now) }
      answer(result)
    }
    guard let given else {
      note("refused '\(notification.summary)'")
      return model.refused()
    }
    for (call, pending) in calls.sorted(by: { $0.key < $1.key }) {
      guard case .notify(let spec, let date, _, _) = pending, spec.title == notification.summary else { continue }
      calls[call] = nil
      model.accepted(spec, date)
      look()
    }
    note("shows '\(notification.summary)' as \(given)" + (number == 0 ? "" : " for \(number)"))
    model.posted(notification.summary, as: given, replacing: number)
    let count = counts[notification.summary, default: 0] + 1
    counts[notification.summary] = count
    let (reaction, time) = SimulatedUser.reaction(to: notification, showing: count, seed: script.seed)
    schedule(reaction, of: given, after: time)
    if case .atPost(let count)? = ending?.moment {
      ending?.moment = .atPost(count - 1)
      if count == 1 { endCenter() }
    }
  }

  func close(_ number: UInt32) {
    guard server.close(number), let state = server.state else { return }
    note("closes \(number)")
    look()
    model.left(number)
    closed(PostedNumber(server: state.owner, number: number), .closed)
  }

  func tell(_ event: CenterEvent) {
    guard case .delivered(_, let id, let due, let missed, _) = event else { return note("event \(event)") }
    note("delivered \(id) \(due ?? "-") \(missed)")
    look()
    model.delivered(id, due: due.flatMap(CivilDay.instant), missed: missed)
  }

  func launch(_ entry: String) {
    note("launches \(entry)")
    look()
    model.launched(entry)
  }

}
