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

  /// Stores the request of a `Notify`, and returns its id. Quotas are checked before the request is read.
  func notify(_ call: IncomingCall, _ rights: Rights) async throws(RemoteError) -> String {
    await waitForLongCalls(of: call.sender)
    try checkQuota(rights, 1)
    return try await take([try CenterInterface.request(call.arguments[0], of: rights)], rights, from: call.sender)[0]
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
    if !Self.fitInOneCommit(planned) {
      return try await commitInParts(planned, requests, from: caller, asker: asker)
    }
    let now = time.wall
    do throws(StoreError) {
      try await write(isNew: true) { store throws(StoreError) in
        var replaced: [NewRequest] = []
        let records = try store.putInOrder(planned.lazy.map(\.stored), now: now) { replaced.append($0) }
        return Stored(records: records, replaced: replaced)
      } then: { center, stored in
        center.committed(requests[...], stored, from: caller, asker: asker)
      }
    } catch {
      throw RemoteError(error)
    }
  }

  /// What is due at once goes to the screen; the rest has its alarm.
  func committed(
    _ requests: ArraySlice<NotificationRequest>, _ stored: Stored, from caller: BusName?, asker: String?
  ) {
    replacer = caller
    defer { replacer = nil }
    let (records, replaced) = (stored.records, stored.replaced)
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
