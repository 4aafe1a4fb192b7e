// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

extension CalendarExpression {
  /// An expression with another time of day: `Mon,Tue 08:00` for `Mon,Tue 07:30` and `08:00`.
  ///
  /// Returns nil if `time` is more than a time, or if `old` is no such expression, or names no days to keep.
  public static func text(_ old: String, at time: String) -> String? {
    guard let words = try? Scanner(time, example: "").words(), words.count == 1, words[0].text.contains(":"),
      !words[0].text.contains(where: { "-~@".contains($0) }), (try? parse(time)) != nil, let old = try? parse(old)
    else { return nil }
    var parts: [String] = []
    if old.weekdays != .all { parts.append(old.weekdays.text) }
    if ![old.years, old.months, old.days].allSatisfy(\.isEverything) { parts.append(old.date) }
    if parts.isEmpty && old.zone == nil { return nil }
    return (parts + [words[0].text, old.zone].compactMap(\.self)).joined(separator: " ")
  }
}
