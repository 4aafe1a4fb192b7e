// SPDX-License-Identifier: Apache-2.0

/// Dates in file names, which sort by time.
enum FileDate {
  /// `20261121T073000Z`
  static func text(_ time: Timestamp) -> String {
    let seconds = time.milliseconds.quotientAndRemainder(dividingBy: 1000).quotient
    let day = (Double(seconds) / 86_400).rounded(.down)
    let (year, month, date) = civil(Int64(day))
    let rest = seconds - Int64(day) * 86_400
    return padded(year, 4) + padded(month, 2) + padded(date, 2) + "T" + padded(rest / 3600, 2)
      + padded(rest / 60 % 60, 2) + padded(rest % 60, 2) + "Z"
  }

  /// Parses that form.
  static func time(_ text: Substring) -> Timestamp? {
    let digits = text.utf8.filter { (48...57).contains($0) }.map { Int64($0) - 48 }
    guard text.utf8.count == 16, digits.count == 14 else { return nil }
    func number(_ range: Range<Int>) -> Int64 { digits[range].reduce(0) { $0 * 10 + $1 } }
    let day = day(number(0..<4), number(4..<6), number(6..<8))
    return Timestamp(
      milliseconds: (day * 86_400 + number(8..<10) * 3600 + number(10..<12) * 60 + number(12..<14)) * 1000)
  }

  /// The days since 1970 of a Gregorian date, by the same algorithm.
  private static func day(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func padded(_ number: Int64, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// The Gregorian date of a day since 1970, by [H. Hinnant](https://howardhinnant.github.io/date_algorithms.html).
  private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }
}
