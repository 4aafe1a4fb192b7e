// SPDX-License-Identifier: Apache-2.0
import NotificationModel

@testable import suzud

/// The app that handles responses.
extension Simulation {
  func startApp(for time: Int64) {
    guard app == nil, bus.isUp, let new = SimulatedApp(number: appStarts) else { return }
    appStarts += 1
    app = new
    attachApp()
    machine.after(time) { [self] in end(new, after: new.delay) }
  }

  func attachApp() {
    guard let app, let center, !center.isDead else { return }
    note("app attaches")
    look()
    model.app.attaches(moment)
    center.attach(app.caller)
    look()
  }

  /// It leaves the bus, which the center hears after that time.
  func end(_ old: SimulatedApp, after time: Int64) {
    guard app === old else { return }
    note("app ends")
    look()
    app = nil
    model.app.ends(moment)
    guard let center else { return model.app.isLeaving = false }
    machine.after(time) { [self] in
      look()
      model.app.isLeaving = false
      if !center.isDead { center.appLeft(old.caller) }
    }
  }

  /// It gets a response.
  func handOver(_ response: Response) {
    look()
    guard let app else { return note("response \(response.number) reaches no app") }
    note("app gets response \(response.number) to \(response.id)")
    model.handedOver(response.number, of: response.id)
    switch SimulatedApp.reaction(to: response.number, seed: script.seed) {
    case .completes(let time, let problem):
      let center = center
      machine.after(time) { [self] in
        guard self.app === app, self.center === center, center?.isDead == false else { return }
        complete(response.number, problem, app)
      }
    case .ends(let time): machine.after(time) { [self] in end(app, after: app.delay) }
    case .forgets: break
    }
    actionBegan()
  }

  private func complete(_ response: UInt64, _ problem: String?, _ app: SimulatedApp) {
    note("app completes \(response)\(problem.map { ": \($0)" } ?? "")")
    look()
    let isExpected = model.app.completes(response, problem, moment)
    do {
      try center?.complete(response, problem, by: app.caller)
    } catch {
      if isExpected { model.fail("response \(response) cannot be completed: \(error)") }
    }
    look()
  }
}
