// SPDX-License-Identifier: Apache-2.0
public import Zoneinfo

/// Dates whose components are the given ones, as Apple's calendar trigger has them: `{"weekday": 2, "hour": 7}`.
///
/// A component that is absent is free if it is larger than the largest one given, and has its lowest value if it is
/// smaller: `{"month": 3}` is 1 March 00:00 of every year, `{"minute": 30}` half past every hour. So there is one date
/// in each period of the largest unit that lacks. Dates are strict: where a month has no 31st, there is none. Weeks are
/// Apple's Gregorian ones: they begin on Sunday, and the first is the one with 1 January, or the 1st of the month, in it.
public struct ComponentMatch: Sendable {
  /// What can be given, by Apple's names.
  public enum Component: String, CaseIterable, Sendable {
    /// 1: of our calendar, years before it have been.
    case era
    /// 1 to 9999.
    case year
    /// The year that a week is counted in.
    case yearForWeekOfYear
    /// 1 to 4.
    case quarter
    /// 1 to 12.
    case month
    /// 1 to 53, from the week with 1 January in it.
    case weekOfYear
    /// 1 to 6, from the week with the 1st in it.
    case weekOfMonth
    /// 1 to 5: the first, second … such weekday of the month.
    case weekdayOrdinal
    /// 1, Sunday, to 7.
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

  /// As they were given.
  public let components: [Component: Int]
  private let pattern: CalendarPattern<MatchedDays>

  /// Refused where a component cannot have its value, or no date has them all.
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

  /// From names and values, as JSON has them.
  public init(named values: [String: Int]) throws(TriggerError) {
    var search = DateSearch()
    try self.init(named: values, &search)
  }

  init(named values: [String: Int], _ search: inout DateSearch) throws(TriggerError) {
    var components: [Component: Int] = [:]
    for (name, value) in values {
      guard let component = Component(rawValue: name) else {
        let known = Component.allCases.map(\.rawValue).joined(separator: ", ")
        throw TriggerError(.invalid, "unknown component \(name.inQuotes); known are: \(known)")
      }
      components[component] = value
    }
    try self.init(components, &search)
  }
}

extension ComponentMatch: WallDates {
  /// Whether an hour is given or follows from a day; `{"minute": 30}` is of every hour.
  public var namesHours: Bool { pattern.namesHours }
  /// The first that is not before `moment`.
  public func first(from moment: CivilDateTime, _ search: inout DateSearch) throws(TriggerError) -> CivilDateTime? {
    try pattern.first(from: moment, &search)
  }
  /// How many there are from `start` on and before `end`.
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
