// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Withdraws the requests whose askers have left the bus: their answers have no reader any more.
final class Askers {
  private let loop: EventLoop
  private let asked: AskedRequests
  private let journal: Journal
  private let withdrawals: Withdrawals
  private let dismissals: Dismissals
  /// The id of the bus; nil if it does not answer.
  private let busID: () async -> String?
  /// Reports the caller to ``left(_:)`` when it leaves the bus, also if it has left already.
  private let lookOut: (Caller) async -> Void
  private var bus: String?
  /// Above this number, those that have ended are looked for.
  private var sweep = 256
  /// Whether the notifications that the earlier run left on the screen are known.
  private var isScreenKnown = false

  init(
    on loop: EventLoop, asked: AskedRequests, journal: Journal, withdrawals: Withdrawals, dismissals: Dismissals,
    busID: @escaping () async -> String?, lookOut: @escaping (Caller) async -> Void
  ) {
    self.loop = loop
    self.asked = asked
    self.journal = journal
    self.withdrawals = withdrawals
    self.dismissals = dismissals
    self.busID = busID
    self.lookOut = lookOut
  }

  /// Looks after the requests of the earlier run.
  func begin() {
    loop.startLater {
      // Without a bus there are no askers either.
      for asker in self.asked.load(onBus: await self.currentBus()) { await self.lookOut(asker) }
      await self.withdrawOrphans()
    }
  }

  private func currentBus() async -> String? {
    if bus == nil { bus = await busID() }
    return bus
  }

  /// The caller with its bus, for the store.
  func asker(_ caller: Caller) async throws(CenterError) -> (caller: Caller, bus: String) {
    guard let bus = await currentBus() else { throw CenterError(.unavailable, "the session bus does not answer") }
    return (caller, bus)
  }

  /// Begins to look after a caller whose request is stored.
  func began(_ caller: Caller) async {
    await lookOut(caller)
    if asked.count > sweep {
      asked.forget(asked.keys(of: caller).filter { withdrawals.isOver($0) }, journal)
      sweep = max(256, 2 * asked.count)
    }
  }

  /// A caller has left the bus.
  func left(_ caller: Caller) {
    let keys = asked.keys(of: caller)
    if keys.isEmpty { return }
    asked.orphan(keys)
    loop.start { await self.withdrawOrphans() }
  }

  /// Another bus has other callers, and another id.
  func forgetBus() { bus = nil }

  /// The notifications that the earlier run left on the screen are known now.
  func screenIsRestored() {
    isScreenKnown = true
    if !asked.orphans.isEmpty { loop.start { await self.withdrawOrphans() } }
  }

  private func withdrawOrphans() async {
    let orphans = asked.orphans
    let isScreenKnown = isScreenKnown
    for (app, keys) in Dictionary(grouping: orphans, by: { Identifier($0.app) }) {
      let ids = keys.map(\.id)
      // What is shown again is on the screen and in the queue. What is in the queue may have come to the screen since.
      for _ in 0..<2 {
        _ = try? await dismissals.dismiss(app.text, ids, .all, from: nil)
        _ = try? await withdrawals.cancel(app.text, ids, .all, from: nil)
      }
    }
    // Until then they may be on the screen all the same.
    if isScreenKnown { asked.forget(orphans.intersection(asked.orphans), journal) }
  }
}
