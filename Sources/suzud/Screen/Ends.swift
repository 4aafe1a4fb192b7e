// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// How requests end: each once, and everything that depends on it follows from here.
final class Ends {
  private let journal: Journal
  private let time: any TimeSource
  private let audience: any Audience
  /// Hears of each end, before the audience does: a question of the center is answered by it.
  var onEnd: (RequestKey, RequestEnd) -> Void = { _, _ in }
  /// The deliveries that have begun and not ended.
  private(set) var underWay: Set<DeliveryRecord.Number> = []
  /// What has ended, and has yet to be carried out.
  private var noted: [Ended] = []
  /// The caller whose requests are being taken in at the moment.
  private var replacer: Caller?

  init(journal: Journal, time: any TimeSource, audience: any Audience) {
    self.journal = journal
    self.time = time
    self.audience = audience
  }

  /// Takes a delivery under way: exactly one end follows.
  func begin(_ due: Due) {
    if let delivery = due.record?.delivery { underWay.insert(delivery) }
  }

  /// Notes an end; ``carryOut()`` follows.
  func note(_ due: Due, _ end: RequestEnd, detail: String? = nil) {
    noted.append(Ended(key: RequestKey(due), delivery: due.record?.delivery, end: end, detail: detail))
  }

  func note(_ ended: [Ended]) { noted += ended }

  /// Ends a delivery at once.
  func end(_ due: Due, _ end: RequestEnd, detail: String? = nil) {
    note(due, end, detail: detail)
    carryOut()
  }

  /// Carries out every end that was noted: writes it down, tells those who listen, answers who waits. All ends go through
  /// here. Returns those that had not ended before.
  @discardableResult
  func carryOut() -> [Ended] {
    let ended = noted.filter { one in
      // The first end counts. What has no number is not in the store, and its end is noted once only.
      one.delivery.map { underWay.remove($0) != nil } ?? true
    }
    noted = []
    if ended.isEmpty { return [] }
    write(ended)
    for one in ended {
      onEnd(one.key.base, one.end)
      // The digest counts on: that is no end of anything that was asked for.
      if one.end == .replaced, one.delivery == nil, one.key.id == Burst.digestID { continue }
      tell(of: one.key.app, one.key.id, one.end)
    }
    return ended
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

  // MARK: Telling

  /// Tells of the end of a request that the store or the scheduler has written down.
  ///
  /// Who replaces a request that was not on the screen yet is not told: it might take that end for its own request's.
  func tell(of app: String, _ id: String, _ end: RequestEnd) {
    audience.tell(.closed(app: app, id: id, reason: end), of: app, except: end == .replaced ? replacer : nil)
  }

  /// Tells of dates that the scheduler has ended, and written down.
  func tell(of records: [DeliveryRecord]) {
    for record in records {
      guard let end = RequestEnd(record.state) else { continue }
      tell(of: record.app, record.id, end)
    }
  }

  /// Takes in requests of that caller; nil: the center's own.
  func replacing(by caller: Caller?, _ takeIn: () -> Void) {
    replacer = caller
    takeIn()
    replacer = nil
  }
}

extension RequestEnd {
  /// As what the store counts it.
  var state: DeliveryRecord.State {
    switch self {
    case .expired, .dismissed, .withdrawn, .vanished, .unknown, .replaced, .cancelled, .notAllowed, .presented: .closed
    case .folded: .folded
    case .skipped: .skipped
    case .late: .expired
    case .failed: .failed
    }
  }

  /// What the store decides by itself; nil: it leaves that to others.
  fileprivate init?(_ state: DeliveryRecord.State) {
    switch state {
    case .skipped: self = .skipped
    case .expired: self = .late
    case .failed: self = .failed
    case .intent, .shown, .closed, .folded: return nil
    }
  }
}
