// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Triggers

/// A part of an expression that looks like a range of hours, and is none: as in systemd, `9-17` is 17 September, and
/// `10:00..18:00` is the minutes 0 to 18 of one hour.
enum MonthOrHours {
  /// What to write if hours are meant; nil if the expression has no such date, or names a time.
  static func warning(_ expression: String) -> String? {
    let words = expression.split(separator: " ").map(String.init)
    guard (try? CalendarExpression.parse(expression)) != nil else { return nil }
    if let times = minutesAndSeconds(words) { return times }
    for (place, word) in words.enumerated() {
      guard let hours = hours(from: word) else { continue }
      let better = (words[..<place] + [hours] + words[(place + 1)...]).joined(separator: " ")
      guard (try? CalendarExpression.parse(better)) != nil else { return nil }
      return "'\(word)' is minutes of one hour; for the hours, write '\(PrintableText.line(better, atMost: 60))'"
    }
    guard !expression.contains(":"), let date = words.first(where: { isBoth($0) }) else { return nil }
    let hours = words.map { $0 == date ? $0.replacing("-", with: "..") + ":00" : $0 }.joined(separator: " ")
    guard (try? CalendarExpression.parse(hours)) != nil else { return nil }
    return "'\(date)' is a month and a day; for the hours, write '\(PrintableText.line(hours, atMost: 60))'"
  }

  /// The warning about `8:00,12:00`, which is eight o'clock and twelve minutes past eight.
  private static func minutesAndSeconds(_ words: [String]) -> String? {
    guard
      let word = words.first(where: { word in
        let times = word.split(separator: ",", omittingEmptySubsequences: false)
        return times.count > 1 && times.allSatisfy { UnquotedTime.isTime(String($0)) && $0.contains(":") }
      }), let times = SeveralTimes(words.joined(separator: " "))
    else { return nil }
    return "'\(word)' is minutes and seconds of one hour; for these times, \(times.advice)"
  }

  /// The hours that a word like `10:00..18:00` probably means.
  private static func hours(from word: String) -> String? {
    let ends = word.split(separator: ".").map { $0.split(separator: ":") }
    guard word.contains(".."), ends.count == 2, ends.allSatisfy({ $0.count == 2 && $0[1] == "00" }),
      let first = Int(ends[0][0]), let last = Int(ends[1][0]), first < last
    else { return nil }
    return "\(ends[0][0])..\(ends[1][0]):00"
  }

  private static func isBoth(_ word: String) -> Bool {
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.count) }), let first = Int(parts[0]),
      let last = Int(parts[1])
    else { return false }
    return 1...12 ~= first && first < last && last < 24
  }
}
