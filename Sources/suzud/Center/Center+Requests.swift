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
  ///
  /// - Parameter caller: who asks on the bus; nil: the center itself.
  func notify(
    _ requests: [NotificationRequest], _ rights: Rights = .all, from caller: BusName? = nil
  ) async throws(RemoteError) -> [String] {
    guard requests.count > Self.slice else {
      await waitForLongCalls(of: caller)
      return try await take(requests, rights, from: caller)
    }
    await beginLongCall(of: caller)
    defer { endLongCall(of: caller) }
    return try await take(requests, rights, from: caller)
  }

  /// The requests of a `NotifyMany`, all or none. A long call takes its place among its caller's calls before it is read,
  /// because reading it takes several turns of the loop.
  func notifyMany(_ call: IncomingCall, _ rights: Rights) async throws(RemoteError) -> [String] {
    guard call.size > Self.longCall || call.count(of: 0, upTo: Self.slice) > Self.slice else {
      await waitForLongCalls(of: call.sender)
      return try await take(try await requests(in: call, of: rights), rights, from: call.sender)
    }
    await beginLongCall(of: call.sender)
    defer { endLongCall(of: call.sender) }
    return try await take(try await requests(in: call, of: rights), rights, from: call.sender)
  }

  /// From so many bytes on, a call may take several turns of the loop to be read.
  private static let longCall = 256 << 10

  private func take(
    _ requests: [NotificationRequest], _ rights: Rights, from caller: BusName?
  ) async throws(RemoteError) -> [String] {
    try checkQuota(rights, requests.count)
    var named = requests
    var planned: [Scheduler.Planned] = []
    planned.reserveCapacity(requests.count)
    var steps = scheduler.stepsOfPlanning
    for index in named.indices {
      // Others are answered while very many are planned, or a few whose dates are hard to find.
      if index % Self.slice == Self.slice - 1 || scheduler.stepsOfPlanning - steps > Scheduler.stepsPerTurn {
        await loop.nextTurn()
        steps = scheduler.stepsOfPlanning
      }
      let place = requests.count > 1 ? index : nil
      if let id = named[index].id {
        try Self.checkIsFree(id, of: named[index].app, in: place)
      } else {
        named[index].id = Self.makeID()
      }
      if let category = named[index].category, !categories.knows(category, of: named[index].app, for: rights) {
        throw RemoteError(unknown: category, in: place)
      }
      try checkLengths(of: named[index], for: rights, in: place)
      do throws(TriggerError) {
        planned.append(try scheduler.plan(named[index], asker: rights.asker))
      } catch {
        throw RemoteError(error, in: requests.count > 1 ? index : nil)
      }
    }
    trimMemory(after: requests.count)
    try await commit(planned, named, from: caller, asker: rights.asker)
    askIfUndecided(rights)
    return named.map { $0.id ?? "" }
  }

  private func commit(
    _ planned: [Scheduler.Planned], _ requests: [NotificationRequest], from caller: BusName?, asker: String?
  ) async throws(RemoteError) {
    let now = time.wall
    let result: Result<Void, StoreError> = await loop.withContinuation { continuation in
      journal.write(isNew: true) { store throws(StoreError) in
        // In their order, so that of two with one id the later stays.
        var records: [DeliveryRecord?] = []
        var replaced: [NewRequest] = []
        var later: [NewRequest] = []
        func putLater() throws(StoreError) {
          if !later.isEmpty { try store.put(later, withinQuota: true, now: now) { replaced.append($0) } }
          later = []
        }
        for one in planned {
          if one.first != nil {
            later.append(one.stored)
            records.append(nil)
          } else {
            try putLater()
            records += try store.putDue([one.stored], withinQuota: true, now: now) { replaced.append($0) }
          }
        }
        try putLater()
        return (records, replaced)
      } then: { [self] result in
        assumeIsolated { center in
          center.replacer = caller
          center.committed(requests, result, asker: asker)
          center.replacer = nil
        }
        continuation.resume(returning: result.map { _ in })
      }
    }
    do throws(StoreError) { try result.get() } catch { throw RemoteError(error) }
  }

  /// What is due at once goes to the screen; the rest has its alarm.
  private func committed(
    _ requests: [NotificationRequest], _ result: Result<([DeliveryRecord?], [NewRequest]), StoreError>, asker: String?
  ) {
    guard case .success(let (records, replaced)) = result else { return }
    for one in replaced { tellEnd(of: one.app, one.id, .replaced) }
    var isAnyLater = false
    var due: [Due] = []
    if scheduler.isAnnouncing {
      let keys = Set(requests.map { RequestKey(app: $0.app, id: $0.id ?? "") })
      for earlier in scheduler.withdraw(where: { keys.contains(RequestKey(app: $0, id: $1)) }) {
        begin(earlier)
        ledger.end(earlier, .replaced)
      }
    }
    for (request, record) in zip(requests, records) {
      for earlier in undecided.withdraw(request.app, { $0.isIdentical(to: request.id ?? "") }) {
        ledger.end(earlier, .replaced)
      }
      if let record {
        due.append(Due(request, as: record, asker: asker))
      } else {
        isAnyLater = true
        // An earlier one of that name that is due, and waits for a server, is not wanted any more.
        let key = RequestKey(app: request.app, id: request.id ?? "")
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
  func next(_ request: NotificationRequest, _ count: Int) async throws(RemoteError) -> [Int64] {
    do throws(TriggerError) {
      var preview = try scheduler.preview(of: request, count: count)
      while try !preview.goOn() {
        await withCheckedContinuation { resumed in time.callNext { resumed.resume() } }
      }
      return preview.dates
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
    case .quota: self.init(CenterInterface.limitExceeded, error.message)
    case .readOnly:
      self.init(CenterInterface.unavailable, "the disk cannot be written to: nothing new can be kept")
    default:
      // What it says may name files of the user, and a sandboxed program may be who hears it.
      Log.error("the store fails", error.message)
      self.init(CenterInterface.unavailable, "the store fails: see 'suzu doctor' and the log of suzud")
    }
  }
}
