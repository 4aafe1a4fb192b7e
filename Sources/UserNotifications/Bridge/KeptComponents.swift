// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Date components as a property list.
extension DateComponents {
  private static let numbers: [(name: String, path: any WritableKeyPath<DateComponents, Int?> & Sendable)] = [
    ("era", \.era), ("year", \.year), ("month", \.month), ("day", \.day), ("hour", \.hour), ("minute", \.minute),
    ("second", \.second), ("nanosecond", \.nanosecond), ("weekday", \.weekday), ("weekdayOrdinal", \.weekdayOrdinal),
    ("quarter", \.quarter), ("weekOfMonth", \.weekOfMonth), ("weekOfYear", \.weekOfYear),
    ("yearForWeekOfYear", \.yearForWeekOfYear), ("dayOfYear", \.dayOfYear),
  ]

  private static let calendars: [(name: String, identifier: Calendar.Identifier)] = [
    ("gregorian", .gregorian), ("buddhist", .buddhist), ("chinese", .chinese), ("coptic", .coptic),
    ("ethiopicAmeteMihret", .ethiopicAmeteMihret), ("ethiopicAmeteAlem", .ethiopicAmeteAlem), ("hebrew", .hebrew),
    ("iso8601", .iso8601), ("indian", .indian), ("islamic", .islamic), ("islamicCivil", .islamicCivil),
    ("japanese", .japanese), ("persian", .persian), ("republicOfChina", .republicOfChina),
    ("islamicTabular", .islamicTabular), ("islamicUmmAlQura", .islamicUmmAlQura),
  ]

  /// The numbers that are given, by the names of the properties.
  var given: [String: Int] {
    var given: [String: Int] = [:]
    for (name, path) in Self.numbers {
      // In some components, a number that is not given is the largest one.
      if let number = self[keyPath: path], number != Int.max { given[name] = number }
    }
    return given
  }

  var kept: KeptValues {
    var values: [String: Any] = given
    if let isLeapMonth { values["isLeapMonth"] = isLeapMonth }
    if let calendar {
      values["calendar"] = Self.calendars.first { $0.identifier == calendar.identifier }?.name
    }
    if let timeZone { values["timeZone"] = timeZone.identifier }
    return KeptValues(values)
  }

  init(kept: KeptValues) {
    self.init()
    for (name, path) in Self.numbers { self[keyPath: path] = kept.integer(name) }
    isLeapMonth = kept["isLeapMonth"]
    if let name = kept.text("calendar"), let known = Self.calendars.first(where: { $0.name == name }) {
      calendar = Calendar(identifier: known.identifier)
    }
    timeZone = kept.text("timeZone").flatMap { TimeZone(identifier: $0) }
  }
}
