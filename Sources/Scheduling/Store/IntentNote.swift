// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// What the next commit will write about a request whose condition was met, noted before its notification is shown.
///
/// The commit takes longer than all else between an event and its notification. The note is one short write to a file
/// of its own, and survives the end of the center as a commit without a sync does. If the center is killed before the
/// commit, its next start commits what is noted.
struct IntentNote: Equatable {
  let revision: StoredRequest.Revision
  /// The number of the request's dates that had passed before this one. If the row has another number, the commit that
  /// the note announced has been made.
  let fired: Int64
  /// Whether the request waits for its condition again.
  let isRepeated: Bool
  /// When the condition was met.
  let date: Timestamp
  /// The number of earlier times that this one includes.
  let missed: Int64
  /// What happened; its texts contain no NUL.
  let event: EventDetails
  /// The state of the condition after that.
  let armed: ArmedState
}

extension IntentNote {
  /// The stored form: ``NoteForm``.
  var bytes: [UInt8] {
    NoteForm.bytes(count: 6 + 2 * event.entries.count) { writer in
      writer.add(revision.value)
      writer.add(fired)
      writer.add(isRepeated ? 1 : 0)
      writer.add(date.milliseconds)
      writer.add(missed)
      writer.add(armed)
      for entry in event.entries {
        writer.add(entry.key)
        writer.add(entry.text)
      }
    }
  }

  /// Reads the stored form at the beginning of some bytes; nil if there is none, or a damaged one.
  init?(_ bytes: [UInt8]) {
    guard let texts = NoteForm.texts(in: bytes), texts.count >= 6, texts.count.isMultiple(of: 2),
      let revision = Int64(texts[0]), let fired = Int64(texts[1]), let isRepeated = Int64(texts[2]),
      let date = Int64(texts[3]), let missed = Int64(texts[4]), let armed = ArmedState(texts[5])
    else { return nil }
    var event = EventDetails()
    for index in stride(from: 6, to: texts.count, by: 2) {
      guard event[texts[index]] == nil else { return nil }
      event.add(texts[index], texts[index + 1])
    }
    self.init(
      revision: StoredRequest.Revision(revision), fired: fired, isRepeated: isRepeated == 1,
      date: Timestamp(milliseconds: date), missed: missed, event: event, armed: armed)
  }
}
