// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Freedesktop

@testable import suzud

/// Ends of the center, of the machine and of the server.
extension Simulation {
  func synced(_ isDone: Bool) {
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

  /// The server has said that it shows a notification.
  func shown() {
    guard case .whileShown(let count) = ending?.moment else { return }
    ending?.moment = .whileShown(count - 1)
    if count == 1 { machine.after(1_000) { [self] in endCenter() } }
  }

  /// A piece of the log has been written.
  func wrote() {
    guard case .atWrite(let count) = ending?.moment else { return }
    ending?.moment = .atWrite(count - 1)
    if count == 1 { endCenter() }
  }

  /// Something happens on the machine: the center may end in one of the turns that it takes.
  func beginTurns() { if case .inTurn = ending?.moment { turn(1) } }

  private func turn(_ number: Int) {
    machine.loop.performNext { [self] in
      guard case .inTurn(let count) = ending?.moment else { return }
      ending?.moment = .inTurn(count - 1)
      if count == 1 { return endCenter() }
      if number < Self.mostTurns { turn(number + 1) }
    }
  }

  /// Few things take more turns.
  private static let mostTurns = 12

  /// A page of the log is moved into the file of the database.
  func moving() {
    guard case .duringMove(let count) = ending?.moment else { return }
    ending?.moment = .duringMove(count - 1)
    if count == 1 { endCenter() }
  }

  /// The process or the machine ends at this very moment, in the middle of whatever it does.
  func endCenter() {
    guard let ending, let center, !center.isDead else { return }
    self.ending = nil
    ends += 1
    note(ending.isPowerLoss ? "power lost" : "killed")
    look()
    model.centerHasEnded(isPowerLoss: ending.isPowerLoss)
    center.die()
    if ending.isPowerLoss {
      endServer()
      wire.clear()
      app = nil
    } else if server.isUp, server.manner.endsWithSender {
      server.endWithSender()
      model.screenIsCleared()
    }
    let random = ending.isPowerLoss ? SeededRandom(script.seed, for: "remains \(ending.step)") : nil
    let image = disk.image(afterPowerLoss: random)
    // When the loop has nothing left to do, the objects of the dead center are freed.
    machine.after(0) { [self] in endCalls() }
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
        bus.startAnew()
        server.start()
      }
      startCenter()
    }
  }

  func startServer() {
    guard !server.isUp, bus.isUp else { return }
    look()
    server.start()
    note("server starts")
    model.hasServer = true
    look()
    if let state = server.state { signal(.appeared(state), isKept: true) }
  }

  /// The bus ends, and with it all programs but the center; another one starts after that time.
  func restartBus(after time: Int64) {
    guard bus.isUp else { return }
    endServer()
    look()
    if let app { end(app, after: 0) }
    note("bus ends")
    bus.end()
    let old = bus
    wire.clear()
    model.noneArrives()
    model.isEndUntold = false
    if let center, !center.isDead { center.busIsGone() }
    endCalls()
    machine.after(time) { [self] in
      guard bus == old else { return }
      note("bus starts")
      bus.startAnew()
      startServer()
    }
  }

  /// It does nothing for that time.
  func hangServer(for time: Int64) {
    guard server.isUp, !server.isHung else { return }
    look()
    note("server hangs")
    server.hang()
    model.serverHangs(true)
    let owner = server.state?.owner
    machine.after(time) { [self] in
      guard server.isHung, let state = server.state, state.owner == owner else { return }
      look()
      note("server goes on")
      server.goOn()
      model.hasServer = true
      model.serverHangs(false)
      look()
      if center?.server == nil { signal(.appeared(state), isKept: true) }
    }
  }

  func endServer() {
    guard server.isUp else { return }
    look()
    server.end()
    note("server ends")
    model.serverIsGone()
    model.isEndUntold = center?.isDead == false
    signal(.vanished, isKept: true) { [self] in model.isEndUntold = false }
  }
}
