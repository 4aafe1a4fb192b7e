// SPDX-License-Identifier: Apache-2.0

/// Arithmetic of the proleptic Gregorian calendar for any year: 400 years always have 146,097 days, a whole number of
/// weeks. Years are counted from March, so that the leap day comes last.
enum Gregorian {
  static let daysPer400Years = 146_097
  /// Days from 0000-03-01 to 1970-01-01.
  private static let daysToEpoch = 719_468

  @inline(__always)
  static func isLeap(_ year: Int) -> Bool {
    year & 3 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  @inline(__always)
  static func days(inMonth month: Int, of year: Int) -> Int {
    // 31 in odd months up to July and in even ones from August.
    month == 2 ? (isLeap(year) ? 29 : 28) : 30 + ((month ^ (month >> 3)) & 1)
  }

  @inline(__always)
  static func days(inYear year: Int) -> Int { isLeap(year) ? 366 : 365 }

  /// Days from 1970-01-01; `day` may be outside the month.
  @inline(__always)
  static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = floorDivide(year, 400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * daysPer400Years + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - daysToEpoch
  }

  /// The date that many days after 1970-01-01.
  @inline(__always)
  static func date(_ dayNumber: Int) -> (year: Int, month: Int, day: Int) {
    let days = dayNumber + daysToEpoch
    let era = floorDivide(days, daysPer400Years)
    let dayOfEra = days - era * daysPer400Years
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  @inline(__always)
  static func floorDivide(_ dividend: Int, _ divisor: Int) -> Int {
    (dividend < 0 ? dividend - (divisor - 1) : dividend) / divisor
  }
}
