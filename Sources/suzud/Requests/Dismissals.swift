// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// Removes notifications from the screen and from the server's history. Handles a slice of the ids in each turn of the
/// loop, like ``Withdrawals``.
final class Dismissals {
  private let loop: EventLoop
  private let longCalls: LongCalls
  private let store: Store
  private let journal: Journal
  private let time: any TimeSource
  private let ends: Ends
  private let screen: Screen
  private let link: ServerLink
  private let inFront: AppsInFront
  private let choosing: Choosing

  init(
    on loop: EventLoop, longCalls: LongCalls, agenda: Agenda, ends: Ends, screen: Screen, link: ServerLink,
    inFront: AppsInFront, choosing: Choosing
  ) {
    self.loop = loop
    self.longCalls = longCalls
    self.ends = ends
    self.screen = screen
    self.link = link
    self.inFront = inFront
    self.choosing = choosing
    store = agenda.store
    journal = agenda.journal
    time = agenda.time
  }

  /// Removes notifications from the screen; returns how many.
  func dismiss(
    _ app: String, _ ids: [String], _ rights: Rights, from caller: Caller?
  ) async throws(CenterError) -> Int {
    try ReservedID.check(rights, touching: ids)
    await longCalls.wait(for: caller)
    // Their notifications have left the screen with the click, but their answers are still being typed.
    let typed = choosing.closePrompts(of: app, ids, because: "dismissed")
    // Looked up before anything leaves the screen, so that each is counted once.
    let past = await answerable(app)
    var count = typed + inFront.cancel(app, Set(ids.map { Identifier($0) })).count
    count += endResting(ids.isEmpty ? ends.keysShownAgain(of: app) : ids.map { RequestKey(app: app, id: $0) })
    ends.carryOut()
    if ids.isEmpty {
      count += await dismiss(screen.matching(app, [], for: rights, where: Self.isDismissible))
      for (index, numbers) in past.values.enumerated() {
        if index % LongCalls.slice == LongCalls.slice - 1 { await loop.nextTurn() }
        count += withdraw(numbers)
      }
      return count
    }
    for start in stride(from: 0, to: ids.count, by: LongCalls.slice) {
      if start > 0 { await loop.nextTurn() }
      let slice = Array(ids[start..<min(start + LongCalls.slice, ids.count)])
      count += await dismiss(screen.matching(app, slice, for: rights, where: Self.isDismissible))
      for key in Set(slice.map({ RequestKey(app: app, id: $0) })) { count += withdraw(past[key] ?? []) }
    }
    return count
  }

  /// Ends those that are off the screen and would be shown again; returns how many.
  private func endResting(_ keys: [RequestKey]) -> Int {
    keys.count { key in
      let resting = ends.stopShowingAgain(key, because: .withdrawn).filter(\.isResting)
      for one in resting { link.forget(one.shown) }
      return !resting.isEmpty
    }
  }

  /// Whether it is on the screen, or will be when the server answers.
  private static func isDismissible(_ entry: Entry) -> Bool { entry.onScreen != nil || entry.isPosting }

  private func dismiss(_ keys: [RequestKey]) async -> Int {
    var count = 0
    for start in stride(from: 0, to: keys.count, by: LongCalls.slice) {
      if start > 0 { await loop.nextTurn() }
      var taken: [PostedNumber] = []
      for key in keys[start..<min(start + LongCalls.slice, keys.count)] {
        // It may have left the screen since it was found.
        guard let entry = screen[key], Self.isDismissible(entry) else { continue }
        if entry.isPosting {
          // The server has not given it a number yet: it is closed when that comes.
          screen.drop(key, because: .withdrawn)
        } else if let number = entry.onScreen {
          screen.take(number)
          taken.append(number)
        }
        count += 1
      }
      screen.useUp(taken)
      ends.carryOut()
    }
    return count
  }

  /// The deliveries that have left the screen but can still be answered, by id.
  private func answerable(_ app: String) async -> [RequestKey: [DeliveryRecord.Number]] {
    let since = time.wall - PastDeliveries.lateClick
    var found: [RequestKey: [DeliveryRecord.Number]] = [:]
    var place: DeliveryRecord.Number?
    while let state = link.state {
      await journal.waitForWrites(on: loop)
      guard
        let page = try? store.answerable(
          app: app, server: state.storedName, since: since, before: place, steps: LongCalls.slice)
      else { break }
      place = page.next
      for record in page.records { found[RequestKey(app: app, id: record.id), default: []].append(record.number) }
      if place == nil { break }
      await loop.nextTurn()
    }
    return found
  }

  /// Removes them from the server's history, so that clicks on them no longer count; returns how many the server had
  /// kept. The center's own history keeps their ends.
  private func withdraw(_ numbers: [DeliveryRecord.Number]) -> Int {
    guard let state = link.state else { return 0 }
    var count = 0
    for number in numbers {
      guard let record = try? store.delivery(number), record.state == .closed, record.server == state.storedName,
        (try? store.responses(to: number))?.isEmpty == true
      else { continue }
      if state.capabilities.contains(.persistence) { count += 1 }
      withdrawFromHistory(record, state)
    }
    return count
  }

  /// Removes from the server's history what was deleted from the center's: a click on it would have no effect.
  func withdraw(deleted records: [DeliveryRecord]) {
    guard let state = link.state else { return }
    for record in records {
      guard record.state == .closed, record.server == state.storedName, let number = record.serverNumber,
        let closed = record.closed, time.wall - closed <= PastDeliveries.lateClick,
        !["withdrawn", "replaced", "cancelled"].contains(record.reason)
      else { continue }
      let posted = PostedNumber(server: state.owner, number: UInt32(truncatingIfNeeded: number))
      // The number may belong to another notification by now.
      guard screen.posting(posted) == nil else { continue }
      if state.capabilities.contains(.persistence) { link.close(posted) }
    }
  }

  private func withdrawFromHistory(_ record: DeliveryRecord, _ state: ServerState) {
    journal.note { store throws(StoreError) in try store.recordForgotten(record.number) }
    guard let number = record.serverNumber else { return }
    let posted = PostedNumber(server: state.owner, number: UInt32(truncatingIfNeeded: number))
    // The number may belong to another notification by now.
    guard screen.posting(posted).map({ $0.due.record?.delivery == record.number }) ?? true else { return }
    _ = screen.useUp(posted)
    if state.capabilities.contains(.persistence) { link.close(posted) }
  }
}
