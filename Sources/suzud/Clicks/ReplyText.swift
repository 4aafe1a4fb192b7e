// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// Limits the length of what the user typed, before it is stored, sent or handed to a program.
enum ReplyText {
  /// The reply, cut after the last whole character that fits. Its text is not logged.
  static func bounded(_ reply: String) -> String {
    let bytes = reply.utf8
    guard bytes.count > Reply.longest else { return reply }
    Log.warning("shortened a reply that is too long", "\(bytes.count) bytes; at most \(Reply.longest) are kept")
    var end = bytes.index(bytes.startIndex, offsetBy: Reply.longest)
    while end > bytes.startIndex, end.samePosition(in: reply.unicodeScalars) == nil { end = bytes.index(before: end) }
    return String(reply[..<end])
  }
}
