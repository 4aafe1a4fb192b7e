// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Cancels requests that have not been shown yet, and the next showings of those that are shown again. Handles a slice
/// of the ids in each turn of the loop, so that other callers get answers in between.
final class Withdrawals {
  private let loop: EventLoop
  private let longCalls: LongCalls
  private let store: Store
  private let journal: Journal
  private let scheduler: Scheduler
  private let ends: Ends
  private let screen: Screen
  private let inFront: AppsInFront
  private let held: HeldRequests
  private let permissions: Permissions
  private let time: any TimeSource
  private let waiting: WaitingDeliveries

  init(
    on loop: EventLoop, longCalls: LongCalls, agenda: Agenda, ends: Ends, screen: Screen,
    inFront: AppsInFront, held: HeldRequests, permissions: Permissions, waiting: WaitingDeliveries
  ) {
    self.loop = loop
    self.longCalls = longCalls
    self.ends = ends
    self.screen = screen
    self.inFront = inFront
    self.held = held
    self.permissions = permissions
    self.waiting = waiting
    time = agenda.time
    store = agenda.store
    journal = agenda.journal
    scheduler = agenda.scheduler
  }

  /// Cancels requests that have not been shown yet; returns how many.
  ///
  /// This is not all or none: if the disk fails in the middle, the slices before it stay cancelled.
  ///
  /// - Parameter rights: the caller's. Sandboxed programs cannot cancel the center's own notifications.
  func cancel(
    _ app: String, _ ids: [String], _ rights: Rights, from caller: Caller?
  ) async throws(CenterError) -> Int {
    try ReservedID.check(rights, touching: ids)
    if ids.count == 1 {
      await longCalls.wait(for: caller)
      return try await cancelEach(app, ids, rights)
    }
    await longCalls.begin(of: caller)
    defer { longCalls.end(of: caller) }
    return try await ids.isEmpty ? cancelAll(of: app, rights) : cancelEach(app, ids, rights)
  }

  /// Whether a request has ended: it is neither pending, nor due, nor on the screen.
  func isOver(_ key: RequestKey) -> Bool {
    // If the store cannot tell, it counts as pending.
    let isPending = (try? store.request(app: key.app, id: key.id)).map { $0?.wait != nil } ?? true
    return !isPending && screen.state.keys(of: key).isEmpty && !inFront.keys(of: key.app).contains(key)
      && !held.keys(of: key.app).contains(key)
      && !permissions.waitingIDs(of: key.app).contains { $0.isIdentical(to: key.id) }
  }

  /// Cancels each request, and with a repeating one its copy that a button postponed.
  private func cancelEach(_ app: String, _ ids: [String], _ rights: Rights) async throws(CenterError) -> Int {
    var (count, start) = (0, 0)
    while start < 2 * ids.count {
      if start > 0 { await loop.nextTurn() }
      let slice = try await cancelSlice(
        app,
        (start..<min(start + LongCalls.slice, 2 * ids.count)).map { place in
          place.isMultiple(of: 2) ? ids[place / 2] : SnoozedID.of(ids[place / 2])
        }, rights)
      count += slice.cancelled
      start += slice.handled
    }
    return count
  }

  /// Leaves requests that the center itself stores in the meantime.
  private func cancelAll(of app: String, _ rights: Rights) async throws(CenterError) -> Int {
    await journal.waitForWrites(on: loop)
    let last = store.lastRevision
    var count = 0
    var place: String? = ""
    while let from = place {
      let page: (ids: [String], last: String?)
      do throws(StoreError) {
        page = try store.pendingIDs(app: app, after: from, through: last, steps: LongCalls.slice)
      } catch {
        throw CenterError(error)
      }
      place = page.last
      if !page.ids.isEmpty { count += try await cancelEach(app, page.ids, rights) }
      if place != nil { await loop.nextTurn() }
    }
    let unseen = Set(
      scheduler.announced(app).map { Identifier($0.request.id?.text ?? "") }
        + screen.state.entries.filter { $0.key.app.isIdentical(to: app) && $0.value.isPending }
        .map { Identifier($0.key.id) }
        + (inFront.keys(of: app) + held.keys(of: app) + ends.keysShownAgain(of: app)).map { Identifier($0.id) }
        + permissions.waitingIDs(of: app).map { Identifier($0) }
    ).filter { rights == .all || !ReservedID.isReserved($0.text) }
    return try await unseen.isEmpty ? count : count + cancelEach(app, unseen.map(\.text), rights)
  }

  /// Cancels a slice from the start of the ids, as many as fit into one turn of the loop.
  private func cancelSlice(
    _ app: String, _ ids: [String], _ rights: Rights
  ) async throws(CenterError) -> (cancelled: Int, handled: Int) {
    let result: Result<(cancelled: Int, handled: Int), StoreError> = await loop.withContinuation { continuation in
      journal.write { [time, waiting] store throws(StoreError) in
        let result = try store.cancel(app: app, ids: ids[...])
        try waiting.recordCancelled(app, ids.prefix(result.count), rights, in: store, now: time.wall)
        return result
      } then: { [self] result in
        continuation.resume(returning: cancelled(app, ids, rights, result))
      }
    }
    do throws(StoreError) { return try result.get() } catch { throw CenterError(error) }
  }

  private func cancelled(
    _ app: String, _ ids: [String], _ rights: Rights,
    _ result: Result<(cancelled: [String], count: Int), StoreError>
  ) -> Result<(cancelled: Int, handled: Int), StoreError> {
    guard case .success((let stored, let handled)) = result else {
      return result.map { ($0.cancelled.count, $0.count) }
    }
    let ids = ids.prefix(handled)
    for id in stored { ends.tell(of: app, id, .cancelled) }
    var cancelled = Set(stored.map { Identifier($0) })
    let wanted = Set(ids.map { Identifier($0) })
    for due in scheduler.withdraw(app, { wanted.contains(Identifier($0)) }) {
      ends.begin(due)
      ends.note(due, .cancelled)
      cancelled.insert(Identifier(due.request.id?.text ?? ""))
    }
    for id in Set(ids) where !ends.stopShowingAgain(RequestKey(app: app, id: id), because: .cancelled).isEmpty {
      cancelled.insert(Identifier(id))
    }
    for id in permissions.end(app, .cancelled, where: { wanted.contains(Identifier($0)) }) {
      cancelled.insert(Identifier(id))
    }
    for key in screen.matching(app, Array(ids), for: rights, where: \.isPending) {
      screen.drop(key)
      cancelled.insert(Identifier(key.id))
    }
    for key in inFront.cancel(app, wanted) + held.cancel(app, wanted) { cancelled.insert(Identifier(key.id)) }
    ends.carryOut()
    scheduler.rearm()
    return .success((cancelled.count, handled))
  }
}
