// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// Finds the deliveries that are due and wait: for their date in a moment, for a permission, for their app, for the end
/// of a pause, or for a server.
///
/// What replaces or cancels them records their end in its own commit: a center that ends right after that commit must
/// not show them.
struct WaitingDeliveries {
  let scheduler: Scheduler
  let permissions: Permissions
  let inFront: AppsInFront
  let held: HeldRequests
  let screen: Screen
  let ends: Ends

  /// Whether any delivery waits, or is on the screen. Mostly none does, and looking for each of very many requests
  /// takes long.
  var isAny: Bool {
    scheduler.isAnnouncing || permissions.waitingCount(of: nil) > 0 || !inFront.keys(of: nil).isEmpty
      || !held.keys(of: nil).isEmpty || !screen.state.entries.isEmpty
  }

  /// Records that newer requests have replaced those with their keys. The delivery of a request that is due itself does
  /// that, also after a restart.
  func recordReplaced(
    by requests: [NewRequest], at positions: ArraySlice<Int>, in store: Store, now: Timestamp
  ) throws(StoreError) {
    guard isAny else { return }
    for position in positions where requests[position].start != .now {
      let replaced = replaced(by: RequestKey(app: requests[position].app, id: requests[position].id))
      try store.recordNeverShown(replaced, as: .replaced, now: now)
    }
  }

  /// Notes the ends of those whose date comes in a moment, and that newer requests have replaced.
  func endAnnounced(replacedBy keys: @autoclosure () -> Set<RequestKey>) {
    guard scheduler.isAnnouncing else { return }
    let keys = keys()
    for earlier in scheduler.withdraw(where: { keys.contains(RequestKey(app: $0, id: $1)) }) {
      ends.begin(earlier)
      ends.note(earlier, .replaced)
    }
  }

  /// Notes the ends of the others that a newer request has replaced, which comes later.
  func endReplaced(by key: RequestKey) {
    _ = permissions.end(key.app, .replaced) { $0.isIdentical(to: key.id) }
    inFront.supersede(key)
    held.supersede(key)
    for key in screen.state.keys(of: key) where screen[key]?.isUnasked == true { screen.drop(key, because: .replaced) }
  }

  /// Ends one that could not be stored, wherever it waits, also if the server was asked to show it.
  func endUnstored(_ key: RequestKey) {
    _ = permissions.end(key.app, .failed) { $0.isIdentical(to: key.id) }
    _ = inFront.cancel(key.app, [Identifier(key.id)])
    _ = held.cancel(key.app, [Identifier(key.id)])
    for key in screen.state.keys(of: key) { screen.drop(key, because: .failed) }
    ends.carryOut()
  }

  /// One that the server was asked to show stays on the screen until the newer one comes.
  private func replaced(by key: RequestKey) -> [DeliveryRecord.Number] {
    let waiting =
      early(key.app) { $0.isIdentical(to: key.id) } + [inFront[key], held[key]].compactMap { $0 }
      + screen.state.keys(of: key).compactMap { screen.state.waiting($0, isAsked: false) }
    return numbers(of: waiting)
  }

  /// Records that requests were cancelled.
  func recordCancelled(
    _ app: String, _ ids: ArraySlice<String>, _ rights: Rights, in store: Store, now: Timestamp
  ) throws(StoreError) {
    guard isAny else { return }
    try store.recordNeverShown(cancelled(app, ids, rights), as: .cancelled, now: now)
  }

  private func cancelled(_ app: String, _ ids: ArraySlice<String>, _ rights: Rights) -> [DeliveryRecord.Number] {
    let wanted = Set(ids.map { Identifier($0) })
    let inApp = inFront.keys(of: app).filter { wanted.contains(Identifier($0.id)) }.compactMap { inFront[$0] }
    let kept = held.keys(of: app).filter { wanted.contains(Identifier($0.id)) }.compactMap { held[$0] }
    let queued = screen.matching(app, Array(ids), for: rights, where: \.isPending)
    return numbers(
      of: early(app) { wanted.contains(Identifier($0)) } + inApp + kept
        + queued.compactMap { screen.state.waiting($0, isAsked: true) })
  }

  /// Those that have not come to a setting of their app yet.
  private func early(_ app: String, where isMeant: (String) -> Bool) -> [Due] {
    (scheduler.announced(app) + permissions.waiting(of: app)).filter { isMeant($0.request.id?.text ?? "") }
  }

  private func numbers(of due: [Due]) -> [DeliveryRecord.Number] { due.compactMap { $0.record?.delivery } }
}
