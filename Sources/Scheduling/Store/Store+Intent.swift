// SPDX-License-Identifier: Apache-2.0

/// Intents that are noted before they are committed: see ``IntentNote``.
extension Store {
  /// Notes what is about to be committed, and returns the number of its delivery. Returns nil if it must be committed
  /// first, because the disk fails or the note is too long.
  func noteIntent(_ note: IntentNote) -> DeliveryRecord.Number? {
    guard health == .good, change == nil, intentFile?.write(note) == true else { return nil }
    lastNoted = max(lastNoted, counter.delivery)
    return lastNoted.next()
  }

  /// Forgets the note: it was committed.
  func eraseNote() { intentFile?.erase() }

  /// Commits what an earlier run noted and could not commit. If that fails, it stays for the next start, and nothing
  /// else is noted.
  func commitNote() throws(StoreError) {
    guard let note = IntentFile.read(files.intent) else { return }
    try commit(note)
    intentFile = try? IntentFile(files.intent)
    eraseNote()
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
}
