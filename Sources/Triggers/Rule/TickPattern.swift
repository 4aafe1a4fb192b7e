// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

/// Every `interval`th day, hour, minute or second from a start, if its day and time are allowed, with the same moments
/// in each: for rules that no combination of hours, minutes and seconds can describe.
///
/// A search leaps from a disallowed tick to the next allowed time, and from there to the next tick.
struct TickPattern: WallDates {
  /// The length of a tick in seconds: 86,400, 3,600, 60 or 1.
  let unit: Int
  let interval: Int
  /// The tick of the start, counted from 1970.
  let origin: Int
  let days: RuleDays
  /// The times of day at which an allowed tick begins.
  let starts: TimesOfDay
  /// The moments in each tick, in seconds from its beginning, sorted.
  let offsets: [Int]
  let namesHours: Bool

  /// Whether an allowed time of day can coincide with a tick on any day: the distances of ticks have a common divisor.
  private var isEverAllowed: Bool {
    let ticksPerDay = 86_400 / unit
    var (divisor, rest) = (interval, ticksPerDay)
    while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    if divisor == 1 || starts.count == ticksPerDay { return true }
    let phase = origin - floor(origin, divisor) * divisor
    return (0..<starts.count).contains { starts.second(at: $0) / unit % divisor == phase }
  }

  func first(from moment: CivilDateTime, _ search: inout DateSearch) throws(TriggerError) -> CivilDateTime? {
    guard let last = offsets.last else { return nil }
    let clock = moment.clock
    var tick = floor(clock, unit)
    if tick * unit + last < clock { tick += 1 }
    guard let allowed = try firstAllowed(from: tick, &search) else { return nil }
    if let offset = offsets.first(where: { allowed * unit + $0 >= clock }) {
      return CivilDateTime(clock: allowed * unit + offset)
    }
    return nil
  }

  /// The first tick, this one or later, that counts and is allowed.
  private func firstAllowed(from tick: Int, _ search: inout DateSearch) throws(TriggerError) -> Int? {
    var tick = aligned(tick)
    var leaps = 0
    while true {
      try search.take()
      leaps += 1
      if leaps == 100, !isEverAllowed { return nil }
      let clock = tick * unit
      let day = floor(clock, 86_400)
      guard let date = CivilDate(dayNumber: day), let allowed = try days.first(from: date, &search)?.dayNumber else {
        return nil
      }
      if allowed > day {
        tick = aligned(firstTick(ofDay: allowed))
      } else if let second = starts.first(from: clock - day * 86_400) {
        let found = (day * 86_400 + second) / unit
        if found == tick { return tick }
        tick = aligned(found)
      } else {
        tick = aligned(firstTick(ofDay: day + 1))
      }
    }
  }

  /// For a tick on an allowed day.
  private func isAllowed(_ tick: Int) -> Bool {
    let clock = tick * unit
    let second = clock - floor(clock, 86_400) * 86_400
    return aligned(tick) == tick && starts.first(from: second).map { $0 / unit == second / unit } == true
  }

  private func aligned(_ tick: Int) -> Int {
    let behind = (tick - origin) % interval
    return behind == 0 ? tick : tick + (behind < 0 ? -behind : interval - behind)
  }

  private func firstTick(ofDay day: Int) -> Int { day * (86_400 / unit) }

  func count(
    from start: CivilDateTime, before end: CivilDateTime, _ search: inout DateSearch
  ) throws(TriggerError) -> Int {
    guard start < end else { return 0 }
    if days.isEveryDay && starts.count == 86_400 / unit {
      return countUnhindered(before: end) - countUnhindered(before: start)
    }
    return try count(before: end, since: start.date, &search) - count(before: start, since: start.date, &search)
  }

  /// Counts from the origin if all ticks are allowed.
  private func countUnhindered(before end: CivilDateTime) -> Int {
    let clock = end.clock
    let tick = aligned(floor(clock, unit))
    let isIn = tick * unit <= clock
    return (tick - origin) / interval * offsets.count + (isIn ? offsets.count { tick * unit + $0 < clock } : 0)
  }

  /// Counts whole days by the phase of their ticks, of which there are few; then the last day.
  private func count(
    before end: CivilDateTime, since start: CivilDate, _ search: inout DateSearch
  ) throws(TriggerError) -> Int {
    let ticksPerDay = 86_400 / unit
    let (firstDay, lastDay) = (start.dayNumber, end.date.dayNumber)
    var countsByPhase: [Int: Int] = [:]
    var count = 0
    var next: Month? = Month(containing: start)
    while let month = next.flatMap(days.candidate(from:)), month.start <= lastDay {
      let allowed = days.days(of: month)
      try search.take(days.steps + allowed.count / 4)
      for day in allowed.map({ month.start + $0 - 1 }) where firstDay...lastDay ~= day {
        let midnight = firstTick(ofDay: day)
        let first = aligned(midnight)
        guard day < lastDay else {
          count += try ticksOfLastDay(from: first, before: end, &search)
          break
        }
        guard first < midnight + ticksPerDay else { continue }
        if let known = countsByPhase[first - midnight] {
          count += known
        } else {
          let found = try ticks(from: first, before: midnight + ticksPerDay, &search) * offsets.count
          countsByPhase[first - midnight] = found
          count += found
        }
      }
      next = month.next
    }
    return count
  }

  private func ticksOfLastDay(
    from first: Int, before end: CivilDateTime, _ search: inout DateSearch
  ) throws(TriggerError) -> Int {
    let current = floor(end.clock, unit)
    let begun = isAllowed(current) ? offsets.count { current * unit + $0 < end.clock } : 0
    return try ticks(from: first, before: current, &search) * offsets.count + begun
  }

  /// Counts the allowed ticks between two moments of the same allowed day.
  private func ticks(
    from first: Int, before end: Int, _ search: inout DateSearch
  ) throws(TriggerError) -> Int {
    guard first < end else { return 0 }
    let midnight = floor(first * unit, 86_400) * 86_400
    let most = (end - 1 - first) / interval + 1
    if starts.count == 86_400 / unit { return most }
    let allowed = starts.count(before: end * unit - midnight) - starts.count(before: first * unit - midnight)
    if interval == 1 { return allowed }
    // Each leap passes a tick and an allowed time: few of one or the other are few leaps.
    try search.take(min(most, allowed) / 8)
    var count = 0
    var tick = first
    while tick < end, let second = starts.first(from: tick * unit - midnight) {
      let found = (midnight + second) / unit
      if found == tick {
        count += 1
        tick += interval
      } else {
        tick = aligned(found)
      }
    }
    return count
  }
}
