// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// What an earlier run of the center left: what was due, what was on the screen, what the user chose.
extension Center {
  /// Takes up what was under way, and starts the alarm.
  func begin() throws(StoreError) {
    journal.report = { Log.error("what happened could not be written down", $0.message) }
    scheduler.report = { Log.warning($0) }
    upkeep.report = { Log.warning($0) }
    scheduler.onDue = { [weak self] due in self?.assumeIsolated { $0.enqueue(due) } }
    scheduler.onEnd = { [weak self] records in self?.assumeIsolated { $0.tellEnds(of: records) } }
    for warning in store.warnings { Log.warning(warning) }
    let notice = try recoveryNotice()
    store.whenMended = { [weak self] in self?.assumeIsolated { $0.storeWasMended() } }
    apps.begin()
    badges.begin()
    try takeUpResponses()
    // Written down, and not known to have been shown: it is shown, perhaps for the second time.
    var again: [Due] = []
    if let notice, notice.delivery == nil { again.append(notice) }
    for record in try store.openIntents() {
      if let due = try due(record, isAgain: true) { again.append(due) }
    }
    if !again.isEmpty { enqueue(again) }
    try scheduler.start()
    upkeep.start()
  }

  private func due(_ record: DeliveryRecord, isAgain: Bool) throws(StoreError) -> Due? {
    guard let stored = try store.request(revision: record.revision), var request = Payload.request(stored) else {
      let now = time.wall
      journal.note { store throws(StoreError) in
        try store.recordClosed(record.number, as: .failed, reason: "its request is gone", now: now)
      }
      tellEnd(of: record.app, record.id, .failed)
      return nil
    }
    request.id = record.id
    return Due(request, as: record, missed: Int(record.missed), isAgain: isAgain, asker: stored.asker)
  }

  // MARK: The screen

  /// The first server is there: is it the one that had our notifications, and are they still on its screen?
  func restoreScreen(of state: ServerState) {
    isRestored = true
    do throws(StoreError) {
      for record in try store.delivered().reversed() {
        guard let due = try due(record, isAgain: false), let number = record.serverNumber else { continue }
        begin(due)
        let key = RequestKey(due)
        guard record.server == state.storedName else {
          lost(due, key)
          continue
        }
        // A newer one with the id is due: it takes this one's place.
        let newer = ledger[key]
        let shown = PostedNumber(server: state.owner, number: UInt32(truncatingIfNeeded: number))
        ledger.restore(due, as: key, shown, offer: Offer(json: record.keys))
        if let newer {
          _ = ledger.add(newer.due, as: key)
        } else if due.request.style == .alert {
          // GNOME takes down what was posted by a connection that is gone; elsewhere it is replaced by itself, in silence.
          ledger.reshow(key, replacing: shown)
          queue.add(key)
        }
      }
    } catch {
      Log.error("what was on the screen is not known", error.message)
    }
  }

  /// Its server ended while nobody was listening.
  private func lost(_ due: Due, _ key: RequestKey) {
    guard let delivery = due.delivery else { return }
    if due.request.style == .alert && ledger[key] == nil {
      journal.note { store throws(StoreError) in try store.recordLost(delivery) }
      _ = ledger.add(due, as: key)
      ledger.reshow(key)
      queue.add(key)
    } else {
      end(due, .vanished)
    }
  }

  // MARK: Late clicks

  /// How long a click counts after the notification has left the screen, in milliseconds.
  static let lateClick: Int64 = 24 * 3_600_000

  /// A notification that is not at hand any more, but was shown by this server, and has not been answered.
  func recall(_ number: PostedNumber) -> Posting? {
    guard let state = serverState, state.owner == number.server else { return nil }
    // What was noted in this turn counts.
    journal.flush()
    guard let record = try? store.delivery(server: state.storedName, serverNumber: Int64(number.number)),
      record.state == .shown || record.state == .closed, record.reason != RequestEnd.replaced.rawValue,
      record.reason != RequestEnd.withdrawn.rawValue,
      time.wall - (record.closed ?? time.wall) <= Self.lateClick,
      (try? store.responses(to: record.number))?.isEmpty == true, let due = try? due(record, isAgain: false)
    else { return nil }
    return Posting(
      key: RequestKey(due), due: due, offer: Offer(json: record.keys))
  }

  // MARK: What the user chose

  /// What was not begun is done now. What was begun is not done twice, unless its action may be: it was cut short, and
  /// that is said.
  private func takeUpResponses() throws(StoreError) {
    for record in try store.unfinishedResponses() {
      guard let click = try click(of: record) else {
        let now = time.wall
        let outcome = Outcome.failed("its request is gone")
        journal.note { store throws(StoreError) in
          try store.finish(record.number, outcome: outcome.description, now: now)
        }
        tell(.outcome(response: UInt64(record.number), outcome), of: record.app)
        continue
      }
      if record.state == .committed || click.action.retry {
        carryOut(click, isHeard: false)
      } else {
        finish(click, .failed("interrupted"))
      }
    }
  }

  private func click(of record: ResponseRecord) throws(StoreError) -> Click? {
    guard let stored = try store.request(revision: record.revision), var request = Payload.request(stored) else {
      return nil
    }
    request.id = record.id
    let delivery = if let number = record.delivery { try store.delivery(number) } else { DeliveryRecord?.none }
    guard let action = Offer(json: delivery?.keys).meant(by: record.action, of: request) else { return nil }
    var response = Response(record)
    response.userInfo = request.userInfo
    if let due = record.due, !request.when.isEmpty { response.due = text(due, zone: request.when.zone) }
    return Click(
      response: response, request: request, action: action, rights: Rights(asker: stored.asker), token: nil,
      isWritten: true,
      date: record.committed, isTakenUp: true)
  }

  // MARK: Damage

  /// In the middle of something else, which comes to its end first.
  private func storeWasMended() {
    time.callNext { [weak self] in
      self?.assumeIsolated { center in
        guard let notice = try? center.recoveryNotice() else { return }
        center.enqueue([notice])
        center.scheduler.rearm()
      }
    }
  }

  /// What says on the screen what was lost; nil: nothing was.
  private func recoveryNotice() throws(StoreError) -> Due? {
    let recoveries = try store.recoveries()
    guard !recoveries.isEmpty else { return nil }
    for recovery in recoveries { Log.error("the store was damaged", recovery.setAside) }
    let text = recoveries.map(\.sentence).joined(separator: "\n")
    let request = NotificationRequest(
      id: "recovery", title: "Scheduled notifications had to be restored", body: text, level: .critical, style: .alert)
    let plan = NewRequest(app: request.app, id: "recovery", payload: Payload.text(of: request), next: nil)
    let now = time.wall
    // Where it cannot be written down, it is said again after the next start.
    let record = try? store.withNeededTransaction { () throws(StoreError) in
      try store.forgetRecoveries()
      return try store.putDue([plan], now: now).first
    }
    return Due(request, delivery: record?.number, revision: record?.revision, date: now)
  }
}

extension ServerState {
  /// The server as the store knows it: unique names begin anew with every bus.
  var storedName: String { "\(bus) \(owner.text)" }
}

extension Response {
  /// As it was written down.
  init(_ record: ResponseRecord) {
    self.init(
      number: UInt64(record.number), app: record.app, id: record.id, action: record.action, reply: record.reply)
  }
}
