// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// A command line that lacks `notify`, such as `suzu Tea in 5m`, `suzu at 8:00 Tea` or `suzu Tea --in 5m`.
struct GuessedNotify {
  /// The whole command line, as it should be typed.
  let command: String

  /// Returns nil if the words name no time.
  init?(_ words: [String]) {
    guard words.count < 40 else { return nil }
    var words = words
    if let first = words.first?.lowercased(), Self.heads.contains(first) {
      words.removeFirst()
      if words.first?.lowercased() == "me" { words.removeFirst() }
    }
    let found = words.contains { $0.hasPrefix("--") } ? Self.withFlags(words) : Self.withoutFlags(words)
    guard let found else { return nil }
    command =
      found.title.isEmpty
      ? "suzu notify TITLE \(found.flags)" : CommandWords.command("notify", found.title, found.flags)
  }

  /// The commands of other programs.
  private static let heads: Set = [
    "remind", "reminder", "remindme", "timer", "alarm", "add", "new", "create", "send", "schedule", "set", "notify-me",
    "notification",
  ]

  /// The words before a time, and the flag that they mean.
  private static let markers = [
    "in": "in", "after": "in", "for": "in", "at": "at", "on": "at", "every": "every", "each": "every",
  ]

  private static func withFlags(_ words: [String]) -> (title: String, flags: String)? {
    let known = Verb.notify.flags
    guard let arguments = try? Arguments(words, flags: known, of: Verb.notify.name),
      ["in", "at", "every"].contains(where: arguments.has)
    else { return nil }
    var flags: [String] = []
    for flag in known {
      for value in arguments.all(flag.name) {
        guard flag.value != nil else {
          flags.append("--\(flag.name)")
          continue
        }
        var (name, text) = (flag.name, value)
        if ["in", "at", "every"].contains(name) {
          guard let right = Self.right(name, value) else { return nil }
          (name, text) = right
        }
        flags.append("--\(name) \(CommandWords.quoted(text))")
      }
    }
    return (arguments.words.joined(separator: " "), flags.joined(separator: " "))
  }

  private static func withoutFlags(_ words: [String]) -> (title: String, flags: String)? {
    for hasMarker in [true, false] {
      for index in words.indices {
        let marker = markers[words[index].lowercased().drop { "-–—".contains($0) }.description]
        guard hasMarker == (marker != nil) else { continue }
        let start = hasMarker ? index + 1 : index
        // The longest time first: 'tomorrow 7:30' begins with another one.
        for count in stride(from: min(5, words.count - start), to: 0, by: -1) {
          let text = words[start..<start + count].joined(separator: " ")
          guard text.utf8.count <= 60, let (flag, value) = marker.map({ right($0, text) }) ?? alone(text) else {
            continue
          }
          let title = (words[..<index] + words[(start + count)...]).joined(separator: " ")
          return (title, "--\(flag) \(CommandWords.quoted(value))")
        }
      }
    }
    return nil
  }

  /// A time without a word before it: it must be more than a number or the name of a day.
  private static func alone(_ text: String) -> (flag: String, value: String)? {
    guard text.first?.isNumber == true && Int(text) == nil || text.contains(":") else { return nil }
    if let delay = try? Duration.parse(text) { return ("in", delay.text) }
    return right("at", text)
  }

  /// The flag and its value in a form that is accepted; nil if the text is no such time.
  private static func right(_ flag: String, _ text: String) -> (flag: String, value: String)? {
    switch flag {
    case "in":
      if (try? Duration.parse(text)) != nil { return ("in", text) }
      return (Duration.worded(text) ?? SpokenDelay("in \(text)")?.duration).map { ("in", $0.text) }
    case "every":
      if (try? Duration.parse(text)) != nil { return ("every", text) }
      if let duration = Duration.worded(text) { return ("every", duration.text) }
      // 'every day at 9:00' in the right form. Any word at the end may be a zone, also a title.
      let right = (try? CalendarExpression.parse(text)) == nil ? CompletedSchedule.advised("every " + text) : text
      guard let right, let expression = try? CalendarExpression.parse(right), expression.zone?.contains("/") != false
      else { return nil }
      return ("every", right)
    default:
      guard let time = try? HumanTime.parse(text, now: LocalTime.current().now, zone: .utc) else { return nil }
      if case .elapsed(let delay) = time.meaning { return ("in", delay.text) }
      return ("at", text)
    }
  }
}
