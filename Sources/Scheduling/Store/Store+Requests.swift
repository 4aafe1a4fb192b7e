// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

extension Store {
  /// Stores requests, all or none, and returns their revisions. A request with the app and id of a current one replaces
  /// it: of the old one, only its notification on the screen (see ``onScreen(app:id:)``) and its history stay.
  ///
  /// - Parameters:
  ///   - withinQuota: whether to refuse requests that exceed the quota of the app.
  ///   - whenReplaced: called for each pending request that was replaced.
  @discardableResult
  public func put(
    _ requests: [NewRequest], withinQuota: Bool = false, now: Timestamp, whenReplaced: (NewRequest) -> Void = { _ in }
  ) throws(StoreError) -> [StoredRequest.Revision] {
    try put(BatchPart(requests), withinQuota: withinQuota, now: now, whenReplaced: whenReplaced)
  }

  @discardableResult
  func put(
    _ part: BatchPart, withinQuota: Bool, now: Timestamp, whenReplaced: (NewRequest) -> Void
  ) throws(StoreError) -> [StoredRequest.Revision] {
    try write(.new) { database throws(StoreError) in
      var revisions: [StoredRequest.Revision] = []
      revisions.reserveCapacity(part.positions.count)
      try expectChanges(part.positions.count)
      // One statement for all of them, borrowed once.
      try database.with(Self.insertIfNew) { insert throws(StoreError) in
        for position in part.positions {
          let request = part.requests[position]
          let revision = nextRevision()
          let stored = StoredRequest(
            revision: revision, app: request.app, id: request.id, payload: request.payload,
            phase: .pending(Wait(request.start, now: now)), fired: request.start.passed, created: now,
            wakes: request.wakes,
            asker: request.asker)
          if try !Self.insert(stored.values, with: insert, into: database) {
            if try retire(app: request.app, id: request.id, as: .replaced, now: now, in: database) {
              whenReplaced(request)
            }
            try database.run(Table.request.insert, Table.request.checked(stored.values))
          }
          if stored.wait == .condition { change?.isAnyArmed = true }
          change?.charge(request.app) {
            $0.pending += 1
            $0.pendingBytes += stored.size
            if request.isBoxed { $0.isBoxed = true }
          }
          revisions.append(revision)
        }
      }
      if withinQuota { try checkQuota(of: part.apps) }
      return revisions
    }
  }

  /// Stores requests that start now, each with the intent to show it.
  ///
  /// - Parameter noted: the number that ``noteDelivery(of:_:now:)`` gave the only one.
  public func putDue(
    _ requests: [NewRequest], withinQuota: Bool = false, now: Timestamp, noted: DeliveryRecord.Number? = nil,
    whenReplaced: (NewRequest) -> Void = { _ in }
  ) throws(StoreError) -> [DeliveryRecord] {
    try write(.new) { database throws(StoreError) in
      let records = try requests.map { request throws(StoreError) in
        if try retire(app: request.app, id: request.id, as: .replaced, now: now, in: database) {
          whenReplaced(request)
        }
        let stored = StoredRequest(
          revision: nextRevision(), app: request.app, id: request.id, payload: request.payload,
          phase: .ended(.finished, last: PlannedDate(due: now)), fired: 0, created: now, wakes: request.wakes,
          asker: request.asker)
        try database.run(Table.request.insert, Table.request.checked(stored.values))
        change?.charge(request.app) {
          $0.historyBytes += stored.size
          if request.isBoxed { $0.isBoxed = true }
        }
        guard let record = try recordIntent(PlannedDate(due: now), of: stored, now: now, noted: noted) else {
          throw StoreError(.damaged, "a new revision already has deliveries")
        }
        return record
      }
      if withinQuota { try checkQuota(of: Set(requests.map { Identifier($0.app) })) }
      return records
    }
  }

  /// Above this number of requests, a transaction uses the larger cache, because it touches more pages of the indexes.
  private static let many = 200

  /// Prepares the open transaction for changes of so many requests.
  func expectChanges(_ count: Int) throws(StoreError) {
    if count >= Self.many { try opened().setLargeCache(true) }
  }

