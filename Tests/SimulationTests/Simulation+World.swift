// SPDX-License-Identifier: Apache-2.0
import CenterContract
import Freedesktop
import NotificationModel

@testable import suzud

/// What the center can reach.
extension Simulation: SimulatedCenter.Outside {
  var serverState: ServerState? { server.state }
  var busID: String { bus.text }
  var isServerHung: Bool { server.isHung }

  func tell(_ event: CenterEvent) {
    switch event {
    case .delivered(_, let id, let due, let missed, _): delivered(id, due, missed)
    case .responded(let response):
      note("event \(event)")
      if response.action == "tell" { model.responded(response.number, of: response.id) }
    case .outcome(let response, let outcome):
      note("event \(event)")
      look()
      model.ended(response, outcome.description)
    default: note("event \(event)")
    }
  }

  private func delivered(_ id: String, _ due: String?, _ missed: Int) {
    note("delivered \(id) \(due ?? "-") \(missed)")
    look()
    model.delivered(id, due: due.flatMap(CivilDay.instant), missed: missed)
  }

  func launch(_ entry: String) {
    note("launches \(entry)")
    look()
    model.launched(entry)
    actionBegan()
  }

  /// The center may end right then.
  func actionBegan() {
    guard case .atLaunch(let count)? = ending?.moment else { return }
    ending?.moment = .atLaunch(count - 1)
    if count == 1 { endCenter() }
  }
}
