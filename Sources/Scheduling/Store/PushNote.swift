// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// A push that the next commit will store, noted before it is shown, as ``IntentNote`` is for a met condition.
struct PushNote: Equatable {
  /// The revision that its request will have. If the store has come as far, the commit that the note announced has been
  /// made.
  let revision: StoredRequest.Revision
  /// Its request, which starts now and replaces none.
  let request: NewRequest
  let push: PushRecord
  /// When it came.
  let date: Timestamp
}

extension PushNote {
  private static let kind = "push"

  /// The stored form: ``NoteForm``.
  var bytes: [UInt8] {
    let optional = [request.asker, push.id, push.lapses.map { String($0.milliseconds) }, push.route?.text]
    return NoteForm.bytes(
      of: [
        Self.kind, String(revision.value), String(date.milliseconds), request.app, request.id, request.payload,
        request.wakes ? "1" : "0",
      ] + optional.map { $0.map { "=" + $0 } ?? "" })
  }

  /// Reads the stored form at the beginning of some bytes; nil if there is none, or a damaged one.
  init?(_ bytes: [UInt8]) {
    guard let texts = NoteForm.texts(in: bytes), texts.count == 11, texts[0] == Self.kind,
      let revision = Int64(texts[1]), let date = Int64(texts[2])
    else { return nil }
    let optional = texts[7...].map { $0.isEmpty ? nil : String($0.dropFirst()) }
    self.init(
      revision: StoredRequest.Revision(revision),
      request: NewRequest(
        app: texts[3], id: texts[4], payload: texts[5], start: .now, wakes: texts[6] == "1", asker: optional[0]),
      push: PushRecord(
        app: texts[3], id: optional[1], lapses: optional[2].flatMap { Int64($0) }.map { Timestamp(milliseconds: $0) },
        route: optional[3].flatMap { AnswerRoute($0) }),
      date: Timestamp(milliseconds: date))
  }
}
