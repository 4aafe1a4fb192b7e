// SPDX-License-Identifier: Apache-2.0

/// A day of the week; the raw value is ISO 8601's, Monday 1 to Sunday 7.
public enum Weekday: Int, CaseIterable, Hashable, Sendable {
  case monday = 1
  case tuesday, wednesday, thursday, friday, saturday, sunday

  /// The day so many days later, or earlier if negative.
  public func adding(days: Int) -> Weekday {
    Weekday(index: (rawValue - 1) + days % 7)
  }

  /// How many days until the next such day, 0 to 6; 0 if it is this one.
  public func days(until other: Weekday) -> Int {
    let days = other.rawValue - rawValue
    return days < 0 ? days + 7 : days
  }

  /// The weekday of a day counted from 1970-01-01, which was a Thursday.
  init(dayNumber: Int) {
    self.init(index: dayNumber % 7 + 3)
  }

  /// Monday is 0; any number will do, as it is taken modulo 7.
  private init(index: Int) {
    let index = index % 7
    // A remainder of 7, made positive, is 0 to 6: plus 1, it is a raw value.
    self = Weekday(rawValue: (index < 0 ? index + 7 : index) + 1)!
  }
}
