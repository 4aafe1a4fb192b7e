// SPDX-License-Identifier: Apache-2.0

/// A day of the week; the raw value is that of ISO 8601, Monday 1 to Sunday 7.
public enum Weekday: Int, CaseIterable, Hashable, Sendable {
  case monday = 1
  case tuesday, wednesday, thursday, friday, saturday, sunday

  /// The weekday that many days later, or earlier if negative.
  public func adding(days: Int) -> Weekday {
    Weekday(index: (rawValue - 1) + days % 7)
  }

  /// Days until the next such weekday, 0 to 6; 0 if it is this one.
  public func days(until other: Weekday) -> Int {
    let days = other.rawValue - rawValue
    return days < 0 ? days + 7 : days
  }

  /// The weekday of a day number counted from 1970-01-01, a Thursday.
  init(dayNumber: Int) {
    self.init(index: dayNumber % 7 + 3)
  }

  /// Monday is 0; other values are taken modulo 7.
  private init(index: Int) {
    let index = index % 7
    // The remainder, made positive, is 0 to 6; plus 1 it is a raw value.
    self = Weekday(rawValue: (index < 0 ? index + 7 : index) + 1)!
  }
}
