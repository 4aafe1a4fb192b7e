// SPDX-License-Identifier: Apache-2.0
import DBus
import TestSupport

@testable import Scheduling
@testable import suzud

/// Notifications that are shown again, for which tests do not wait.
extension CenterStand {
  /// Ends the pause of a notification, and waits for its next showing.
  @discardableResult
  func again(_ server: ScriptedServer) async throws -> ScriptedServer.Posted {
    try await settle()
    await center.endPauses()
    return try await server.posted.next(within: .seconds(10), "next showing")
  }

  /// Ends all pauses, and waits until all that follows is done.
  func endPauses() async throws {
    try await settle()
    await center.endPauses()
    try await settle()
  }

  /// The ids of the notifications on the screen, and of those that are shown again, with their states.
  func states() async throws -> [String] {
    try await listing("Delivered").map { "\($0["id"]?.string ?? "") \($0["state"]?.string ?? "")" }
  }
}

extension CenterService {
  /// Ends the pauses of everything that is shown again.
  func endPauses() {
    let agenda = around.agenda
    agenda.journal.flush()
    let nags = (try? agenda.store.nagging()) ?? []
    for nag in nags { agenda.scheduler.nags.set(nag.number, at: agenda.time.elapsed, wakes: false) }
    agenda.scheduler.fireNags()
  }

  /// How many notifications are shown again.
  var openNags: Int { (try? around.agenda.store.nagging().count) ?? -1 }
}
