// SPDX-License-Identifier: Apache-2.0
import Scheduling

@testable import suzud

/// What the store has at the end of each day.
extension Simulation {
  /// Compares what waits in the store with what waits in the model.
  func compareWaiting() {
    // While the disk fails, dates wait for it.
    guard let center, !center.isDead, model.isAwake, !model.isDiskFailing,
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
}
