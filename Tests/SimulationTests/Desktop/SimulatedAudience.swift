// SPDX-License-Identifier: Apache-2.0
import CenterContract
import NotificationModel

@testable import suzud

/// The programs that would get events: a watcher, and the app.
final class SimulatedAudience: Audience {
  private let reach: SimulatedCenter.Reach
  var handler: Caller?

  init(_ reach: SimulatedCenter.Reach) { self.reach = reach }

  func tell(_ event: CenterEvent, of app: String, except handler: Caller?) -> Bool {
    reach.outside?.tell(event)
    return true
  }

  func tell(_ change: StoredChange) {}

  func send(_ event: CenterEvent, to caller: Caller) {
    if case .responded(let response) = event { reach.outside?.handOver(response) }
  }

  func handler(of app: String) -> Caller? { handler }
  func lookOut(for caller: Caller) async {}
  func isSandboxed(_ caller: Caller) -> Bool { false }
}
