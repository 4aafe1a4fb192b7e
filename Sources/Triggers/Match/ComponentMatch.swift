// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
public import Zoneinfo

/// Dates that match given components, like Apple's calendar trigger: `{"weekday": 2, "hour": 7}`.
///
/// A missing component matches any value if it is larger than the largest given one, and has its lowest value if it is
/// smaller: `{"month": 3}` is 1 March 00:00 of every year, `{"minute": 30}` half past every hour. So there is one date
/// in each period of the smallest unit above the largest given one. Dates are strict: a month without a 31st has no
/// such date. Weeks are Apple's Gregorian ones: they begin on Sunday, and the first one contains 1 January, or the 1st
/// of the month.
public struct ComponentMatch: Sendable {
  /// The components, by Apple's names.
  public enum Component: String, CaseIterable, Sendable {
    /// 1: our era; earlier years are in the past.
    case era
    /// 1 to 9999.
    case year
    /// The year that a week belongs to.
    case yearForWeekOfYear
    /// 1 to 4.
    case quarter
    /// 1 to 12.
    case month
    /// 1 to 53; week 1 contains 1 January.
    case weekOfYear
    /// 1 to 6; week 1 contains the 1st.
    case weekOfMonth
    /// 1 to 5: the first, second … such weekday of the month.
    case weekdayOrdinal
    /// 1 (Sunday) to 7.
    case weekday
    /// 1 to 31.
    case day
    /// 1 to 366.
    case dayOfYear
    /// 0 to 23.
    case hour
    /// 0 to 59.
    case minute
    /// 0 to 59.
    case second

    var range: ClosedRange<Int> {
      switch self {
      case .era: 1...1
      case .year, .yearForWeekOfYear: CivilDate.years
      case .quarter: 1...4
      case .month: 1...12
      case .weekOfYear: 1...53
      case .weekOfMonth: 1...6
      case .weekdayOrdinal: 1...5
      case .weekday: 1...7
      case .day: 1...31
      case .dayOfYear: 1...366
      case .hour: 0...23
      case .minute, .second: 0...59
      }
    }
  }

  /// The given components.
  public let components: [Component: Int]
  private let pattern: CalendarPattern<MatchedDays>

  /// Throws if a value is out of range, or no date matches all components.
  public init(_ components: [Component: Int]) throws(TriggerError) {
    var search = DateSearch()
    try self.init(components, &search)
  }

  private init(_ components: [Component: Int], _ search: inout DateSearch) throws(TriggerError) {
    let example = "{\"weekday\": 2, \"hour\": 7, \"minute\": 30}"
    for component in Component.allCases {
      guard let value = components[component], !component.range.contains(value) else { continue }
      let range = component.range
      throw TriggerError(
        .impossible, "\(component.rawValue) must be \(range.lowerBound) to \(range.upperBound), not \(value)",
        example: example)
    }
    guard components.keys.contains(where: { $0 != .era }) else {
      throw TriggerError(.invalid, "at least one component must be given", example: example)
    }
    self.components = components
    pattern = CalendarPattern(
      days: MatchedDays(components), times: TimesOfDay(components), namesHours: components.namesHours)
    guard try pattern.first(from: .first, &search) != nil else {
      throw TriggerError(.impossible, "no date has all of these components", example: example)
    }
  }

  /// Parses names and values, as in JSON.
  public init(named values: [String: Int]) throws(TriggerError) {
    var search = DateSearch()
    try self.init(named: values, &search)
  }

  /// The names of all components.
  public static let names = Set(Component.allCases.map(\.rawValue))

  /// The names that other programs have for components.
  private static let other: [String: Component] = [
    "dow": .weekday, "dayofweek": .weekday, "mday": .day, "dayofmonth": .day, "date": .day, "yday": .dayOfYear,
    "week": .weekOfYear, "min": .minute, "mins": .minute, "sec": .second, "secs": .second,
  ]

  init(named values: [String: Int], _ search: inout DateSearch) throws(TriggerError) {
    var components: [Component: Int] = [:]
    for (name, value) in values {
      guard let component = Component(rawValue: name) else {
        let known = Component.allCases.map(\.rawValue)
        if let near = Self.other[name.lowercased()]?.rawValue ?? name.misspelling(ofOneOf: known) {
          throw TriggerError(.invalid, "unknown component \(name.inQuotes)", advice: "did you mean '\(near)'?")
        }
        throw TriggerError(
          .invalid, "unknown component \(name.inQuotes); known are: \(known.joined(separator: ", "))")
      }
      components[component] = value
    }
    try self.init(components, &search)
  }
}

extension ComponentMatch: WallDates {
  /// Whether an hour is given or follows from a day; `{"minute": 30}` fires in every hour.
  public var namesHours: Bool { pattern.namesHours }
  /// Returns the first date that is not before `moment`.
  public func first(from moment: CivilDateTime, _ search: inout DateSearch) throws(TriggerError) -> CivilDateTime? {
    try pattern.first(from: moment, &search)
  }
  /// Counts the dates from `start` on and before `end`.
  public func count(
    from start: CivilDateTime, before end: CivilDateTime, _ search: inout DateSearch
  ) throws(TriggerError) -> Int {
    try pattern.count(from: start, before: end, &search)
  }
}

extension ComponentMatch: CustomStringConvertible {
  /// `weekday=2 hour=7`, the largest first.
  public var description: String {
    Component.allCases.compactMap { component in components[component].map { "\(component.rawValue)=\($0)" } }
      .joined(separator: " ")
  }
}

extension [ComponentMatch.Component: Int] {
  var hasDay: Bool { keys.contains { ![.era, .hour, .minute, .second].contains($0) } }
  var namesHours: Bool { hasDay || self[.hour] != nil }
}

extension TimesOfDay {
  fileprivate init(_ components: [ComponentMatch.Component: Int]) {
    func values(_ component: ComponentMatch.Component, isFree: Bool, _ all: BitSet) -> BitSet {
      components[component].map { BitSet($0...$0) } ?? (isFree ? all : Self.zero)
    }
    let isOfEveryMinute = !components.namesHours && components[.minute] == nil
    self.init(
      hours: values(.hour, isFree: !components.namesHours, Self.allHours),
      minutes: values(.minute, isFree: isOfEveryMinute, Self.allSixty),
      seconds: values(.second, isFree: false, Self.allSixty))
  }
}
