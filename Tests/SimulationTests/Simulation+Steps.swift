// SPDX-License-Identifier: Apache-2.0
import SuzuTesting

@testable import suzud

/// What a step of the script does.
extension Simulation {
  func take(_ step: Script.Step) {
    note("step \(step)")
    look()
    switch step.event {
    case .notify(let spec): notify(spec)
    case .cancel(let id): cancel(id)
    case .setClock(let change):
      model.clockChanges()
      machine.setWall(by: change)
      look()
    case .move(let zone):
      inTime { [self] in
        model.zone = zone
        zones.move(to: zone)
      }
    case .newRules(let zone, let rules):
      inTime { [self] in
        model.update(zone, rules)
        zones.newer[zone] = rules
        zones.whenChanged()
      }
    case .suspend(let time):
      model.isAwake = false
      machine.suspend(for: time) { [self] in
        note("awake")
        look()
        model.isAwake = true
        look()
        machine.after(0) { [self] in if let center, !center.isDead { center.sides.lookAtClocks() } }
      }
    case .startApp(let time): startApp(for: time)
    case .restartServer(let pause):
      endServer()
      machine.after(pause) { [self] in startServer() }
    case .restartBus(let time): restartBus(after: time)
    case .hangServer(let time): hangServer(for: time)
    case .slowServer(let answer, let time):
      setAnswerTime(answer)
      machine.after(time) { [self] in setAnswerTime(0) }
    case .slowBus(let delay, let time):
      setDelay(delay)
      machine.after(time) { [self] in setDelay(0) }
    case .loseMessages(let kind, let count): wire.losses[kind] = count
    case .refuse(let count): server.refusals = count
    case .fillDisk(let time):
      setFull(true)
      machine.after(time) { [self] in setFull(false) }
    case .failDisk(let count): disk.failures = count
    case .end(let moment, let isPowerLoss, let off):
      guard center?.isDead == false else { return }
      ending = (moment, isPowerLoss, off, step.number)
      if case .now = moment { endCenter() }
    }
  }

  /// A zone lasts for two seconds: within these, the center notices a change, and shorter ones it may miss.
  private func inTime(_ change: @escaping () -> Void) {
    let rest = lastTravel + 2_000 - machine.now
    if rest > 0 { return machine.after(rest) { [self] in inTime(change) } }
    lastTravel = machine.now
    look()
    change()
    look()
  }

  private func setFull(_ isFull: Bool) {
    disk.isFull = isFull
    model.isDiskFull = isFull
  }

  private func setDelay(_ new: Int64) {
    let old = model.delay
    wire.delay = new
    model.delay = max(old, new)
    // Some messages are still on their way.
    if old > new { machine.after(old) { [self] in model.delay = wire.delay } }
  }

  private func setAnswerTime(_ new: Int64) {
    let old = model.answerTime
    server.answerTime = new
    model.answerTime = max(old, new)
    // Answers that take the old time are still on their way.
    if old > new { machine.after(old) { [self] in model.answerTime = server.answerTime } }
  }
}
