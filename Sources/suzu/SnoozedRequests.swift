// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// The requests that a button has postponed, as the history tells: the center stores them like any other request.
struct SnoozedRequests {
  private struct Key: Hashable {
    let app: Identifier
    let id: Identifier
  }

  /// What was chosen, and when.
  private struct Choice {
    let time: SnoozeTime
    let moment: Instant?
  }

  /// The snooze by request.
  private var choices: [Key: Choice] = [:]
  private let time: LocalTime

  /// - Parameter history: rows, the latest first.
  init(_ history: [ListedRequest], time: LocalTime = .current()) {
    self.time = time
    var seen: Set<Key> = []
    for row in history {
      let key = Key(app: Identifier(row.app), id: Identifier(row.id))
      let isLatest = seen.insert(key).inserted
      guard let choice = Self.snooze(in: row) else { continue }
      if isLatest { choices[key] = choice }
      // A repeating request goes on; its copy comes later, perhaps after other dates.
      let copy = Key(app: key.app, id: Identifier(row.id + ".snoozed"))
      if choices[copy] == nil { choices[copy] = choice }
    }
  }

  /// The row with `snoozed: true` if it waits for the end of a snooze: its state is `pending` all the same.
  func marked(_ row: ListedRequest) -> ListedRequest {
    guard contains(row) else { return row }
    return ListedRequest(row.words.merging([ListingKey.snoozed.rawValue: .flag(true)]) { $1 })
  }

  /// Whether this pending request waits for the end of a snooze.
  func contains(_ row: ListedRequest) -> Bool {
    guard row.words["repeat"] != .flag(true),
      let choice = choices[Key(app: Identifier(row.app), id: Identifier(row.id))]
    else { return false }
    switch choice.time {
    case .after(let duration):
      guard case .text(let delay)? = row.words["in"] else { return false }
      return (try? Duration.parse(delay)) == duration
    case .when(let condition): return row.words["on"] == .text(condition.text)
    case .at(let text):
      guard row.words["at"] != nil, let moment = choice.moment, let next = row.next.flatMap({ Instant(rfc3339: $0) }),
        let rules = try? time.rules(nil), let chosen = try? HumanTime.parse(text, now: moment, zone: rules)
      else { return false }
      return chosen.instant(now: moment, zone: rules) == next
    }
  }

  /// Whether the row is marked.
  static func isMarked(_ row: ListedRequest) -> Bool { row.words[ListingKey.snoozed.rawValue] == .flag(true) }

  /// The snooze of the button that was pressed.
  private static func snooze(in row: ListedRequest) -> Choice? {
    guard case .text(let pressed)? = row.words["action"], case .list(let actions)? = row.words["actions"] else {
      return nil
    }
    for case .dictionary(let action) in actions where action["id"] == .text(pressed) {
      var chosen = action["snooze"]
      if case .list? = chosen { chosen = row.words["reply"] }
      guard case .text(let text)? = chosen, let time = try? SnoozeTime(text) else { return nil }
      var moment: Instant?
      if case .text(let closed)? = row.words["closed"] { moment = Instant(rfc3339: closed) }
      return Choice(time: time, moment: moment)
    }
    return nil
  }
}
