// SPDX-License-Identifier: Apache-2.0

internal import NotificationModel

/// Intents that are noted before they are committed: see ``IntentNote`` and ``PushNote``.
extension Store {
  /// Notes what is about to be committed, and returns the number of its delivery. Returns nil if it must be committed
  /// first, because the disk fails or the note is too long.
  func noteIntent(_ note: IntentNote) -> DeliveryRecord.Number? {
    guard health == .good, change == nil, intentFile?.write(note.bytes) == true else { return nil }
    lastNoted = max(lastNoted, counter.delivery)
    return lastNoted.next()
  }

  /// Notes a push that is about to be stored, and returns its delivery. Returns nil if it must be stored first, because
  /// the disk fails, the note is too long, another one waits for its commit, or the app is near its quota.
  func noteDelivery(of push: PushRecord, _ request: NewRequest, now: Timestamp) -> DeliveryRecord? {
    guard health == .good, change == nil, let intentFile, !intentFile.isNoted, hasRoom(for: request) else { return nil }
    var revision = counter.revision
    let note = PushNote(revision: revision.next(), request: request, push: push, date: now)
    guard intentFile.write(note.bytes) else { return nil }
    lastNoted = max(lastNoted, counter.delivery)
    return DeliveryRecord(
      number: lastNoted.next(), revision: revision, app: request.app, id: request.id,
      occurrence: PlannedDate(due: now), state: .intent, missed: 0, intended: now)
  }

  private func hasRoom(for request: NewRequest) -> Bool {
    do throws(StoreError) {
      let account = try account(of: request.app) + request.charge
      try checkQuota(of: Identifier(request.app), grown: request.charge, account: account, total: total)
      return true
    } catch {
      return false
    }
  }

  /// Forgets the note: it was committed.
  func eraseNote() { intentFile?.erase() }

  /// Commits what an earlier run noted and could not commit. If that fails, it stays for the next start, and nothing
  /// else is noted.
  func commitNote() throws(StoreError) {
    for path in files.intents {
      guard let bytes = IntentFile.read(path) else { continue }
      if let note = IntentNote(bytes) { try commit(note) }
      if let note = PushNote(bytes) { try commit(note) }
      try? IntentFile(path).erase()
    }
    if intentFile == nil { openIntentFile() }
  }

  /// Opens the file for notes, unless one of an earlier run is still to be committed.
  func openIntentFile() {
    let paths = files.intents
    guard paths.allSatisfy({ IntentFile.read($0) == nil }) else { return }
    for path in paths {
      intentFile = try? IntentFile(path)
      if intentFile != nil { return }
    }
  }

  private func commit(_ note: IntentNote) throws(StoreError) {
    guard var stored = try request(revision: note.revision), stored.wait == .condition, stored.fired == note.fired
    else { return }
    stored.armed = note.armed
    try withNeededTransaction { () throws(StoreError) in
      _ = try recordIntent(
        PlannedDate(due: note.date), of: stored, missed: note.missed, event: note.event, now: note.date)
      try setNext(note.isRepeated ? .condition : nil, fired: note.fired + 1, ofUnchanged: stored)
    }
  }

  private func commit(_ note: PushNote) throws(StoreError) {
    if counter.revision.value >= note.revision.value { return }
    // It came again, and was stored.
    if let id = note.push.id, try request(ofPush: id, of: note.push.app, now: note.date) != nil { return }
    try withNeededTransaction { () throws(StoreError) in
      try put(note.push, note.request, as: nil, now: note.date)
    }
  }

  /// Stores a push whose request starts now and replaces none.
  ///
  /// - Parameter noted: the delivery that ``noteDelivery(of:_:now:)`` has returned for it.
  func put(
    _ push: PushRecord, _ request: NewRequest, as noted: DeliveryRecord?, now: Timestamp
  ) throws(StoreError) {
    let records = try putDue([request], now: now, noted: noted?.number)
    if let record = records.first { try recordPush(push, as: record, now: now) }
  }
}
