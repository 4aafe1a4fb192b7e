// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import NotificationModel

/// The center's values as D-Bus dictionaries.
extension CenterInterface {
  /// A row of a list as a dictionary, and its size in bytes.
  static func encoded(_ row: ListingRow) -> (Value, bytes: Int) {
    let value = Value.properties(words(row))
    return (value, (try? value.encodedSize()) ?? 0)
  }

  private static func words(_ row: ListingRow) -> [String: Value] {
    var words: [String: Value] = ["app": .string(row.app), "id": .string(row.id)]
    if let request = row.request { words = (try? ValueEncoder().encodeProperties(request)) ?? [:] }
    words["state"] = .string(row.state)
    if let next = row.next { words["next"] = .string(next) }
    if let due = row.due { words["due"] = .string(due) }
    if row.missed > 0 { words["missed"] = .int64(row.missed) }
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

  static func words(_ health: Health) -> [String: Value] {
    var words: [String: Value] = [
      "store": .string(health.folder), "storeHealth": .string(health.store), "zone": .string(health.zone),
      "clockSynchronized": .boolean(health.isClockSynchronized), "canWake": .boolean(health.canWake),
    ]
    if !health.storeWarnings.isEmpty { words["storeWarnings"] = .strings(health.storeWarnings) }
    if !health.categoryProblems.isEmpty { words["categoryProblems"] = .strings(health.categoryProblems) }
    if let problem = health.zoneProblem { words["zoneProblem"] = .string(problem) }
    if health.setAside > 0 { words["setAside"] = .uint32(UInt32(clamping: health.setAside)) }
    if let obstacle = health.wakeObstacle { words["wakeObstacle"] = .string(obstacle) }
    if let next = health.next { words["next"] = .string(next) }
    return words
  }
}
