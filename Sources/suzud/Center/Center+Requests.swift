// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import Scheduling
internal import Triggers

/// What clients ask for. What is acknowledged is on disk.
extension Center {
  // MARK: Taking in

  /// Takes requests in, all or none, and returns their ids.
  func notify(_ requests: [NotificationRequest], _ rights: Rights = .all) async throws(RemoteError) -> [String] {
    try checkQuota(rights, requests.count)
    var named = requests
    var planned: [Scheduler.Planned] = []
    planned.reserveCapacity(requests.count)
    for index in named.indices {
      if let id = named[index].id {
        try Self.checkIsFree(id, of: named[index].app, in: requests.count > 1 ? index : nil)
      } else {
        named[index].id = Self.makeID()
      }
      if let category = named[index].category, !categories.knows(category, of: named[index].app, for: rights) {
        throw RemoteError(unknown: category, in: requests.count > 1 ? index : nil)
      }
      do throws(TriggerError) {
        planned.append(try scheduler.plan(named[index], asker: rights.asker))
      } catch {
        throw RemoteError(error, in: requests.count > 1 ? index : nil)
      }
    }
    trimMemory(after: requests.count)
    try await commit(planned, named, asker: rights.asker)
    askIfUndecided(rights)
    return named.map { $0.id ?? "" }
  }

  private func commit(
    _ planned: [Scheduler.Planned], _ requests: [NotificationRequest], asker: String?
  ) async throws(RemoteError) {
    let now = time.wall
    let result: Result<Void, StoreError> = await loop.withContinuation { continuation in
      journal.write(isNew: true) { store throws(StoreError) in
        // In their order, so that of two with one id the later stays.
        var records: [DeliveryRecord?] = []
        var later: [NewRequest] = []
        func putLater() throws(StoreError) {
          if !later.isEmpty { try store.put(later, now: now) }
          later = []
        }
        for one in planned {
          if one.first != nil {
            later.append(one.stored)
            records.append(nil)
          } else {
            try putLater()
            records += try store.putDue([one.stored], now: now)
          }
        }
        try putLater()
        return records
      } then: { [self] result in
        assumeIsolated { $0.committed(requests, result.map { $0 }, asker: asker) }
        continuation.resume(returning: result.map { _ in })
      }
    }
    do throws(StoreError) { try result.get() } catch { throw RemoteError(error) }
  }

  /// What is due at once goes to the screen; the rest has its alarm.
  private func committed(
    _ requests: [NotificationRequest], _ result: Result<[DeliveryRecord?], StoreError>, asker: String?
  ) {
    guard case .success(let records) = result else { return }
    var isAnyLater = false
    var due: [Due] = []
    for (request, record) in zip(requests, records) {
      for earlier in scheduler.withdraw(request.app, { $0 == request.id }) { noteClosed(earlier, "replaced") }
      for earlier in undecided.withdraw(request.app, { $0 == request.id }) { noteClosed(earlier, "replaced") }
      if let record {
        due.append(Due(request, as: record, asker: asker))
      } else {
        isAnyLater = true
        // An earlier one of that name that is due, and waits for a server, is not wanted any more.
        let key = RequestKey(app: request.app, id: request.id ?? "")
        if ledger[key]?.isUnasked == true {
          queue.remove(key)
          ledger.withdraw(key, because: "replaced")
        }
      }
    }
    noteEnded()
    if isAnyLater { scheduler.rearm() }
    scheduler.couldWrite()
    if !due.isEmpty { enqueue(due) }
  }

  // MARK: Taking back

  /// Takes back what has not been shown yet; returns how many.
  func cancel(_ app: String, _ ids: [String], _ rights: Rights) async throws(RemoteError) -> Int {
    try Self.check(rights, touching: ids)
    let result: Result<Set<String>, StoreError> = await loop.withContinuation { continuation in
      journal.write { store throws(StoreError) in
        try store.cancel(app: app, ids: ids.isEmpty ? nil : ids)
      } then: { [self] result in
        continuation.resume(returning: assumeIsolated { $0.cancelled(app, ids, rights, result) })
      }
    }
    do throws(StoreError) { return try result.get().count } catch { throw RemoteError(error) }
  }

  private func cancelled(
    _ app: String, _ ids: [String], _ rights: Rights, _ result: Result<Set<String>, StoreError>
  ) -> Result<Set<String>, StoreError> {
    guard case .success(var cancelled) = result else { return result }
    for due in scheduler.withdraw(app, { ids.isEmpty || ids.contains($0) }) {
      noteClosed(due, "cancelled")
      cancelled.insert(due.request.id ?? "")
    }
    for due in undecided.withdraw(app, { ids.isEmpty || ids.contains($0) }) {
      noteClosed(due, "cancelled")
      cancelled.insert(due.request.id ?? "")
    }
    for key in matching(app, ids, for: rights, where: \.isPending) {
      queue.remove(key)
      ledger.withdraw(key)
      cancelled.insert(key.id)
    }
    noteEnded()
    scheduler.rearm()
    return .success(cancelled)
  }