  private static let insertIfNew = Table.request.insert + " ON CONFLICT DO NOTHING"

  private static func insert(
    _ values: [SQLValue], with statement: Statement, into database: Database
  ) throws(StoreError) -> Bool {
    statement.rewind()
    try statement.bind(.integer(Table.request.checksum(values)), at: 1)
    try statement.bind(values, from: 2)
    while try statement.step() {}
    return database.changes > 0
  }

  private func nextRevision() -> StoredRequest.Revision { change?.counter.revision.next() ?? .none }

  /// Cancels requests and returns their number; without ids, all pending requests of the app.
  ///
  /// Runs in one transaction, but on a full disk in several small ones, because one large transaction has no space
  /// there.
  @discardableResult
  public func remove(app: String, ids: [String]? = nil) throws(StoreError) -> Int {
    let ids = if let ids { ids } else { try pendingIDs(app: app) }
    do throws(StoreError) {
      if change != nil || health == .good { return try removeTogether(app: app, ids: ids[...]) }
    } catch  where error.code == .full && change == nil {}
    var count = 0
    for start in stride(from: 0, to: ids.count, by: 16) {
      count += try removeTogether(app: app, ids: ids[start..<min(start + 16, ids.count)])
    }
    return count
  }

  /// Cancels requests in the open transaction, up to some bytes of them; returns the ids of those that were pending,
  /// and how many of `ids` were looked at: the rest is left for another transaction, because long rows take long to
  /// rewrite.
  public func cancel(
    app: String, ids: ArraySlice<String>, upToBytes most: Int64 = 128 << 10
  ) throws(StoreError) -> (cancelled: [String], count: Int) {
    let now = clock()
    return try write(.needed) { database throws(StoreError) in
      func pendingBytes() -> Int64 { change?.accounts[Identifier(app)]?.pendingBytes ?? 0 }
      var cancelled: [String] = []
      let before = pendingBytes()
      for (index, id) in ids.enumerated() {
        if before - pendingBytes() > most { return (cancelled, index) }
        if try retire(app: app, id: id, as: .cancelled, now: now, in: database) { cancelled.append(id) }
      }
      return (cancelled, ids.count)
    }
  }

  /// The ids of an app's pending requests, sorted, from at most `steps` of its current ones. `last` is the id to
  /// continue after, nil at the end.
  ///
  /// - Parameter revision: newer requests are left out.
  public func pendingIDs(
    app: String, after id: String, through revision: StoredRequest.Revision, steps: Int
  ) throws(StoreError) -> (ids: [String], last: String?) {
    try read { database throws(StoreError) in
      let rows = try database.rows(
        "SELECT id, state, revision FROM request INDEXED BY request_name WHERE app = ? AND state < 2 AND id > ?"
          + " ORDER BY id LIMIT ?", [.text(app), .text(id), .integer(Int64(steps))]
      ) { (id: $0.text(0), state: $0.integer(1), revision: $0.integer(2)) }
      let ids = rows.filter { $0.state == 0 && $0.revision <= revision.value }.map(\.id)
      return (ids, rows.count < steps ? nil : rows.last?.id)
    }
  }

  private func pendingIDs(app: String) throws(StoreError) -> [String] {
    try read { database throws(StoreError) in
      try database.rows("SELECT id FROM request WHERE app = ? AND state < 2 AND state = 0", [.text(app)]) { $0.text(0) }
    }
  }

  private func removeTogether(app: String, ids: ArraySlice<String>) throws(StoreError) -> Int {
    let now = clock()
    return try write(.needed) { database throws(StoreError) in
      var count = 0
      for id in ids where try retire(app: app, id: id, as: .cancelled, now: now, in: database) { count += 1 }
      return count
    }
  }

