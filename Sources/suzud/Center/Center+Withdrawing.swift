// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// Taking back, and taking from the screen. Any number of ids: a slice in each turn of the loop, so that other callers are
/// answered in between.
extension Center {
  /// How many ids are dealt with in one turn.
  static let slice = 500

  // MARK: Taking back

  /// Takes back what has not been shown yet; returns how many.
  ///
  /// Not all or none: if the disk fails in the middle, the slices before it are taken back.
  ///
  /// - Parameter rights: those of the caller: the center's own notifications are not for sandboxed programs.
  func cancel(
    _ app: String, _ ids: [String], _ rights: Rights, from caller: BusName? = nil
  ) async throws(RemoteError) -> Int {
    try Self.check(rights, touching: ids)
    guard ids.isEmpty || ids.count > Self.slice else {
      await waitForLongCalls(of: caller)
      return try await cancelSlice(app, ids, rights)
    }
    await beginLongCall(of: caller)
    defer { endLongCall(of: caller) }
    return try await ids.isEmpty ? cancelAll(of: app, rights) : cancelEach(app, ids, rights)
  }

  private func cancelEach(_ app: String, _ ids: [String], _ rights: Rights) async throws(RemoteError) -> Int {
    var count = 0
    for start in stride(from: 0, to: ids.count, by: Self.slice) {
      if start > 0 { await loop.nextTurn() }
      count += try await cancelSlice(app, Array(ids[start..<min(start + Self.slice, ids.count)]), rights)
    }
    return count
  }

  /// What the center itself stores while this goes on stays.
  private func cancelAll(of app: String, _ rights: Rights) async throws(RemoteError) -> Int {
    // What was noted in this turn counts.
    journal.flush()
    let last = store.lastRevision
    var count = 0
    var place: String? = ""
    while let from = place {
      let page: (ids: [String], last: String?)
      do throws(StoreError) {
        page = try store.pendingIDs(app: app, after: from, through: last, steps: Self.slice)
      } catch {
        throw RemoteError(error)
      }
      place = page.last
      if !page.ids.isEmpty { count += try await cancelSlice(app, page.ids, rights) }
      if place != nil { await loop.nextTurn() }
    }
    let unseen = Set(
      scheduler.announced(app).map { Identifier($0.request.id ?? "") }
        + ledger.entries.filter { $0.key.app.isIdentical(to: app) && $0.value.isPending }.map { Identifier($0.key.id) }
        + presenting.keys { $0.app.isIdentical(to: app) }.map { Identifier($0.id) }
        + undecided.ids(of: app).map { Identifier($0) }
    ).filter { rights == .all || !Self.isReserved($0.text) }
    return try await unseen.isEmpty ? count : count + cancelEach(app, unseen.map(\.text), rights)
  }

  private func cancelSlice(_ app: String, _ ids: [String], _ rights: Rights) async throws(RemoteError) -> Int {
    let result: Result<Int, StoreError> = await loop.withContinuation { continuation in
      journal.write { store throws(StoreError) in
        try store.cancel(app: app, ids: ids)
      } then: { [self] result in
        continuation.resume(returning: assumeIsolated { $0.cancelled(app, ids, rights, result) })
      }
    }
    do throws(StoreError) { return try result.get() } catch { throw RemoteError(error) }
  }

  private func cancelled(
    _ app: String, _ ids: [String], _ rights: Rights, _ result: Result<[String], StoreError>
  ) -> Result<Int, StoreError> {
    guard case .success(let stored) = result else { return result.map(\.count) }
    for id in stored { tellEnd(of: app, id, .cancelled) }
    var cancelled = Set(stored.map { Identifier($0) })
    let wanted = Set(ids.map { Identifier($0) })
    for due in scheduler.withdraw(app, { wanted.contains(Identifier($0)) }) {
      begin(due)
      ledger.end(due, .cancelled)
      cancelled.insert(Identifier(due.request.id ?? ""))
    }
    for due in undecided.withdraw(app, { wanted.contains(Identifier($0)) }) {
      ledger.end(due, .cancelled)
      cancelled.insert(Identifier(due.request.id ?? ""))
    }
    for key in matching(app, ids, for: rights, where: \.isPending) {
      queue.remove(key)
      ledger.withdraw(key)
      cancelled.insert(Identifier(key.id))
    }
    for key in cancelPresenting(app, wanted) { cancelled.insert(Identifier(key.id)) }
    noteEnded()
    scheduler.rearm()
    return .success(cancelled.count)
  }

  /// What the app in front is asked about is not shown, whatever it answers.
  private func cancelPresenting(_ app: String, _ ids: Set<Identifier>) -> [RequestKey] {
    let keys = presenting.keys { key in
      key.app.isIdentical(to: app) && (ids.isEmpty || ids.contains(Identifier(key.id)))
    }
    for key in keys { if let due = presenting.remove(key) { ledger.end(due, .cancelled) } }
    return keys
  }

