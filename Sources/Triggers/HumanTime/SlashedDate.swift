// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

/// A date with slashes, such as `14/06/2035`: it is refused, because some countries write the month first, and others
/// the day. The error shows the dates that it may be.
struct SlashedDate {
  private let text: String
  /// The year if there is one, and the two other numbers.
  private let year: Int?
  private let first, second: Int

  init?(_ text: String) {
    guard var reader = try? Scanner(text, example: ""), text.contains("/") else { return nil }
    var numbers: [(value: Int, digits: Int)] = []
    repeat {
      let start = reader.column
      guard let number = reader.number(digits: 4) else { return nil }
      numbers.append((number, reader.column - start))
    } while reader.take("/")
    guard reader.isAtEnd, (2...3).contains(numbers.count) else { return nil }
    self.text = text
    if numbers.count == 2 {
      year = nil
    } else if numbers[0].digits == 4 {
      year = numbers.removeFirst().value
      // A year in front is followed by the month everywhere.
      (first, second) = (numbers[1].value, numbers[0].value)
      guard let year, Self.date(first, second, year) != nil else { return nil }
      return
    } else {
      let last = numbers.removeLast()
      year = last.digits == 2 ? 2000 + last.value : last.value
    }
    (first, second) = (numbers[0].value, numbers[1].value)
  }

  private static func date(_ day: Int, _ month: Int, _ year: Int) -> CivilDate? {
    CivilDate(year: year, month: month, day: day)
  }

  private func written(day: Int, month: Int) -> String? {
    // A leap year has every day that a year can have.
    guard Self.date(day, month, year ?? 2000) != nil else { return nil }
    if let year { return Self.date(day, month, year)?.description }
    return "'\(day) \(HumanTimeReader.monthNames[month - 1])'"
  }

  /// The error for a date with slashes among other words, with the whole text to write instead; nil if there is none.
  static func error(in words: [String]) -> TriggerError? {
    for (index, word) in words.enumerated() {
      guard let date = SlashedDate(word) else { continue }
      let texts = date.dates.map { text in
        let plain = text.hasPrefix("'") ? String(text.dropFirst().dropLast()) : text
        return "'\((words[..<index] + [plain] + words[(index + 1)...]).joined(separator: " "))'"
      }
      guard !texts.isEmpty else { return nil }
      return TriggerError(
        .invalid, "\(word.inQuotes) is \(texts.count > 1 ? "ambiguous" : "not a date")",
        advice: "write \(texts.joined(separator: " or "))")
    }
    return nil
  }

  /// The dates that it may be, as they are written.
  private var dates: [String] {
    let isISO = text.utf8.prefix { $0 != UInt8(ascii: "/") }.count == 4
    let dates = [written(day: first, month: second), isISO ? nil : written(day: second, month: first)]
      .compactMap(\.self)
    return dates.count > 1 && first == second ? [dates[0]] : dates
  }

  /// The days and months that it may be; none if it has a year.
  var daysOfYear: [(day: Int, month: Int)] {
    guard year == nil else { return [] }
    let both = [(day: first, month: second), (day: second, month: first)]
    return both.filter { Self.date($0.day, $0.month, 2000) != nil }.prefix(first == second ? 1 : 2).map(\.self)
  }

  func error(column: Int?) -> TriggerError {
    let dates = dates
    guard let date = dates.first else {
      return TriggerError(.invalid, "\(text.inQuotes) is not a date", column: column, example: "2026-11-21")
    }
    guard dates.count > 1 else {
      return TriggerError(.invalid, "\(text.inQuotes) is not a date", column: column, advice: "write \(date)")
    }
    return TriggerError(
      .invalid, "\(text.inQuotes) is ambiguous", column: column, advice: "write \(dates.joined(separator: " or "))")
  }
}
