// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import NotificationModel

/// What is known about the condition that a pending request waits for, in the words of `suzu next` and `suzu show`.
struct ConditionAnswer {
  private let row: ListedRequest
  private let occasions: Schedule.Occasions

  /// Nil if the request does not wait for a condition.
  init?(_ row: ListedRequest) {
    guard row.state == .pending, let occasions = (try? row.request())?.schedule.occasions else { return nil }
    self.row = row
    self.occasions = occasions
  }

  /// Names and values.
  var lines: [(String, String)] {
    var lines = [("comes when", rule), ("now", state)]
    if let met = row.met { lines.append(("last met", LocalTime.rulesForTables.tableText(met))) }
    if row.folded > 0 { lines.append(("met again since", "\(row.folded) times, within the pause of \(pause)")) }
    return lines
  }

  private var pause: String { (occasions.cooldown ?? Schedule.Occasions.usualCooldown).text }

  private var rule: String {
    let condition = occasions.condition
    let subject = condition.subject.text
    var text =
      switch condition.edge {
      case _ where condition.subject.isEvent: subject
      case .enter: "'\(subject)' becomes true"
      case .leave: "'\(subject)' becomes false"
      case .change: "'\(subject)' becomes true or false"
      }
    if let hold = condition.hold { text += ", and stays so for \(hold.text)" }
    if let during = occasions.during { text += ", only \(during)" }
    return text + (occasions.repeats ? "; each time" : "; once")
  }

  private var state: String {
    if let obstacle = row.obstacle { return "not known: \(obstacle)" }
    guard let holds = row.holds else { return occasions.condition.subject.isEvent ? "watched" : "not known" }
    let isWanted = holds == (occasions.condition.edge == .enter)
    let isLate = occasions.condition.edge != .change && occasions.condition.hold == nil && isWanted
    return (holds ? "true" : "false") + (isLate ? "; it must become \(holds ? "false" : "true") first" : "")
  }

  /// As a table for people.
  var text: String {
    let width = lines.map(\.0.count).max() ?? 0
    return lines.map { name, value in
      (name + ":") + String(repeating: " ", count: width + 2 - name.count) + PrintableText.line(value, atMost: 1000)
    }.joined(separator: "\n")
  }

  /// As an array with one object, as for dates.
  var json: String {
    var words: [String: PlainValue] = ["on": .text(occasions.condition.text)]
    for key in [ListingKey.holds, .obstacle, .met, .folded] { words[key.rawValue] = row.words[key.rawValue] }
    return "[" + PlainValue.dictionary(words).json + "\n]"
  }
}
