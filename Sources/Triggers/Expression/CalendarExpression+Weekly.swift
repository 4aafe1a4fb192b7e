// SPDX-License-Identifier: Apache-2.0
package import Zoneinfo

extension CalendarExpression {
  /// Its weekdays, Monday first, and its time of day; nil for an expression that has more: `Mon,Tue 07:30`, or `07:30`
  /// for all days.
  package var weekly: (days: [Weekday], time: CivilTime)? {
    func value(_ field: CalendarField) -> Int? {
      guard field.spans.count == 1, let span = field.spans.first, span.stop == nil, span.step == nil else { return nil }
      return span.start
    }
    guard zone == nil, years.isEverything, months.isEverything, days.isEverything, value(seconds) == 0,
      let hour = value(hours), let minute = value(minutes), let time = CivilTime(hour: hour, minute: minute)
    else { return nil }
    return (Weekday.allCases.filter { weekdays.contains(Weekdays($0)) }, time)
  }

  /// The text of such an expression.
  package static func weekly(on days: Set<Weekday>, at time: CivilTime) -> String {
    let clock = String("\(time)".prefix(5))
    let weekdays = Weekdays(days.map { Weekdays($0) })
    return weekdays == .all || weekdays.isEmpty ? clock : "\(weekdays.text) \(clock)"
  }
}
