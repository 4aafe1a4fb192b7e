// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// Stores requests, and then ends the earlier ones with the same id and delivers those that are due immediately.
final class RequestCommit {
  private let writer: RequestWriter
  private let batches: RequestBatches
  private let time: any TimeSource
  private let scheduler: Scheduler
  private let ends: Ends
  private let permissions: Permissions
  private let deliveries: Deliveries
  private let asked: AskedRequests
  private let waitingDeliveries: WaitingDeliveries

  init(
    writer: RequestWriter, batches: RequestBatches, time: any TimeSource, scheduler: Scheduler, ends: Ends,
    permissions: Permissions, deliveries: Deliveries, asked: AskedRequests, waitingDeliveries: WaitingDeliveries
  ) {
    self.writer = writer
    self.batches = batches
    self.time = time
    self.scheduler = scheduler
    self.ends = ends
    self.permissions = permissions
    self.deliveries = deliveries
    self.asked = asked
    self.waitingDeliveries = waitingDeliveries
  }

  /// - Parameter waiting: the caller, and its bus, if it waits for the answers and the requests end with it.
  func commit(
    _ planned: [NewRequest], _ requests: [NotificationRequest], from caller: Caller?, asker: String?,
    waiting: (caller: Caller, bus: String)? = nil
  ) async throws(CenterError) {
    do throws(StoreError) {
      if try !batches.fitInOneCommit(planned) {
        return try await batches.store(planned) { [self] positions, stored in
          committed(requests, at: positions, stored, from: caller, asker: asker)
        }
      }
      let now = time.wall
      let all = BatchPart(planned)
      try await writer.write(isNew: true) { [asked, waitingDeliveries] store throws(StoreError) in
        var replaced: [NewRequest] = []
        let records = try store.putInOrder(all, now: now) { replaced.append($0) }
        try waitingDeliveries.recordReplaced(by: planned, at: all.positions, in: store, now: now)
        try asked.write(requests, askedBy: waiting)
        return StoredBatch(records: records, replaced: replaced, of: planned)
      } then: { [self] stored in
        asked.note(requests, askedBy: waiting?.caller)
        committed(requests, at: all.positions, stored, from: caller, asker: asker)
      }
    } catch {
      throw CenterError(error)
    }
  }

  /// Carries on with requests that have just been stored.
  ///
  /// - Parameters:
  ///   - lapses: the last moment to show them, if they are a push that has one.
  ///   - isMutable: whether they are a push that its app may change.
  func committed(
    _ requests: [NotificationRequest], at positions: ArraySlice<Int>, _ stored: StoredBatch, from caller: Caller?,
    asker: String?, lapses: Timestamp? = nil, isMutable: Bool = false
  ) {
    ends.replacing(by: caller) {
      committed(requests, at: positions, stored, asker: asker, lapses: lapses, isMutable: isMutable)
    }
  }

  /// Delivers the requests that are due immediately, and sets the alarm for the others.
  private func committed(
    _ requests: [NotificationRequest], at positions: ArraySlice<Int>, _ stored: StoredBatch, asker: String?,
    lapses: Timestamp?, isMutable: Bool
  ) {
    let (records, replaced) = (stored.records, stored.replaced)
    for one in replaced { ends.tell(of: one.app, one.id, .replaced) }
    var isAnyLater = false
    var due: [Due] = []
    waitingDeliveries.endAnnounced(replacedBy: Set(positions.map { RequestKey(requests[$0]) }))
    let isAnyWaiting = waitingDeliveries.isAny || ends.isAnyShownAgain
    for (position, record) in zip(positions, records) {
      if isAnyWaiting { endWaiting(RequestKey(requests[position]), isDue: record != nil) }
      if let record {
        due.append(Due(requests[position], as: record, asker: asker, lapses: lapses, isMutable: isMutable))
      } else {
        isAnyLater = true
      }
    }
    ends.carryOut()
    if isAnyLater { scheduler.rearm(for: stored.first) }
    ends.tellStored()
    scheduler.couldWrite()
    if !due.isEmpty { deliveries.deliver(due) }
  }

  /// Ends a request that is due and could not be stored.
  func takeBack(_ request: NotificationRequest) { waitingDeliveries.endUnstored(RequestKey(request)) }

  /// Ends an earlier request with this key that is due and waits for a permission, for its app or for a server.
  ///
  /// - Parameter isDue: whether the new request is due, too: then its delivery replaces those that wait for the app or
  ///   the server.
  private func endWaiting(_ key: RequestKey, isDue: Bool) {
    guard !isDue else { return _ = permissions.end(key.app, .replaced) { $0.isIdentical(to: key.id) } }
    ends.stopShowingAgain(key, because: .replaced)
    waitingDeliveries.endReplaced(by: key)
  }
}
