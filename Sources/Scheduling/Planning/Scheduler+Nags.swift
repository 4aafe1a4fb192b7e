// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel

/// Notifications that are shown again until they are answered.
///
/// The store holds when each is shown again, as wall time, which survives restarts. This run waits by elapsed time.
extension Scheduler {
  /// Reads those of earlier runs, and learns of all that come.
  func startNags() throws(StoreError) {
    store.whenNagging = { [weak self] in self?.nagsChanged($0) }
    let (wall, elapsed) = (time.wall, time.elapsed)
    for nag in try store.nagging() {
      // A clock that was set back must not put it off: it comes at the latest after its whole pause.
      let longest = nag.last.map { max(0, nag.again - $0) } ?? Self.longestUnknownPause
      nags.set(nag.number, at: elapsed + min(max(0, nag.again - wall), longest), wakes: nag.wakes)
    }
    waitForNag()
  }

  func endNags() {
    store.whenNagging = { _ in }
    nags = NagQueue()
    nagDeadline = nil
  }

  /// The longest wait of one that was never shown, because it came in a crowd.
  private static let longestUnknownPause: Int64 = 86_400_000

  /// The store has committed these changes.
  private func nagsChanged(_ changes: [Store.NagChange]) {
    let (wall, elapsed) = (time.wall, time.elapsed)
    var isAnyWaking = false
    for change in changes {
      if let again = change.again {
        nags.set(change.number, at: elapsed + max(0, again - wall), wakes: change.wakes)
        if change.wakes { isAnyWaking = true }
      } else {
        nags.remove(change.number)
      }
    }
    waitForNag()
    // The machine may have to wake up for it.
    if isAnyWaking { rearm() }
  }

  /// When the machine must wake up next for one of them; nil if it need not.
  var nextNagWake: Timestamp? {
    nags.nextWake().map { time.wall + max(0, $0 - time.elapsed) }
  }

  private func waitForNag() {
    guard let next = nags.next(), nagDeadline.map({ next < $0 }) ?? true else { return }
    nagDeadline = next
    time.call(after: max(0, next - time.elapsed)) { [weak self] in
      guard let self, nagDeadline == next else { return }
      nagDeadline = nil
      fireNags()
    }
  }

  /// The most of them in one turn: the same turn also brings them to the screen, and another commit may be in it.
  static let nagSlice = 100

  /// Shows those whose time has come again, as many as fit into one turn.
  func fireNags() {
    let (wall, elapsed) = (time.wall, time.elapsed)
    var come: [NagQueue.Come] = []
    while come.count < Self.nagSlice, let one = nags.popFirst(through: elapsed) { come.append(one) }
    var due: [Due] = []
    var handled = 0
    do throws(StoreError) {
      try store.withNeededTransaction { () throws(StoreError) in
        (due, handled, ended) = ([], 0, [])
        let end = EventLoop.Clock.monotonic.now + Self.timePerTurn
        for one in come {
          if handled > 0, EventLoop.Clock.monotonic.now >= end { break }
          if let one = try again(one.number, wall) { due.append(one) }
          handled += 1
        }
      }
      tellEnded()
    } catch {
      report("a notification is shown again, but that could not be stored: \(error.message)")
      if error.code == .degraded || error.code == .closed { try? store.tryAgain() }
      // An alarm must not wait for a disk.
      due = come.compactMap { unrecorded($0.number, wall) }
      handled = come.count
      for one in due {
        guard let number = one.record?.delivery else { continue }
        let pause = max(one.nag?.nag.pause?.milliseconds ?? 0, Self.pauseWithoutDisk)
        nags.set(number, at: elapsed + pause, wakes: one.nag?.wakes ?? false)
      }
    }
    // The others are next.
    for one in come.dropFirst(handled) { nags.set(one.number, at: one.deadline, wakes: one.wakes) }
    if !due.isEmpty { onDue(due) }
    waitForNag()
  }

  /// The shortest pause between two showings while nothing can be stored.
  private static let pauseWithoutDisk: Int64 = 60_000

  /// Records that a delivery is shown again now; nil if it is not any more.
  private func again(_ number: DeliveryRecord.Number, _ now: Timestamp) throws(StoreError) -> Due? {
    guard let record = try store.recordAgain(number) else { return nil }
    guard let due = try showing(of: record, now) else {
      report("a stored request cannot be read and is not shown again")
      try store.recordClosed(number, as: .failed, reason: "the stored request cannot be read", now: now)
      ended += try [store.delivery(number)].compactMap { $0 }
      return nil
    }
    return due
  }

  /// The next showing of a delivery that cannot be recorded.
  private func unrecorded(_ number: DeliveryRecord.Number, _ now: Timestamp) -> Due? {
    guard var record = try? store.delivery(number), record.again != nil else { return nil }
    record.state = .intent
    return try? showing(of: record, now)
  }

  private func showing(of record: DeliveryRecord, _ now: Timestamp) throws(StoreError) -> Due? {
    guard let stored = try store.request(revision: record.revision), let read = Payload.read(stored.payload),
      let nag = read.request.content.nag
    else { return nil }
    var request = read.request
    request.id = RequestID(trusted: record.id)
    return Due(
      request, as: record, missed: Int(record.missed), asker: stored.asker,
      step: (record.showings ?? Showings()).nextStep(of: nag, at: now))
  }
}
