// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import NotificationModel

/// The requests that a button has postponed, as the history tells: the center stores them like any other request. Of a
/// button with several times, only the chosen duration is recognized.
struct SnoozedRequests {
  private struct Key: Hashable {
    let app: Identifier
    let id: Identifier
  }

  /// The duration of the snooze by request.
  private var durations: [Key: Duration] = [:]

  /// - Parameter history: rows, the latest first.
  init(_ history: [ListedRequest]) {
    var seen: Set<Key> = []
    for row in history {
      let key = Key(app: Identifier(row.app), id: Identifier(row.id))
      let isLatest = seen.insert(key).inserted
      guard let duration = Self.snooze(in: row) else { continue }
      if isLatest { durations[key] = duration }
      // A repeating request goes on; its copy comes later, perhaps after other dates.
      let copy = Key(app: key.app, id: Identifier(row.id + ".snoozed"))
      if durations[copy] == nil { durations[copy] = duration }
    }
  }

  /// The row with `snoozed: true` if it waits for the end of a snooze: its state is `pending` all the same.
  func marked(_ row: ListedRequest) -> ListedRequest {
    guard contains(row) else { return row }
    return ListedRequest(row.words.merging([ListingKey.snoozed.rawValue: .flag(true)]) { $1 })
  }

  /// Whether this pending request waits for the end of a snooze.
  func contains(_ row: ListedRequest) -> Bool {
    guard case .text(let delay)? = row.words["in"], row.words["repeat"] != .flag(true),
      let duration = durations[Key(app: Identifier(row.app), id: Identifier(row.id))]
    else { return false }
    return (try? Duration.parse(delay)) == duration
  }

  /// Whether the row is marked.
  static func isMarked(_ row: ListedRequest) -> Bool { row.words[ListingKey.snoozed.rawValue] == .flag(true) }

  /// The snooze of the button that was pressed.
  private static func snooze(in row: ListedRequest) -> Duration? {
    guard case .text(let pressed)? = row.words["action"], case .list(let actions)? = row.words["actions"] else {
      return nil
    }
    for case .dictionary(let action) in actions where action["id"] == .text(pressed) {
      switch action["snooze"] {
      case .text(let duration): return try? Duration.parse(duration)
      case .list:
        guard case .text(let chosen)? = row.words["reply"] else { return nil }
        return try? Duration.parse(chosen)
      default: return nil
      }
    }
    return nil
  }
}
