// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// Parses a time that has passed: `2h` (ago), `yesterday 18:00`, `mon`, `2026-11-21 07:30`.
///
/// Elsewhere `mon` and `07:30` are the next such time; here they are the latest.
enum PastTime {
  /// - Parameter what: names the text in errors, such as `--since`.
  static func parse(_ text: String, _ what: String, time: LocalTime) throws(CommandError) -> Instant {
    let typed = "'\(what) \(PrintableText.line(text, atMost: 60))'"
    do throws(TriggerError) {
      let rules = try time.rules(nil)
      let today = rules.civil(at: time.now)?.date ?? .first
      let words = text.split(whereSeparator: \.isWhitespace).map { word in
        switch word.lowercased() {
        case "today": today.description
        case "yesterday": (today.adding(days: -1) ?? today).description
        default: String(word)
        }
      }
      let plain = (words.last?.lowercased() == "ago" ? words.dropLast() : words[...]).joined(separator: " ")
      // A weekday or a time names its next date, so the latest one is found from an earlier day.
      let isFuture = words.contains { ["in", "next", "tomorrow", "tonight"].contains($0.lowercased()) }
      for days in isFuture ? [0] : [0, 1, 7, 366] as [Int64] {
        let start = time.now.adding(seconds: -days * 86_400)
        let read = try HumanTime.parse(plain, now: start, zone: rules)
        if case .elapsed(let delay) = read.meaning, !isFuture {
          return time.now.adding(seconds: -delay.components.seconds)
        }
        let instant = read.instant(now: start, zone: rules)
        if instant <= time.now { return instant }
      }
    } catch {
      throw time.problem
        ?? .usage("\(typed) must be a time in the past, such as 2h, yesterday or '2026-11-21 07:30'")
    }
    throw .usage("\(typed) is in the future")
  }
}
