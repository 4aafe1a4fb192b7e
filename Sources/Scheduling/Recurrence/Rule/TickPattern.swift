// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

/// Every `interval`th day, hour, minute or second from a start, if its day and time are allowed, and in each the same
/// moments: what is left of a rule that no combination of hours, minutes and seconds can describe.
///
/// A search leaps: from a tick that is not allowed to the next time that is, and from there to the next tick.
struct TickPattern: WallDates {
  /// How long a tick is, in seconds: 86,400, 3,600, 60 or 1.
  let unit: Int
  let interval: Int
  /// The tick of the start, counted from 1970.
  let origin: Int
  let days: RuleDays
  /// The times of day at which an allowed tick begins.
  let starts: TimesOfDay
  /// The moments in each, in seconds from its beginning, sorted.
  let offsets: [Int]
  let namesHours: Bool

  /// After so many leaps nothing more is expected: some milliseconds.
  private static let mostLeaps = 150_000

  func first(from moment: CivilDateTime) -> CivilDateTime? {
    guard let last = offsets.last else { return nil }
    let clock = moment.clock
    var tick = Gregorian.floor(clock, unit)
    if tick * unit + last < clock { tick += 1 }
    guard let allowed = firstAllowed(from: tick) else { return nil }
    if let offset = offsets.first(where: { allowed * unit + $0 >= clock }) {
      return CivilDateTime(clock: allowed * unit + offset)
    }
    return nil
  }

  /// The first tick, this one or later, that counts and is allowed.
  private func firstAllowed(from tick: Int) -> Int? {
    var tick = aligned(tick)
    for _ in 0..<Self.mostLeaps {
      let clock = tick * unit
      let day = Gregorian.floor(clock, 86_400)
      guard let date = CivilDate(dayNumber: day), let allowed = days.first(from: date)?.dayNumber else { return nil }
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
    return nil
  }

  private func aligned(_ tick: Int) -> Int {
    let behind = (tick - origin) % interval
    return behind == 0 ? tick : tick + (behind < 0 ? -behind : interval - behind)
  }

  private func firstTick(ofDay day: Int) -> Int { day * (86_400 / unit) }

  func count(from start: CivilDateTime, before end: CivilDateTime) -> Int {
    guard start < end else { return 0 }
    if days.isEveryDay && starts.count == 86_400 / unit { return countUnhindered(before: end) - countUnhindered(before: start) }
    return count(before: end, since: start.date) - count(before: start, since: start.date)
  }

  /// From the origin, where all ticks are allowed.
  private func countUnhindered(before end: CivilDateTime) -> Int {
    let clock = end.clock
    let tick = aligned(Gregorian.floor(clock, unit))
    let isIn = tick * unit <= clock
    return (tick - origin) / interval * offsets.count + (isIn ? offsets.count { tick * unit + $0 < clock } : 0)
  }

  /// Whole days by the phase that the ticks have in them, of which there are not many; then the last day.
  private func count(before end: CivilDateTime, since start: CivilDate) -> Int {
    let ticksPerDay = 86_400 / unit
    let lastDay = end.date.dayNumber
    var countsByPhase: [Int: Int] = [:]
    var count = 0
    var day = days.first(from: start)
    while let date = day, date.dayNumber < lastDay {
      let first = firstTick(ofDay: date.dayNumber)
      let phase = aligned(first) - first
      if phase >= ticksPerDay {
        // None today: on to the day of the next.
        day = CivilDate(dayNumber: Gregorian.floor((first + phase) * unit, 86_400)).flatMap(days.first(from:))
        continue
      }
      if countsByPhase[phase] == nil { countsByPhase[phase] = ticks(from: first + phase, before: first + ticksPerDay) }
      count += countsByPhase[phase, default: 0]
      day = date.adding(days: 1).flatMap(days.first(from:))
    }
    count *= offsets.count
    guard let date = day, date.dayNumber == lastDay else { return count }
    let first = firstTick(ofDay: lastDay)
    let current = Gregorian.floor(end.clock, unit)
    count += ticks(from: aligned(first), before: current) * offsets.count
    if firstAllowed(from: current) == current { count += offsets.count { current * unit + $0 < end.clock } }
    return count
  }

  /// How many are allowed, both ends being on the same allowed day.
  private func ticks(from first: Int, before end: Int) -> Int {
    let midnight = Gregorian.floor(first * unit, 86_400) * 86_400
    if starts.count == 86_400 / unit { return first < end ? (end - 1 - first) / interval + 1 : 0 }
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

/// Division that goes down, also before 1970.
enum Gregorian {
  static func floor(_ number: Int, _ divisor: Int) -> Int {
    number >= 0 ? number / divisor : (number - divisor + 1) / divisor
  }
}
