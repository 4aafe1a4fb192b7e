// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// Parses a time that has passed: `2h` (ago), `yesterday 18:00`, `mon`, `2026-11-21 07:30`.
///
/// Elsewhere `mon` and `07:30` are the next such time; here they are the latest.
enum PastTime {
  private static let lengths = ["day": "1d", "week": "7d", "month": "30d", "year": "365d"]

  /// - Parameter what: names the text in errors, such as `--since`.
  static func parse(_ text: String, _ what: String, time: LocalTime) throws(CommandError) -> Instant {
    let typed = "'\(what) \(PrintableText.line(text, atMost: 60))'"
    let typedWords = text.split(whereSeparator: \.isWhitespace)
    let isLast = typedWords.first?.lowercased() == "last"
    if isLast, typedWords.count == 2, let length = lengths[typedWords[1].lowercased()] {
      throw .data("\(typed) names no day; write \(length) for the days up to now, or a date such as 2026-11-21")
    }
    do throws(TriggerError) {
      let rules = try time.rules(nil)
      let today = rules.civil(at: time.now)?.date ?? .first
      // The latest weekday is meant anyway.
      let words = typedWords.dropFirst(isLast ? 1 : 0).map { word in
        switch word.lowercased() {
        case "today": today.description
        case "yesterday": (today.adding(days: -1) ?? today).description
        default: String(word)
        }
      }
      let plain = (words.last?.lowercased() == "ago" ? words.dropLast() : words[...]).joined(separator: " ")
      // A weekday or a time names its next date, so the latest one is found from an earlier day.
      let isFuture = words.contains { ["in", "next", "tomorrow", "tonight"].contains($0.lowercased()) }
      for days in isFuture ? [0] : [0, 1, isLast ? 8 : 7, 366] as [Int64] {
        let start = time.now.adding(seconds: -days * 86_400)
        let read = try HumanTime.parse(plain, now: start, zone: rules)
        if case .elapsed(let delay) = read.meaning, !isFuture {
          return time.now.adding(seconds: -delay.components.seconds)
        }
        let instant = read.instant(now: start, zone: rules)
        // 'last friday' is none that began today.
        if instant <= time.now, !isLast || rules.civil(at: instant)?.date != today { return instant }
      }
    } catch {
      throw time.problem
        ?? .data("\(typed) must be a time in the past, such as 2h, yesterday or '2026-11-21 07:30'")
    }
    throw .data("\(typed) is in the future")
  }
}
