// SPDX-License-Identifier: Apache-2.0
public import Zoneinfo

/// Dates excluded from a recurrence: RFC 5545's [EXDATE](https://www.rfc-editor.org/rfc/rfc5545#section-3.8.5.1), as
/// single wall clock times or as whole days.
public struct ExceptionDates: Hashable, Sendable {
  /// Exactly these times.
  package let moments: Set<CivilDateTime>
  /// All dates on these days.
  public let days: Set<CivilDate>
  private let sortedMoments: [CivilDateTime]
  private let sortedDays: [CivilDate]

  /// Creates no exceptions by default.
  public init(moments: Set<CivilDateTime> = [], days: Set<CivilDate> = []) {
    self.moments = moments
    self.days = days
    sortedMoments = moments.sorted()
    sortedDays = days.sorted()
  }

  /// Parses `20261224T180000,20261225`, with or without `EXDATE:` or `EXDATE;VALUE=DATE:` before it.
  public static func parse(_ text: String) throws(TriggerError) -> ExceptionDates {
    let example = "EXDATE:20261224T180000,20261225"
    var reader = try Scanner(text, example: example)
    reader.skipBlanks()
    if reader.takeWord("EXDATE") {
      guard let colon = reader.split(":").dropFirst().first else {
        throw reader.problem("':' is missing", example: example)
      }
      reader = colon
    }
    var (moments, days) = (Set<CivilDateTime>(), Set<CivilDate>())
    for part in reader.split(",") {
      var part = part
      let start = part
      guard let date = part.compactDate() else { throw start.problem("expected a date", example: example) }
      if part.takeWord("T") {
        guard let time = part.compactTime() else {
          throw start.problem("expected a date and time", example: example)
        }
        moments.insert(CivilDateTime(date, time))
      } else {
        days.insert(date)
      }
      guard part.isAtEnd else { throw part.problem("local dates are expected, without a zone", example: example) }
    }
    return ExceptionDates(moments: moments, days: days)
  }

  /// Where to continue the search if this date is excluded; the last supported second stays.
  func end(of date: CivilDateTime) -> CivilDateTime? {
    if days.contains(date.date) { return date.date.adding(days: 1).map { CivilDateTime($0, .midnight) } }
    return moments.contains(date) ? date.adding(seconds: 1) : nil
  }

  /// Counts the given dates that are excluded.
  func count(
    in dates: any WallDates, from start: CivilDateTime, before end: CivilDateTime, _ search: inout DateSearch
  ) throws(TriggerError) -> Int {
    var count = 0
    for moment in Self.part(of: sortedMoments, from: start, before: end) where !days.contains(moment.date) {
      try search.take()
      if try dates.contains(moment, &search) { count += 1 }
    }
    let lastDay = end.adding(seconds: -1)?.date ?? end.date
    for day in Self.part(of: sortedDays, from: start.date, before: lastDay.adding(days: 1) ?? lastDay) {
      try search.take()
      let midnight = CivilDateTime(day, .midnight)
      let next = day.adding(days: 1).map { CivilDateTime($0, .midnight) } ?? .last
      count += try dates.count(from: max(start, midnight), before: min(end, next), &search)
    }
    return count
  }

  private static func part<Date: Comparable>(
    of sorted: [Date], from start: Date, before end: Date
  ) -> ArraySlice<Date> {
    func place(_ date: Date) -> Int {
      var (low, high) = (0, sorted.count)
      while low < high {
        let middle = (low + high) / 2
        if sorted[middle] < date { low = middle + 1 } else { high = middle }
      }
      return low
    }
    let first = place(start)
    return sorted[first..<max(first, place(end))]
  }
}
