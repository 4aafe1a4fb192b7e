// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// How requests end: each once, and everything that depends on it follows from here.
extension Center {
  /// Takes a delivery under way: exactly one end follows.
  func begin(_ due: Due) {
    if let delivery = due.delivery { underWay.insert(delivery) }
  }

  /// Ends a delivery that is not in the ledger.
  func end(_ due: Due, _ end: RequestEnd, detail: String? = nil) {
    ledger.end(due, end, detail: detail)
    noteEnded()
  }

  /// Carries out every end that the ledger has noted: writes it down, tells those who listen, answers who waits. All ends
  /// go through here. Returns those that had not ended before.
  @discardableResult
  func noteEnded() -> [Ended] {
    let ended = ledger.takeEnded().filter { one in
      // The first end counts. What has no number is not in the store, and its end is noted once only.
      one.delivery.map { underWay.remove($0) != nil } ?? true
    }
    if ended.isEmpty { return [] }
    let now = time.wall
    let written = ended.filter { $0.delivery != nil }
    if !written.isEmpty {
      journal.note { store throws(StoreError) in
        for one in written {
          try store.recordClosed(
            one.delivery ?? 0, as: one.end.state, reason: one.detail ?? one.end.rawValue, now: now)
        }
      }
    }
    for one in ended {
      endQuestion(one.key.base, Answer(one.end))
      // The digest counts on: that is no end of anything that was asked for.
      if one.end == .replaced, one.delivery == nil, one.key.id == Burst.digestID { continue }
      tellEnd(of: one.key.app, one.key.id, one.end)
    }
    return ended
  }

  /// Tells of the end of a request that the store or the scheduler has written down.
  ///
  /// Who replaces a request that was not on the screen yet is not told: it might take that end for its own request's.
  func tellEnd(of app: String, _ id: String, _ end: RequestEnd) {
    tell(.closed(app: app, id: id, reason: end), of: app, except: end == .replaced ? replacer : nil)
  }

  /// Tells of dates that the scheduler has ended, and written down.
  func tellEnds(of records: [DeliveryRecord]) {
    for record in records {
      guard let end = RequestEnd(record.state) else { continue }
      tellEnd(of: record.app, record.id, end)
    }
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
  init?(_ state: DeliveryRecord.State) {
    switch state {
    case .skipped: self = .skipped
    case .expired: self = .late
    case .failed: self = .failed
    case .intent, .shown, .closed, .folded: return nil
    }
  }
}