  /// Takes from the screen; returns how many.
  func dismiss(_ app: String, _ ids: [String], _ rights: Rights) throws(RemoteError) -> Int {
    try Self.check(rights, touching: ids)
    let numbers = matching(app, ids, for: rights) { $0.onScreen != nil && !$0.isPosting }.compactMap {
      ledger[$0]?.onScreen
    }
    for number in numbers {
      takeFromScreen(number)
      _ = ledger.useUp(number)
    }
    return numbers.count + dismissFromHistory(app, Set(ids))
  }

  /// What the server keeps, though it left the screen: it goes from there, and a click on it counts no more.
  private func dismissFromHistory(_ app: String, _ ids: Set<String>) -> Int {
    guard let state = serverState else { return 0 }
    // What was noted in this turn counts.
    journal.flush()
    let since = time.wall - Self.lateClick
    let past = ((try? store.answerable(app: app, server: state.storedName, since: since)) ?? [])
      .filter { ids.isEmpty || ids.contains($0.id) }
      .filter { (try? store.responses(to: $0.number))?.isEmpty == true }
    for record in past {
      journal.note { store throws(StoreError) in try store.recordWithdrawn(record.number) }
      guard let number = record.serverNumber else { continue }
      let posted = PostedNumber(server: state.owner, number: UInt32(truncatingIfNeeded: number))
      // The number may be another's by now.
      guard ledger.postings[posted].map({ $0.due.delivery == record.number }) ?? true else { continue }
      _ = ledger.useUp(posted)
      if state.capabilities.contains(.persistence) { closeOnServer(posted) }
    }
    return past.count
  }

  /// - Parameter rights: whose call it is: what is the center's own is not for a sandboxed program.
  private func matching(
    _ app: String, _ ids: [String], for rights: Rights = .all, where fits: (Entry) -> Bool
  ) -> [RequestKey] {
    let wanted = Set(ids)
    return ledger.entries.filter { key, entry in
      key.app == app && (wanted.isEmpty || wanted.contains(key.id)) && (rights == .all || !Self.isReserved(key.id))
        && fits(entry)
    }.sorted { $0.value.revision < $1.value.revision }.map(\.key)
  }

  // MARK: Answering in the user's place

  /// Acts as if the user had clicked.
  func respond(_ app: String, _ id: String, _ action: String, reply: String?) throws(RemoteError) {
    guard let key = matching(app, [id], where: { $0.onScreen != nil }).last, let number = ledger[key]?.onScreen,
      let posting = ledger.postings[number]
    else {
      throw RemoteError(CenterInterface.notFound, "'\(app)' has no notification '\(id)' on the screen")
    }
    guard posting.offer.meant(by: action, of: posting.request) != nil else {
      throw RemoteError(CenterInterface.notFound, "the notification '\(id)' has no action '\(action)'")
    }
    guard ledger.useUp(number) != nil else {
      throw RemoteError(CenterInterface.notFound, "the notification '\(id)' has been answered already")
    }
    if let reply { answer(posting, action, reply: reply) } else { chosen(action, of: posting) }
    takeFromScreen(number)
  }

  // MARK: Looking ahead

  /// The first dates of a request, in seconds since 1970; nothing is stored.
  func next(_ request: NotificationRequest, _ count: Int) throws(RemoteError) -> [Int64] {
    do throws(TriggerError) {
      return try scheduler.dates(of: request, count: count)
    } catch {
      throw RemoteError(error, in: nil)
    }
  }

  /// Short enough to be typed, and never the same twice in practice.
  private static func makeID() -> String {
    var bits = UInt64.random(in: .min ... .max)
    return String(
      decoding: (0..<10).map { _ in
        defer { bits >>= 5 }
        return letters[Int(bits & 31)]
      }, as: UTF8.self)
  }

  private static let letters = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)
}

extension RemoteError {
  /// - Parameter index: of the request, where it is one of several.
  init(_ error: TriggerError, in index: Int?) {
    let place = index.map { "[\($0)]: " } ?? ""
    self.init(
      error.code == .inThePast ? CenterInterface.inThePast : CenterInterface.invalidRequest,
      place + error.description)
  }

  init(unknown category: String, in index: Int?) {
    let place = index.map { "[\($0)]: " } ?? ""
    self.init(
      CenterInterface.unknownCategory,
      place + "'category' names '\(DisplayText.line(category))', which is not registered: see suzu category")
  }

  init(_ error: StoreError) {
    switch error.code {
    case .full:
      self.init(CenterInterface.unavailable, "the disk is full: nothing new can be kept until there is room again")
    case .readOnly:
      self.init(CenterInterface.unavailable, "the disk cannot be written to: nothing new can be kept")
    default:
      // What it says may name files of the user, and a sandboxed program may be who hears it.
      Log.error("the store fails", error.message)
      self.init(CenterInterface.unavailable, "the store fails: see 'suzu doctor' and the log of suzud")
    }
  }
}
