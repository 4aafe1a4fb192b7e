// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// The keys of a request as `suzu show` prints them: as the user gave them, without JSON, and with dates like those of
/// the other lines.
struct ShownWords {
  private let row: ListedRequest
  private let request: [String: PlainValue]
  /// Of the machine.
  private let rules: ZoneRules
  private let now: Instant

  init(_ row: ListedRequest, in rules: ZoneRules, now: Instant) {
    (self.row, self.rules, self.now) = (row, rules, now)
    request = ListingKey.request(in: row.words)
  }

  /// The keys and their texts, in the order of the help.
  var lines: [(String, String)] {
    NotificationRequest.Key.allCases.flatMap { key -> [(String, String)] in
      guard key != .id, key != .app, let value = request[key.rawValue] else { return [] }
      switch (key, value) {
      case (.escalate, .list(let steps)): return steps.map { ("escalate", Self.step($0)) }
      case (.actions, .list(let actions)): return actions.map { ("action", Self.button($0)) }
      // The center stores the start of such a rule, whether or not the user gave one.
      case (.from, _): return start.map { [(isCountedRule ? "counts from" : "from", $0)] } ?? []
      case (.at, .text(let text)), (.until, .text(let text)): return [(key.rawValue, date(text))]
      case (.count, _):
        let left = row.state == .pending ? RemainingDates(time: .current()).count(of: row) : nil
        return [(key.rawValue, Self.text(value) + (left.map { " (\($0) left)" } ?? ""))]
      default: return [(key.rawValue, Self.text(value))]
      }
    }
  }

  // MARK: Dates

  /// The start of a repetition; nil if the center added it, or it has no effect any more. The center stores one with
  /// each repetition, so that it means the same on another day.
  private var start: String? {
    guard case .text(let text)? = request["from"] else { return nil }
    if case .text? = request["rule"] {
      // Every second week counts from the start. Otherwise only a start that is still to come says something.
      guard let day = CivilDate(String(text.prefix(10))), let today = rules.civil(at: now)?.date else { return nil }
      return isCountedRule || day > today ? date(text) : nil
    }
    return KeptStart(request, now: now) == nil ? nil : date(text)
  }

  /// Whether the dates of a rule depend on its start: every second week, or the first ten dates.
  private var isCountedRule: Bool {
    guard case .text(let rule)? = request["rule"] else { return false }
    return ["INTERVAL=", "COUNT="].contains { rule.uppercased().contains($0) }
  }

  /// A stored date like the others: `Tue 2026-11-24 07:30`. A moment is stored in UTC, and shown on the machine's
  /// clock.
  private func date(_ text: String) -> String {
    if let moment = Instant(rfc3339: text) { return rules.shortText(moment) }
    guard let wall = CivilDateTime(text.replacing(" ", with: "T")) else { return text }
    return ZoneRules.utc.shortText(ZoneRules.utc.resolve(wall))
  }

  // MARK: Values

  /// `weekday=2, hour=7` for a dictionary; JSON only for what is nested deeper.
  private static func text(_ value: PlainValue) -> String {
    switch value {
    case .text(let text): text
    case .dictionary(let words):
      words.sorted { $0.key < $1.key }.map { "\($0.key)=\(text($0.value))" }.joined(separator: ", ")
    default: value.json
    }
  }

  /// `after 10m: level=critical, sound=alarm`
  private static func step(_ step: PlainValue) -> String {
    guard case .dictionary(var words) = step, case .text(let after)? = words.removeValue(forKey: "after") else {
      return step.json
    }
    return "after \(after)" + (words.isEmpty ? "" : ": \(text(.dictionary(words)))")
  }

  /// `Later (later): snooze 10m`: the title and the id of a button, and what it does.
  static func button(_ action: PlainValue) -> String {
    guard case .dictionary(let words) = action, case .text(let id)? = words["id"] else { return action.json }
    let title: String? = if case .text(let title)? = words["title"], !title.isEmpty { title } else { nil }
    var effects: [String] = []
    if case .list(let command)? = words["run"] {
      let parts = command.map { if case .text(let part) = $0 { CommandWords.quoted(part) } else { $0.json } }
      effects.append("run " + parts.joined(separator: " "))
    }
    for key in ["url", "launch", "snooze"] {
      guard let value = words[key] else { continue }
      if case .list(let times) = value {
        effects.append("\(key) " + times.map(text).joined(separator: ", "))
      } else {
        effects.append((key == "url" ? "open" : key) + " " + text(value))
      }
    }
    if case .dictionary(let call)? = words["http"], case .text(let url)? = call["url"] {
      let method: String = if case .text(let method)? = call["method"] { method } else { "POST" }
      effects.append("call \(method) \(url)")
    }
    if let input = words["input"] {
      var placeholder = ""
      if case .dictionary(let parts) = input, case .text(let text)? = parts["placeholder"] { placeholder = text }
      effects.append("ask for a text" + (placeholder.isEmpty ? "" : " '\(placeholder)'"))
    }
    let known = ["id", "title", "run", "url", "launch", "http", "snooze", "input"]
    for (key, value) in words.sorted(by: { $0.key < $1.key }) where !known.contains(key) {
      effects.append(value == .flag(true) ? key : "\(key) \(text(value))")
    }
    return (title.map { "\($0) (\(id))" } ?? id) + (effects.isEmpty ? "" : ": " + effects.joined(separator: ", "))
  }
}
