// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

/// Wall clock dates in a zone as moments, in order.
///
/// Between two clock changes a zone has a single offset, and dates and moments correspond; so the search goes from one
/// such period to the next. A period has the dates that the clocks show, and those skipped at its beginning, converted
/// with the previous offset. Of times shown for the second time, only dates that fire in every hour count.
struct LocalDates {
  let dates: any WallDates
  let rules: ZoneRules

  struct Found {
    let instant: Instant
    let wall: CivilDateTime
    let fold: Int
  }

  /// No clock was ever changed by more at once.
  static let farthestSet: Int64 = 26 * 3600

  /// The first date after a moment.
  func first(after moment: Instant, _ search: inout DateSearch) throws(TriggerError) -> Found? {
    var period = LocalPeriod(containing: moment.adding(seconds: -Self.farthestSet), rules)
    while true {
      try search.take()
      let shown = try firstShown(in: period, after: moment, &search)
      let skipped = try firstSkipped(in: period, after: moment, &search)
      if let skipped, skipped.instant < shown?.instant ?? .latest { return skipped }
      if let shown, shown.instant < period.end { return shown }
      // If no date comes soon, the next clock changes add none, either: neither repeated nor skipped ones.
      guard let next = LocalPeriod(after: period, rules) else { return nil }
      let farthest = shown?.instant.adding(seconds: -2 * Self.farthestSet) ?? .latest
      if period.end > max(moment, period.start).adding(seconds: Self.farthestSet) && period.end < farthest {
        guard shown != nil else { return nil }
        period = LocalPeriod(containing: farthest, rules)
      } else {
        period = next
      }
    }
  }

  /// Counts the dates after one moment, up to and including another.
  func count(
    after start: Instant, through end: Instant, _ search: inout DateSearch
  ) throws(TriggerError) -> Int {
    var count = 0
    var next: LocalPeriod? = LocalPeriod(containing: start.adding(seconds: -Self.farthestSet), rules)
    while let period = next, period.start <= end {
      try search.take()
      let before = count
      let (low, high) = (max(period.start, start.adding(seconds: 1)), min(period.end, end.adding(seconds: 1)))
      if low < high, let low = low.clamped(at: period.offset), let high = high.clamped(at: period.offset) {
        count += try dates.count(from: earliest(from: low, in: period), before: high, &search)
      }
      var moment = start
      while let skipped = try firstSkipped(in: period, after: moment, &search), skipped.instant <= end {
        // A date at the moment of another date counts as the same one.
        try search.take()
        let shown = skipped.instant.civil(at: period.offset)
        let isAnother = if let shown { try dates.contains(shown, &search) } else { false }
        if !isAnother { count += 1 }
        moment = skipped.instant
      }
      next = LocalPeriod(after: period, rules)
      // Without one here, there may be none for centuries.
      guard count == before, period.end < end else { continue }
      guard let found = try first(after: max(start, period.end.adding(seconds: -Self.farthestSet)), &search),
        found.instant <= end
      else { break }
      let near = found.instant.adding(seconds: -2 * Self.farthestSet)
      if near > period.end { next = LocalPeriod(containing: near, rules) }
    }
    return count
  }

  /// The result may be after the period's end, where it belongs to another period.
  private func firstShown(
    in period: LocalPeriod, after moment: Instant, _ search: inout DateSearch
  ) throws(TriggerError) -> Found? {
    guard let low = max(period.start, moment.adding(seconds: 1)).clamped(at: period.offset),
      let wall = try dates.first(from: earliest(from: low, in: period), &search)
    else { return nil }
    return Found(instant: Instant(wall, at: period.offset), wall: wall, fold: wall < period.shownBefore ? 1 : 0)
  }

  private func earliest(from low: CivilDateTime, in period: LocalPeriod) -> CivilDateTime {
    dates.namesHours ? max(low, period.shownBefore) : low
  }

  private func firstSkipped(
    in period: LocalPeriod, after moment: Instant, _ search: inout DateSearch
  ) throws(TriggerError) -> Found? {
    guard let gap = period.skipped else { return nil }
    var low = max(gap.lowerBound, moment.adding(seconds: 1).clamped(at: period.offsetBefore) ?? .last)
    while low < gap.upperBound, let wall = try dates.first(from: low, &search), wall < gap.upperBound {
      if !period.skipsDay(wall.date) {
        return Found(instant: Instant(wall, at: period.offsetBefore), wall: wall, fold: 0)
      }
      // A day that the zone skipped, such as 30 December 2011 in Apia, is skipped like any other that does not exist.
      guard let next = wall.date.adding(days: 1) else { return nil }
      low = CivilDateTime(next, .midnight)
    }
    return nil
  }
}

/// A stretch of time without clock changes in a zone.
struct LocalPeriod {
  let start: Instant
  let end: Instant
  let offset: UTCOffset
  let offsetBefore: UTCOffset

  /// Starts at a moment within it, without its beginning.
  init(containing moment: Instant, _ rules: ZoneRules) {
    start = moment
    end = rules.nextTransition(after: moment)?.instant ?? .latest
    offset = rules.offset(at: moment)
    offsetBefore = offset
  }

  init?(after period: LocalPeriod, _ rules: ZoneRules) {
    guard period.end < .latest else { return nil }
    start = period.end
    end = rules.nextTransition(after: start)?.instant ?? .latest
    offset = rules.offset(at: start)
    offsetBefore = period.offset
  }

  /// The clock times up to here were already shown in the previous period.
  var shownBefore: CivilDateTime {
    offset < offsetBefore ? start.civil(at: offsetBefore) ?? .first : .first
  }

  /// The clock times that were never shown, because the clocks were set forward.
  var skipped: Range<CivilDateTime>? {
    guard offset > offsetBefore, let first = start.civil(at: offsetBefore), let end = start.civil(at: offset)
    else { return nil }
    return first..<end
  }

  /// Whether no clock ever shows that date.
  func skipsDay(_ date: CivilDate) -> Bool {
    guard let skipped, let next = date.adding(days: 1) else { return false }
    return skipped.lowerBound <= CivilDateTime(date, .midnight) && CivilDateTime(next, .midnight) <= skipped.upperBound
  }
}

extension Instant {
  static let latest = Instant(.max)

  /// The clock time, limited to the first or last supported one.
  func clamped(at offset: UTCOffset) -> CivilDateTime? {
    if seconds < Instant(.first, at: offset).seconds { return .first }
    return civil(at: offset) ?? .last
  }
}
