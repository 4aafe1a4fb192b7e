// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// Ends deliveries, each exactly once, and does everything that follows from an end.
final class Ends {
  private let journal: Journal
  private let time: any TimeSource
  private let audience: any Audience
  private let nags: Nags
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

  init(journal: Journal, time: any TimeSource, audience: any Audience, nags: Nags) {
    self.nags = nags
    self.journal = journal
    self.time = time
    self.audience = audience
  }

  /// Registers a delivery: exactly one end follows.
  func begin(_ due: Due) {
    if let delivery = due.record?.delivery { underWay.insert(delivery) }
    nags.begin(due)
  }

  /// Whether a delivery has begun and not ended.
  func isUnderWay(_ due: Due) -> Bool { due.record.map { underWay.contains($0.delivery) } ?? true }

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
      // A delivery without a number is not in the store, and its end is noted only once.
      guard let delivery = one.delivery else { return true }
      // The first end counts. One that is shown again has not ended.
      guard underWay.contains(delivery), !nags.rests(one) else { return false }
      underWay.remove(delivery)
      _ = nags.stop(delivery)
      return true
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

  // MARK: Showing again

  /// Registers a delivery of an earlier run that is shown again.
  func restore(_ nag: Store.StoredNag) {
    underWay.insert(nag.number)
    nags.restore(nag)
  }

  /// The user has answered: it is not shown again, and ends if it is off the screen.
  func answered(_ due: Due) {
    guard let delivery = due.record?.delivery, nags.stop(delivery) != nil else { return }
    end(due, .withdrawn)
  }

  /// The notifications of a request are not shown again. Notes the end of those that are off the screen.
  ///
  /// - Parameter due: one that goes on.
  @discardableResult
  func stopShowingAgain(_ key: RequestKey, except due: Due? = nil, because end: RequestEnd) -> [Nags.Stopped] {
    if nags.isEmpty { return [] }
    let stopped = nags.stop(of: key, except: due?.record?.delivery)
    for one in stopped where one.isResting { noted.append(Ended(key: key, delivery: one.number, end: end)) }
    return stopped
  }

  /// Whether any notification is shown again.
  var isAnyShownAgain: Bool { !nags.isEmpty }

  /// The requests of an app that are shown again.
  func keysShownAgain(of app: String) -> [RequestKey] { nags.isEmpty ? [] : nags.keys(of: app) }

  /// A server shows it.
  func noteShown(_ due: Due, _ number: PostedNumber, on state: ServerState) {
    nags.noteShown(due, number.number, on: state.storedName)
  }

  /// The number of its last showing, if it is shown again; 0 if it had none on this server.
  func lastNumber(of due: Due, on state: ServerState) -> UInt32 { nags.lastNumber(of: due, on: state.storedName) }

  /// How it is shown again after this showing; nil if it is not.
  func nagPlan(of due: Due) -> NagPlan? {
    guard let nag = due.nag, let delivery = due.record?.delivery else { return nil }
    return due.isShownAgain && !nags.isOpen(delivery) ? nil : nag
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

  /// Stores how many earlier dates a due request stands for, in the commit that ends the last of them: otherwise a
  /// center that ends before it is shown would forget them.
  func noteMissed(_ due: Due) {
    guard let delivery = due.record?.delivery else { return }
    journal.note { store throws(StoreError) in try store.recordMissed(delivery, due.missed) }
  }

  /// Records the end of a delivery that ended before the disk took it: all else has followed from it.
  func recordEarlier(_ due: Due) {
    write([Ended(key: RequestKey(due), delivery: due.record?.delivery, end: .unknown, detail: nil)])
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

  /// Tells watchers that requests were stored.
  func tellStored() { audience.tell(.pending) }

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
