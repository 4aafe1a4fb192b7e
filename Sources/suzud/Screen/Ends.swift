// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// Ends deliveries, each exactly once, and does everything that follows from an end.
final class Ends {
  private let journal: Journal
  private let time: any TimeSource
  private let audience: any Audience
  /// Called with each end before the audience learns of it: it answers a question of the center.
  var onEnd: (RequestKey, RequestEnd) -> Void = { _, _ in }
  /// Called with each end before the audience learns of it: the list of actions is closed.
  var whenEnded: (Ended) -> Void = { _ in }
  /// Called with a request whose newer version is about to be reported as delivered: a text dialog of the older one is
  /// closed.
  var whenSuperseded: (RequestKey) -> Void = { _ in }
  /// The deliveries that have begun and not ended.
  private(set) var underWay: Set<DeliveryRecord.Number> = []
  /// Ends that were noted and not carried out yet.
  private var noted: [Ended] = []
  private var postponed = PostponedEnds()
  /// The caller whose requests are being stored at the moment.
  private var replacer: Caller?

  init(journal: Journal, time: any TimeSource, audience: any Audience) {
    self.journal = journal
    self.time = time
    self.audience = audience
  }

  /// Registers a delivery: exactly one end follows.
  func begin(_ due: Due) {
    if let delivery = due.record?.delivery { underWay.insert(delivery) }
  }

  /// Notes an end; ``carryOut()`` must follow.
  func note(_ due: Due, _ end: RequestEnd, detail: String? = nil) {
    noted.append(Ended(key: RequestKey(due), delivery: due.record?.delivery, end: end, detail: detail))
  }

  func note(_ ended: [Ended]) { noted += ended }

  /// Ends a delivery immediately.
  func end(_ due: Due, _ end: RequestEnd, detail: String? = nil) {
    note(due, end, detail: detail)
    carryOut()
  }

  /// Carries out all noted ends: stores them, sends the events, answers questions. Every end goes through here. Returns
  /// those that had not ended before.
  @discardableResult
  func carryOut() -> [Ended] {
    let ended = noted.filter { one in
      // The first end counts. A delivery without a number is not in the store, and its end is noted only once.
      one.delivery.map { underWay.remove($0) != nil } ?? true
    }
    noted = []
    if ended.isEmpty { return [] }
    write(ended)
    for one in ended {
      onEnd(one.key.base, one.end)
      whenEnded(one)
      // A digest that replaces the one before it is not reported: no caller requested it.
      if one.end == .replaced, one.delivery == nil, one.key.id == Burst.digestID.text { continue }
      if !postponed.keep(one) { tell(of: one.key.app, one.key.id, one.end) }
    }
    return ended
  }

  // MARK: Postponing

  /// Reports the end of this delivery, whenever it comes, only after ``release(_:)``: the user is answering, and a
  /// program that waits for the answer stops at the end.
  func postpone(_ due: Due) { postponed.hold(due) }

  func release(_ due: Due) {
    if let one = postponed.release(due) { tell(of: one.key.app, one.key.id, one.end) }
  }

  /// Reports the postponed ends of a request now, because a newer one with its id is about to be reported as delivered.
  func releaseAll(of key: RequestKey) {
    // The dates of a request that are shown side by side do not replace each other.
    if key.delivery == nil { whenSuperseded(key) }
    for one in postponed.takeAll(of: key) { tell(of: one.key.app, one.key.id, one.end) }
  }

  /// Records that a notification is not on the screen, and is shown again.
  func noteLost(_ due: Due) {
    guard let delivery = due.record?.delivery else { return }
    journal.note { store throws(StoreError) in try store.recordLost(delivery) }
  }

  private func write(_ ended: [Ended]) {
    let recorded = ended.compactMap { one in one.delivery.map { (number: $0, end: one.end, detail: one.detail) } }
    if recorded.isEmpty { return }
    let now = time.wall
    journal.note { store throws(StoreError) in
      for one in recorded {
        try store.recordClosed(one.number, as: one.end.state, reason: one.detail ?? one.end.rawValue, now: now)
      }
    }
  }

  // MARK: Sending

  /// Sends the end of a request that is stored already.
  ///
  /// The caller that replaces a request that was not on the screen does not get the event: it might take it for the end
  /// of its new request.
  func tell(of app: String, _ id: String, _ end: RequestEnd) {
    audience.tell(.closed(app: app, id: id, reason: end), of: app, except: end == .replaced ? replacer : nil)
  }

  /// Sends the ends that the scheduler has stored.
  func tell(of records: [DeliveryRecord]) {
    for record in records {
      guard let end = RequestEnd(record.state) else { continue }
      tell(of: record.app, record.id, end)
    }
  }

  /// Stores requests of this caller in `takeIn`; nil means the center's own.
  func replacing(by caller: Caller?, _ takeIn: () -> Void) {
    replacer = caller
    takeIn()
    replacer = nil
  }
}
