// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import NotificationModel

/// The rows of a listing as D-Bus dictionaries.
extension CenterInterface {
  /// A row of a list as a dictionary, and its size in bytes.
  static func encoded(_ row: ListingRow) -> (Properties, bytes: Int) {
    let properties = Properties(words(row))
    return (properties, (try? properties.busValue.encodedSize()) ?? 0)
  }

  private static func words(_ row: ListingRow) -> [String: Value] {
    var words: [String: Value] = ["app": .string(row.app), "id": .string(row.id)]
    if let request = row.request { words = request.mapValues { Value($0) } }
    words["state"] = .string(row.state)
    if let next = row.next { words["next"] = .string(next) }
    if let due = row.due { words["due"] = .string(due) }
    if row.missed > 0 { words["missedDates"] = .int64(row.missed) }
    if let shown = row.shown { words["shown"] = .string(shown) }
    if let closed = row.closed { words["closed"] = .string(closed) }
    if let reason = row.reason { words["reason"] = .string(reason) }
    if let answer = row.answer {
      words["action"] = .string(answer.action)
      if let reply = answer.reply { words["reply"] = .string(reply) }
      words["outcome"] = .string(answer.outcome)
    }
    return words
  }
}