  // MARK: Taking from the screen

  /// Takes from the screen; returns how many.
  func dismiss(
    _ app: String, _ ids: [String], _ rights: Rights, from caller: BusName? = nil
  ) async throws(RemoteError) -> Int {
    try Self.check(rights, touching: ids)
    await waitForLongCalls(of: caller)
    // Before anything is taken from the screen: what is there is counted once.
    let past = await answerable(app)
    var count = cancelPresenting(app, Set(ids.map { Identifier($0) })).count
    noteEnded()
    if ids.isEmpty {
      count += await dismiss(matching(app, [], for: rights, where: Self.isDismissible))
      for (index, numbers) in past.values.enumerated() {
        if index % Self.slice == Self.slice - 1 { await loop.nextTurn() }
        count += withdraw(numbers)
      }
      return count
    }
    for start in stride(from: 0, to: ids.count, by: Self.slice) {
      if start > 0 { await loop.nextTurn() }
      let slice = Array(ids[start..<min(start + Self.slice, ids.count)])
      count += await dismiss(matching(app, slice, for: rights, where: Self.isDismissible))
      for key in Set(slice.map({ RequestKey(app: app, id: $0) })) { count += withdraw(past[key] ?? []) }
    }
    return count
  }

  private static func isDismissible(_ entry: Entry) -> Bool { entry.onScreen != nil && !entry.isPosting }

  private func dismiss(_ keys: [RequestKey]) async -> Int {
    var count = 0
    for start in stride(from: 0, to: keys.count, by: Self.slice) {
      if start > 0 { await loop.nextTurn() }
      for key in keys[start..<min(start + Self.slice, keys.count)] {
        // It may have left the screen since it was found.
        guard let entry = ledger[key], Self.isDismissible(entry), let number = entry.onScreen else { continue }
        takeFromScreen(number)
        _ = ledger.useUp(number)
        count += 1
      }
    }
    return count
  }

  /// What the server keeps, though it left the screen, and what can still be answered, by id.
  private func answerable(_ app: String) async -> [RequestKey: [Int64]] {
    let since = time.wall - Self.lateClick
    var found: [RequestKey: [Int64]] = [:]
    var place: Int64? = .max
    while let from = place, let state = serverState {
      // What was noted in this turn counts.
      journal.flush()
      guard
        let page = try? store.answerable(
          app: app, server: state.storedName, since: since, before: from, steps: Self.slice)
      else { break }
      place = page.next
      for record in page.records { found[RequestKey(app: app, id: record.id), default: []].append(record.number) }
      if place != nil { await loop.nextTurn() }
    }
    return found
  }

  /// They go from the server's history, and a click on them counts no more; returns how many there were.
  private func withdraw(_ numbers: [Int64]) -> Int {
    guard let state = serverState else { return 0 }
    var count = 0
    for number in numbers {
      guard let record = try? store.delivery(number), record.state == .closed, record.server == state.storedName,
        (try? store.responses(to: number))?.isEmpty == true
      else { continue }
      count += 1
      withdrawFromHistory(record, state)
    }
    return count
  }

  private func withdrawFromHistory(_ record: DeliveryRecord, _ state: ServerState) {
    journal.note { store throws(StoreError) in try store.recordWithdrawn(record.number) }
    guard let number = record.serverNumber else { return }
    let posted = PostedNumber(server: state.owner, number: UInt32(truncatingIfNeeded: number))
    // The number may be another's by now.
    guard ledger.postings[posted].map({ $0.due.delivery == record.number }) ?? true else { return }
    _ = ledger.useUp(posted)
    if state.capabilities.contains(.persistence) { closeOnServer(posted) }
  }

  /// The app's entries with these ids, no ids standing for all of them; oldest first.
  ///
  /// - Parameter rights: those of the caller: the center's own notifications are not for sandboxed programs.
  func matching(
    _ app: String, _ ids: [String], for rights: Rights = .all, where fits: (Entry) -> Bool
  ) -> [RequestKey] {
    let found: [(key: RequestKey, value: Entry)]
    if !ids.isEmpty, !ledger.hasDated {
      // A key is its id: no entry has to be looked at but those.
      found = Set(ids.map { RequestKey(app: app, id: $0) }).compactMap { key in ledger[key].map { (key, $0) } }
    } else {
      let wanted = Set(ids.map { RequestKey(app: app, id: $0) })
      found = ledger.entries.filter { key, _ in
        key.app.isIdentical(to: app) && (wanted.isEmpty || wanted.contains(RequestKey(app: app, id: key.id)))
      }
    }
    return found.filter { fits($0.value) && (rights == .all || !Self.isReserved($0.key.id)) }
      .sorted { $0.value.revision < $1.value.revision }.map(\.key)
  }
}
