// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

extension CalendarExpression {
  /// The same dates as an RFC 5545 rule that begins with one of them; nil if a rule cannot express them: years, and
  /// days that count from the month's end with a step.
  public var rule: String? {
    guard years.isEverything, !hours.isEverything, !minutes.isEverything, !seconds.isEverything else { return nil }
    var parts = ["FREQ=DAILY"]
    func add(_ name: String, _ field: CalendarField, _ range: ClosedRange<Int>) {
      guard !field.isEverything else { return }
      parts.append("\(name)=\(field.values(in: range).map { String($0) }.joined(separator: ","))")
    }
    add("BYMONTH", months, 1...12)
    if daysAreFromEnd {
      // A step goes forwards from a day that depends on the month's length.
      guard days.spans.allSatisfy({ ($0.step ?? 1) == 1 && ($0.step == nil || $0.stop != nil) }) else { return nil }
      let numbers = days.spans.flatMap { Array($0.start...($0.stop ?? $0.start)) }
      parts.append("BYMONTHDAY=\(numbers.map { String(-$0) }.joined(separator: ","))")
    } else {
      add("BYMONTHDAY", days, 1...31)
    }
    if weekdays != .all {
      let named = Weekday.allCases.filter { weekdays.contains(Weekdays($0)) }
      parts.append("BYDAY=\(named.map(\.code).joined(separator: ","))")
    }
    add("BYHOUR", hours, 0...23)
    add("BYMINUTE", minutes, 0...59)
    add("BYSECOND", seconds, 0...59)
    return parts.joined(separator: ";")
  }
}
