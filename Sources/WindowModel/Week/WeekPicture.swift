// SPDX-License-Identifier: Apache-2.0
package import Zoneinfo

/// Seven days of the page *Upcoming* as a grid: a column for each day, and a row for each hour of the clock.
package struct WeekPicture: Equatable, Sendable {
  package static let dayCount = 7
  package static let hourCount = 24
  /// The most lines of a cell: of more dates than these, the last line says how many there are.
  package static let lines = 3

  package struct Day: Hashable, Sendable {
    package let date: CivilDate
    /// `Today`, `Fri 27`.
    package let title: String
    /// `Friday, 27 November`.
    package let spoken: String
    package let isToday: Bool
  }

  /// Where a date stands.
  package struct Place: Hashable, Sendable {
    /// The column, from 0.
    package let day: Int
    package let hour: Int

    package init(day: Int, hour: Int) { (self.day, self.hour) = (day, hour) }
  }

  /// One date of a request, or a request without one.
  package struct Item: Hashable, Sendable {
    package let row: UpcomingRow
    /// When; nil for what is due or waits for a condition.
    package let date: Instant?
    /// The time of day: `09:30`; empty without a date.
    package let time: String

    /// Whether it is a later date of a request that repeats.
    package var isLater: Bool { date != row.next }

    /// What a screen reader says.
    package func spoken(_ clock: LocalClock) -> String { row.spoken(clock, at: date) }
  }

  /// What has the same hour, or no date.
  package struct Cell: Hashable, Sendable {
    package fileprivate(set) var shown: [Item] = []
    /// How many there are besides these.
    package fileprivate(set) var hiddenCount = 0
    /// The first of those.
    package fileprivate(set) var firstHidden: Item?

    /// `+3 more`; nil if all are shown.
    package var more: String? { hiddenCount == 0 ? nil : "+\(hiddenCount) more" }
    /// The number of lines.
    package var count: Int { shown.count + (hiddenCount == 0 ? 0 : 1) }

    fileprivate init(_ items: some Collection<Item>) {
      let most = items.count > lines ? lines - 1 : lines
      shown = Array(items.prefix(most))
      hiddenCount = items.count - shown.count
      firstHidden = items.dropFirst(most).first
    }
  }

  package let days: [Day]
  /// What has dates in these days; places with nothing have no cell.
  package let cells: [Place: Cell]
  /// What has no date.
  package let undated: Cell
  /// What comes first after these days.
  package let later: Item?
  /// The moment at which these days end.
  package let end: Instant?

  /// - Parameters:
  ///   - rows: what is not shown yet, in the order of the center.
  ///   - first: the first day; nil for today.
  package init(_ rows: [UpcomingRow], from first: CivilDate? = nil, _ clock: LocalClock) {
    let today = clock.rules.civil(at: clock.now)?.date ?? .first
    let first = min(first ?? today, CivilDate.last.adding(days: 1 - Self.dayCount) ?? .last)
    let days = (0..<Self.dayCount).compactMap { first.adding(days: $0) }.map { Day($0, today, clock) }
    let end = first.adding(days: Self.dayCount).map { clock.rules.resolve(CivilDateTime($0, .midnight)) }
    let start = clock.rules.resolve(CivilDateTime(first, .midnight))
    var (found, undated): ([Place: [Item]], [Item]) = ([:], [])
    var later: Item?
    for row in rows {
      guard let next = row.next else {
        undated.append(Item(row: row, date: nil, time: ""))
        continue
      }
      if let end, next >= end {
        later = later ?? Item(row: row, date: next, time: row.time)
        continue
      }
      for date in [next] + RepeatedDates.after(next, of: row.request, from: start, before: end, clock) {
        guard let civil = clock.rules.civil(at: date) else { continue }
        let place = Place(day: civil.date.days(since: first), hour: civil.time.hour)
        guard 0..<Self.dayCount ~= place.day else { continue }
        found[place, default: []].append(Item(row: row, date: date, time: clock.minute(date)))
      }
    }
    (self.days, self.end, self.later) = (days, end, later)
    self.undated = Cell(undated)
    cells = found.mapValues { items in
      // What comes at the same moment stays in the order of the center.
      let sorted = items.enumerated().sorted {
        ($0.element.date ?? end ?? clock.now, $0.offset) < ($1.element.date ?? end ?? clock.now, $1.offset)
      }
      return Cell(sorted.map(\.element))
    }
  }

  /// Whether no date is in these days.
  package var isEmpty: Bool { cells.isEmpty }

  /// The hours that have something; nil if there are none.
  package var hours: ClosedRange<Int>? {
    let hours = cells.keys.map(\.hour)
    guard let first = hours.min(), let last = hours.max() else { return nil }
    return first...last
  }

  /// `Today to Wednesday, 2 December`.
  package var title: String { "\(days.first?.spoken ?? "") to \(days.last?.spoken ?? "")" }

  /// The first day of the seven that a date is in, counted in weeks from a day.
  package static func start(for date: Instant, from first: CivilDate, _ clock: LocalClock) -> CivilDate? {
    guard let day = clock.rules.civil(at: date)?.date else { return nil }
    let weeks = Int((Double(day.days(since: first)) / Double(dayCount)).rounded(.down))
    return first.adding(days: weeks * dayCount)
  }
}

extension WeekPicture.Day {
  fileprivate init(_ date: CivilDate, _ today: CivilDate, _ clock: LocalClock) {
    self.date = date
    isToday = date == today
    spoken = clock.day(date)
    title = isToday ? "Today" : "\(date.weekday.shortName) \(date.day)"
  }
}
