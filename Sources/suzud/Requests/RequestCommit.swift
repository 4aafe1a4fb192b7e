// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Writes requests down, and takes up what follows from it: earlier ones of that name end, what is due at once goes to
/// the screen.
final class RequestCommit {
  private let loop: EventLoop
  private let journal: Journal
  private let time: any TimeSource
  private let scheduler: Scheduler
  private let ends: Ends
  private let screen: Screen
  private let permissions: Permissions
  private let inFront: AppsInFront
  private let deliveries: Deliveries

  init(
    on loop: EventLoop, journal: Journal, time: any TimeSource, scheduler: Scheduler, ends: Ends, screen: Screen,
    permissions: Permissions, inFront: AppsInFront, deliveries: Deliveries
  ) {
    self.loop = loop
    self.journal = journal
    self.time = time
    self.scheduler = scheduler
    self.ends = ends
    self.screen = screen
    self.permissions = permissions
    self.inFront = inFront
    self.deliveries = deliveries
  }

  func commit(
    _ planned: [Scheduler.Planned], _ requests: [NotificationRequest], from caller: Caller?, asker: String?
  ) async throws(CenterError) {
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
        ends.replacing(by: caller) { committed(requests, result, asker: asker) }
        continuation.resume(returning: result.map { _ in })
      }
    }
    do throws(StoreError) { try result.get() } catch { throw CenterError(error) }
  }

  /// What is due at once goes to the screen; the rest has its alarm.
  private func committed(
    _ requests: [NotificationRequest], _ result: Result<([DeliveryRecord?], [NewRequest]), StoreError>, asker: String?
  ) {
    guard case .success(let (records, replaced)) = result else { return }
    for one in replaced { ends.tell(of: one.app, one.id, .replaced) }
    var isAnyLater = false
    var due: [Due] = []
    if scheduler.isAnnouncing {
      let keys = Set(requests.map { RequestKey(app: $0.app, id: $0.id ?? "") })
      for earlier in scheduler.withdraw(where: { keys.contains(RequestKey(app: $0, id: $1)) }) {
        ends.begin(earlier)
        ends.note(earlier, .replaced)
      }
    }
    for (request, record) in zip(requests, records) {
      _ = permissions.end(request.app, .replaced) { $0.isIdentical(to: request.id ?? "") }
      if let record {
        due.append(Due(request, as: record, asker: asker))
      } else {
        isAnyLater = true
        // An earlier one of that name that is due, and waits for a server, is not wanted any more.
        let key = RequestKey(app: request.app, id: request.id ?? "")
        inFront.supersede(key)
        for key in screen.state.keys(of: key) where screen[key]?.isUnasked == true {
          screen.drop(key, because: .replaced)
        }
      }
    }
    ends.carryOut()
    if isAnyLater { scheduler.rearm() }
    scheduler.couldWrite()
    if !due.isEmpty { deliveries.deliver(due) }
  }
}
