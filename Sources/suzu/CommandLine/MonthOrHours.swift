// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Triggers

/// A date in an expression that looks like a range of hours: in `Mon..Fri 9-17`, as in systemd, `9-17` is 17 September.
enum MonthOrHours {
  /// What to write if hours are meant; nil if the expression has no such date, or names a time.
  static func warning(_ expression: String) -> String? {
    let words = expression.split(separator: " ").map(String.init)
    guard !expression.contains(":"), (try? CalendarExpression.parse(expression)) != nil,
      let date = words.first(where: { isBoth($0) })
    else { return nil }
    let hours = words.map { $0 == date ? $0.replacing("-", with: "..") + ":00" : $0 }.joined(separator: " ")
    guard (try? CalendarExpression.parse(hours)) != nil else { return nil }
    return "'\(date)' is a month and a day; for the hours, write '\(PrintableText.line(hours, atMost: 60))'"
  }

  private static func isBoth(_ word: String) -> Bool {
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.count) }), let first = Int(parts[0]),
      let last = Int(parts[1])
    else { return false }
    return 1...12 ~= first && first < last && last < 24
  }
}