  /// Ends a current request; its row stays only if a delivery needs it. Returns false if it was not pending.
  ///
  /// The history records the end of the date that a pending request waited for.
  @discardableResult
  private func retire(
    app: String, id: String, as end: StoredRequest.End, now: Timestamp, in database: Database
  ) throws(StoreError) -> Bool {
    guard var request = try Self.current(app: app, id: id, in: database) else { return false }
    let wait = request.wait
    let wasPending = wait != nil
    // What it still shows again belongs to it.
    try recordNoMore(app: app, id: id, because: end == .cancelled ? .cancelled : .replaced, now: now)
    // A finished request stays finished when it is cancelled.
    if end == .cancelled, !wasPending { return false }
    if wasPending { try recordNeverShown(request, as: end == .cancelled ? .cancelled : .replaced, now: now) }
    if wait == .condition { change?.disarmed.append(request.revision) }
    let key = SQLValue(request.revision)
    let isNeeded = try database.number("SELECT 1 FROM delivery WHERE revision = ? LIMIT 1", [key]) != nil
    if !isNeeded {
      try database.run("DELETE FROM request WHERE revision = ?", [key])
    } else {
      request.phase = .ended(end, last: request.date)
      try Self.update(request, in: database)
    }
    change?.charge(app) {
      if wasPending {
        $0.pending -= 1
        $0.pendingBytes -= request.size
      }
      if wasPending == isNeeded { $0.historyBytes += isNeeded ? request.size : -request.size }
    }
    return wasPending
  }

  private static func current(app: String, id: String, in database: Database) throws(StoreError) -> StoredRequest? {
    try database.rows(
      Table.request.select + " WHERE app = ? AND id = ? AND state < 2", [.text(app), .text(id)], StoredRequest.init
    ).first
  }

  static func request(
    revision: StoredRequest.Revision, in database: Database
  ) throws(StoreError) -> StoredRequest? {
    try database.rows(Table.request.select + " WHERE revision = ?", [SQLValue(revision)], StoredRequest.init).first
  }

  /// Rewrites a row.
  ///
  /// - Parameter phase: the phase in the store, if it may be the same. SQLite writes to each index of a column that is
  ///   set, also to the same value, so then the columns of indexes are not set.
  static func update(
    _ request: StoredRequest, from phase: StoredRequest.Phase? = nil, in database: Database
  ) throws(StoreError) {
    let values = request.values
    let crc = SQLValue.integer(Table.request.checksum(values))
    if request.phase == phase {
      try database.run(
        "UPDATE request SET crc = ?, wall = ?, zone = ?, fold = ?, fired = ?, armed = ? WHERE revision = ?",
        [crc] + values[6...9] + [values[14], values[0]])
    } else {
      try database.run(
        "UPDATE request SET crc = ?, state = ?, due = ?, wall = ?, zone = ?, fold = ?, fired = ?, elapsed = ?, armed = ? WHERE revision = ?",
        [crc] + values[4...9] + [values[11], values[14], values[0]])
    }
  }

  /// Stores what a pending request waits for next; nil if nothing is left, and it is finished. Returns false, and
  /// changes nothing, if the request was replaced or cancelled in the meantime.
  @discardableResult
  public func setNext(
    _ next: Wait?, fired: Int64, of revision: StoredRequest.Revision
  ) throws(StoreError) -> Bool {
    try write(.needed) { database throws(StoreError) in
      guard let request = try Self.request(revision: revision, in: database), request.state == .pending else {
        return false
      }
      try setNext(next, fired: fired, ofUnchanged: request)
      return true
    }
  }

  /// The same for a pending request that was read in the open transaction.
  public func setNext(
    _ next: Wait?, fired: Int64, ofUnchanged request: StoredRequest
  ) throws(StoreError) {
    try write(.needed) { database throws(StoreError) in
      let before = request.phase
      var request = request
      request.fired = fired
      if let next {
        request.phase = .pending(next)
      } else {
        request.phase = .ended(.finished, last: request.date)
        change?.charge(request.app) {
          $0.pending -= 1
          $0.pendingBytes -= request.size
          $0.historyBytes += request.size
        }
      }
      try Self.update(request, from: before, in: database)
    }
  }

  /// Stores the state of the condition that a request waits for; does nothing if it waits for none any more.
  func setArmed(_ state: ArmedState, of revision: StoredRequest.Revision) throws(StoreError) {
    try write(.needed) { database throws(StoreError) in
      guard var request = try Self.request(revision: revision, in: database), request.wait == .condition,
        request.armed != state
      else { return }
      request.armed = state
      try Self.update(request, from: request.phase, in: database)
    }
  }

