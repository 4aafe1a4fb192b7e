// SPDX-License-Identifier: Apache-2.0
package import Zoneinfo

/// Weekdays in words.
package enum WeekdayText {
  /// `every day`, `Monday to Friday`, `Monday, Tuesday and Thursday`.
  package static func text(_ days: Set<Weekday>) -> String {
    let sorted = Weekday.allCases.filter(days.contains)
    if sorted.count == 7 || sorted.isEmpty { return "every day" }
    if sorted == [.saturday, .sunday] { return "weekends" }
    let names = sorted.count > 2 ? sorted.map(\.shortName) : sorted.map(\.longName)
    if sorted.count > 2, let first = sorted.first, let last = sorted.last,
      last.rawValue - first.rawValue == sorted.count - 1
    {
      return "\(first.longName) to \(last.longName)"
    }
    return names.count == 1 ? names[0] : names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }
}
