// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

/// A weekday of each month, or of each other week, in words: `last friday`, `first mon of the month 9:00`, `every other
/// tuesday`. Only a rule can express it.
struct OrdinalWeekday {
  /// The rule to use instead. Without a time it has an hour, for the user to change: a rule without any would be due at
  /// the time of day at which it was made.
  let rule: String

  init?(_ words: [String]) {
    var (ordinal, day, time) = (Int?.none, Weekday?.none, CivilTime?.none)
    var isOtherWeek = false
    var rest = words.map { $0.lowercased() }[...]
    while let word = rest.popFirst() {
      if let next = rest.first, let clock = HumanTimeReader.clock(word + next), next.first?.isLetter == true {
        rest.removeFirst()
        time = clock
      } else if let clock = HumanTimeReader.clock(word) {
        time = clock
      } else if let number = Self.ordinals[word], ordinal == nil {
        ordinal = number
      } else if word == "other" {
        isOtherWeek = true
      } else if let named = Weekday(misspelt: word), day == nil {
        day = named
      } else if !["every", "each", "of", "the", "in", "on", "at", "a", "month", "months", "monthly"].contains(word) {
        return nil
      }
    }
    // The second Tuesday of a month, not of each second week.
    guard let day, isOtherWeek != (ordinal != nil) else { return nil }
    let code = day.shortName.prefix(2).uppercased()
    let hour = time.map { $0.minute == 0 ? "BYHOUR=\($0.hour)" : "BYHOUR=\($0.hour);BYMINUTE=\($0.minute)" }
    let days = ordinal.map { "FREQ=MONTHLY;BYDAY=\($0)\(code)" } ?? "FREQ=WEEKLY;INTERVAL=2;BYDAY=\(code)"
    rule = days + ";" + (hour ?? "BYHOUR=9")
  }

  private static let ordinals = [
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5,
    "last": -1,
  ]
}