  /// A request by its revision, in any state; nil if it was deleted.
  public func request(revision: StoredRequest.Revision) throws(StoreError) -> StoredRequest? {
    try read { database throws(StoreError) in try Self.request(revision: revision, in: database) }
  }

  /// The current request with that app and id, pending or finished.
  public func request(app: String, id: String) throws(StoreError) -> StoredRequest? {
    try read { database throws(StoreError) in try Self.current(app: app, id: id, in: database) }
  }

  /// A position in the pending requests, sorted by date.
  public struct Place: Hashable, Sendable {
    let due: Timestamp
    let revision: StoredRequest.Revision

    /// Before all requests with that date or a later one.
    public init(due: Timestamp) {
      self.due = due
      revision = .none
    }

    /// After a request; nil if it has no date.
    public init?(behind request: StoredRequest) {
      guard let due = request.date?.due else { return nil }
      self.due = due
      revision = request.revision
    }

    /// Before all requests.
    public static let start = Place(due: .distantPast)
  }

  /// The nearest date of all requests.
  public func nextDate() throws(StoreError) -> Timestamp? {
    try read { database throws(StoreError) in
      try database.number("SELECT min(due) FROM request INDEXED BY request_due WHERE state = 0").map {
        Timestamp(milliseconds: $0)
      }
    }
  }

  /// Pending requests with a date, nearest first; equal dates in the order of the calls.
  package func nearestDue(
    after place: Place = .start, through last: Timestamp = .distantFuture, limit: Int
  ) throws(StoreError) -> [StoredRequest] {
    try read { database throws(StoreError) in
      let due = try database.rows(
        "SELECT revision, due FROM request WHERE state = 0 AND (due, revision) > (?, ?) AND due <= ?"
          + " ORDER BY due, revision LIMIT ?",
        [SQLValue(place.due), SQLValue(place.revision), SQLValue(last), .integer(Int64(limit))]
      ) { (StoredRequest.Revision($0.integer(0)), Timestamp(milliseconds: $0.integer(1))) }
      return try due.map { revision, due throws(StoreError) in
        guard let request = try Self.request(revision: revision, in: database), request.date?.due == due else {
          throw StoreError(.damaged, "the index of dates does not match the requests")
        }
        return request
      }
    }
  }

  /// Pending requests that wait for a condition, after a revision; oldest first.
  func waitingForCondition(
    behind revision: StoredRequest.Revision, limit: Int
  ) throws(StoreError) -> [StoredRequest] {
    let found = try read { database throws(StoreError) in
      try database.rows(
        Table.request.select
          + " INDEXED BY request_due WHERE state = 0 AND due IS NULL AND revision > ? ORDER BY revision LIMIT ?",
        [SQLValue(revision), .integer(Int64(limit))], StoredRequest.init)
    }
    if found.count < limit { mayHaveNewConditions = false }
    return found
  }

  /// Pending requests by date, those without a date first; all apps if `app` is nil.
  public func pending(app: String? = nil, limit: Int = .max) throws(StoreError) -> [StoredRequest] {
    try read { database throws(StoreError) in
      let revisions = try database.rows(
        "SELECT revision FROM request INDEXED BY request_due WHERE state = 0\(app == nil ? "" : " AND app = ?2")"
          + " ORDER BY due, revision LIMIT ?1",
        [.integer(Int64(limit))] + (app.map { [.text($0)] } ?? [])
      ) { StoredRequest.Revision($0.integer(0)) }
      return try revisions.map { revision throws(StoreError) in
        guard let request = try Self.request(revision: revision, in: database) else {
          throw StoreError(.damaged, "the index of dates refers to a missing request")
        }
        return request
      }
    }
  }

  /// The number of pending requests, read from the accounts; of all apps if `app` is nil.
  public func pendingCount(app: String? = nil) throws(StoreError) -> Int {
    if let app { return Int(try account(of: app).pending) }
    return try read { _ throws(StoreError) in Int(total.pending) }
  }
}
