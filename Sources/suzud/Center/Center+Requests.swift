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
  func notify(_ requests: [NotificationRequest], _ rights: Rights = .all, from caller: BusName? = nil)
    async throws(RemoteError) -> [String]
  {
    try checkQuota(rights, requests.count)
    var named = requests
    var planned: [Scheduler.Planned] = []
    planned.reserveCapacity(requests.count)
    for index in named.indices {
      if named[index].id == nil { named[index].id = Self.makeID() }
      if let category = named[index].category, !categories.knows(category, of: named[index].app) {
        throw RemoteError(unknown: category, in: requests.count > 1 ? index : nil)
      }
      if let category = named[index].category { try checkCategory(category, of: named[index].app, rights) }
      do throws(TriggerError) {
        planned.append(try scheduler.plan(named[index]))
      } catch {
        throw RemoteError(error, in: requests.count > 1 ? index : nil)
      }
    }
    trimMemory(after: requests.count)
    try await commit(planned, named, from: caller)
    return named.map { $0.id ?? "" }
  }

  private func commit(
    _ planned: [Scheduler.Planned], _ requests: [NotificationRequest], from caller: BusName?
  ) async throws(RemoteError) {
    let now = time.wall
    let result: Result<Void, StoreError> = await loop.withContinuation { continuation in
      journal.write(isNew: true) { store throws(StoreError) in
        // In their order, so that of two with one id the later stays.
        var records: [DeliveryRecord?] = []
        var replaced: [NewRequest] = []
        var later: [NewRequest] = []
        func putLater() throws(StoreError) {
          if !later.isEmpty { try store.put(later, now: now) { replaced.append($0) } }
          later = []
        }
        for one in planned {
          if one.first != nil {
            later.append(one.stored)
            records.append(nil)
          } else {
            try putLater()
            records += try store.putDue([one.stored], now: now) { replaced.append($0) }
          }
        }
        try putLater()
        return (records, replaced)
      } then: { [self] result in
        assumeIsolated { center in
          center.replacer = caller
          center.committed(requests, result)
          center.replacer = nil
        }
        continuation.resume(returning: result.map { _ in })
      }
    }
    do throws(StoreError) { try result.get() } catch { throw RemoteError(error) }
  }

  /// What is due at once goes to the screen; the rest has its alarm.
  private func committed(
    _ requests: [NotificationRequest], _ result: Result<([DeliveryRecord?], [NewRequest]), StoreError>
  ) {
    guard case .success(let (records, replaced)) = result else { return }
    for one in replaced { tellEnd(of: one.app, one.id, .replaced) }
    var isAnyLater = false
    var due: [Due] = []
    for (request, record) in zip(requests, records) {
      let key = RequestKey(app: request.app, id: request.id ?? "")
      for earlier in scheduler.withdraw(request.app, { $0.isIdentical(to: key.id) }) {
        begin(earlier)
        ledger.end(earlier, .replaced)
      }
      if let record {
        due.append(Due(request, as: record))
      } else {
        isAnyLater = true
        // An earlier one of that name that is due, and waits for a server, is not wanted any more.
        supersede(key)
        for key in ledger.keys(of: key) where ledger[key]?.isUnasked == true {
          queue.remove(key)
          ledger.withdraw(key, because: .replaced)
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
  func cancel(_ app: String, _ ids: [String]) async throws(RemoteError) -> Int {
    let result: Result<Set<Identifier>, StoreError> = await loop.withContinuation { continuation in
      journal.write { store throws(StoreError) in
        try store.cancel(app: app, ids: ids.isEmpty ? nil : ids)
      } then: { [self] result in
        continuation.resume(returning: assumeIsolated { $0.cancelled(app, ids, result) })
      }
    }
    do throws(StoreError) { return try result.get().count } catch { throw RemoteError(error) }
  }

  private func cancelled(
    _ app: String, _ ids: [String], _ result: Result<Set<Identifier>, StoreError>
  ) -> Result<Set<Identifier>, StoreError> {
    guard case .success(var cancelled) = result else { return result }
    let wanted = Set(ids.map { Identifier($0) })
    for id in cancelled { tellEnd(of: app, id.text, .cancelled) }
    for due in scheduler.withdraw(app, { wanted.isEmpty || wanted.contains(Identifier($0)) }) {
      begin(due)
      ledger.end(due, .cancelled)
      cancelled.insert(Identifier(due.request.id ?? ""))
    }
    for key in matching(app, wanted, where: \.isPending) {
      queue.remove(key)
      ledger.withdraw(key)
      cancelled.insert(Identifier(key.id))
    }
    for key in cancelPresenting(app, wanted) { cancelled.insert(Identifier(key.id)) }
    noteEnded()
    scheduler.rearm()
    return .success(cancelled)
  }

  /// Takes from the screen; returns how many.
  func dismiss(_ app: String, _ ids: [String]) -> Int {
    let ids = Set(ids.map { Identifier($0) })
    let asked = cancelPresenting(app, ids)
    noteEnded()
    let numbers = matching(app, ids) { $0.onScreen != nil && !$0.isPosting }.compactMap { ledger[$0]?.onScreen }
    for number in numbers {
      takeFromScreen(number)
      _ = ledger.useUp(number)
    }
    return numbers.count + asked.count + dismissFromHistory(app, ids)
  }

  /// What the app in front is asked about is not shown, whatever it answers.
  private func cancelPresenting(_ app: String, _ ids: Set<Identifier>) -> [RequestKey] {
    let keys = presenting.keys { key in
      key.app.isIdentical(to: app) && (ids.isEmpty || ids.contains(Identifier(key.id)))
    }
    for key in keys { if let due = presenting.remove(key) { ledger.end(due, .cancelled) } }
    return keys
  }

  /// What the server keeps, though it left the screen: it goes from there, and a click on it counts no more.
  private func dismissFromHistory(_ app: String, _ ids: Set<Identifier>) -> Int {
    guard let state = serverState else { return 0 }
    // What was noted in this turn counts.
    journal.flush()
    let since = time.wall - Self.lateClick
    let past = ((try? store.answerable(app: app, server: state.storedName, since: since)) ?? [])
      .filter { ids.isEmpty || ids.contains(Identifier($0.id)) }
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

  private func matching(_ app: String, _ ids: Set<Identifier>, where fits: (Entry) -> Bool) -> [RequestKey] {
    ledger.entries.filter { key, entry in
      key.app.isIdentical(to: app) && (ids.isEmpty || ids.contains(Identifier(key.id))) && fits(entry)
    }.sorted { $0.value.revision < $1.value.revision }.map(\.key)
  }

  // MARK: Answering in the user's place

  /// Acts as if the user had clicked.
  func respond(_ app: String, _ id: String, _ action: String, reply: String?) throws(RemoteError) {
    guard let key = matching(app, [Identifier(id)], where: { $0.onScreen != nil }).last,
      let number = ledger[key]?.onScreen,
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
    default: self.init(CenterInterface.unavailable, "the store fails: \(error.message)")
    }
  }
}
