// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// What the user typed, bounded before it is kept, told or handed to a program.
enum ReplyText {
  /// The reply, cut at the last whole character that fits; its text is not logged.
  static func bounded(_ reply: String) -> String {
    let bytes = reply.utf8
    guard bytes.count > Reply.longest else { return reply }
    Log.warning("a reply is too long, and was cut", "\(bytes.count) bytes; at most \(Reply.longest) are kept")
    var end = bytes.index(bytes.startIndex, offsetBy: Reply.longest)
    while end > bytes.startIndex, end.samePosition(in: reply.unicodeScalars) == nil { end = bytes.index(before: end) }
    return String(reply[..<end])
  }
}
