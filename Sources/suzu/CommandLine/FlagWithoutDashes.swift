// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// A flag of a time that lacks its two dashes, or has a long dash, behind the title: `Tea in 4m`, `Tea —at 8:00`.
struct FlagWithoutDashes {
  /// The flag and its value, as they should be typed.
  let flag: String

  init?(_ words: [String]) {
    for index in words.indices.dropFirst().dropLast() {
      let value = words[(index + 1)...].joined(separator: " ")
      let name = words[index].lowercased().drop { "-–—".contains($0) }
      guard value.utf8.count <= 100, Self.isValue(value, of: name) else { continue }
      flag = "--\(name) \(CommandWords.quoted(value))"
      return
    }
    return nil
  }

  private static func isValue(_ text: String, of flag: Substring) -> Bool {
    switch flag {
    case "in": (try? Duration.parse(text)) != nil
    case "every": (try? CalendarExpression.parse(text)) != nil || (try? Duration.parse(text)) != nil
    case "at":
      (try? HumanTime.parse(text, now: Instant(0), zone: .utc, acceptsToday: true)) != nil
    default: false
    }
  }
}
