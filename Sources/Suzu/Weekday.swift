// SPDX-License-Identifier: Apache-2.0

/// A day of the week, beginning with Monday.
public enum Weekday: Int, Hashable, Sendable, CaseIterable, Comparable {
  /// Monday.
  case monday = 1
  /// Tuesday.
  case tuesday
  /// Wednesday.
  case wednesday
  /// Thursday.
  case thursday
  /// Friday.
  case friday
  /// Saturday.
  case saturday
  /// Sunday.
  case sunday

  /// Whether it is earlier in the week.
  public static func < (left: Weekday, right: Weekday) -> Bool { left.rawValue < right.rawValue }

  /// The word of a schedule.
  var word: String {
    switch self {
    case .monday: "Mon"
    case .tuesday: "Tue"
    case .wednesday: "Wed"
    case .thursday: "Thu"
    case .friday: "Fri"
    case .saturday: "Sat"
    case .sunday: "Sun"
    }
  }
}

extension Set<Weekday> {
  /// Monday to Friday.
  public static var workdays: Set<Weekday> { [.monday, .tuesday, .wednesday, .thursday, .friday] }
  /// Saturday and Sunday.
  public static var weekend: Set<Weekday> { [.saturday, .sunday] }
}
