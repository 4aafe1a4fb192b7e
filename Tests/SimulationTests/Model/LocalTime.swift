// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The model's own calendar: the C library says where a zone's offset changes, and the rest is arithmetic. It shares
/// nothing with the center's reader of zone files.
struct LocalTime {
  /// From these instants on, in seconds since 1970, these offsets in seconds apply.
  private let changes: [(instant: Int64, offset: Int64)]

  nonisolated(unsafe) private static var known: [String: LocalTime] = [:]
  /// The rules of zones that an update has changed since, as the C library reads them.
  nonisolated(unsafe) private static var newer: [String: String] = [:]

  /// The years that a simulation may last, in seconds since 1970.
  private static let span: ClosedRange<Int64> = 1_735_689_600...2_208_988_800  // 2025 to 2040

  /// Only on the simulation's thread: the C library has one zone at a time.
  static func zone(_ zone: String) -> LocalTime {
    let name = newer[zone] ?? zone
    if let zone = known[name] { return zone }
    let before = getenv("TZ").map { String(cString: $0) }
    setenv("TZ", name == "UTC" ? "UTC0" : name, 1)
    tzset()
    defer {
      if let before { setenv("TZ", before, 1) } else { unsetenv("TZ") }
      tzset()
    }
    var changes = [(instant: Int64.min, offset: offset(at: span.lowerBound))]
    // No zone changes its offset twice within a week.
    var instant = span.lowerBound
    while instant < span.upperBound {
      let next = instant + 7 * 86_400
      let new = offset(at: next)
      if new != changes[changes.count - 1].offset { changes.append((firstInstant(of: new, instant, next), new)) }
      instant = next
    }
    let zone = LocalTime(changes: changes)
    known[name] = zone
    return zone
  }

  /// Gives a zone other rules; nil for those of the system.
  static func update(_ zone: String, _ rules: String?) { newer[zone] = rules }

  /// The zones are again those of the system.
  static func forgetUpdates() { newer = [:] }

  private static func offset(at instant: Int64) -> Int64 {
    var (time, local) = (time_t(instant), tm())
    localtime_r(&time, &local)
    return Int64(local.tm_gmtoff)
  }

  private static func firstInstant(of new: Int64, _ early: Int64, _ late: Int64) -> Int64 {
    var (low, high) = (early, late)
    while low + 1 < high {
      let middle = (low + high) / 2
      if offset(at: middle) == new { high = middle } else { low = middle }
    }
    return high
  }

  /// What the wall clock shows, as seconds since 1970 in a zone without an offset.
  func wall(at instant: Int64) -> Int64 { instant + (changes.last { $0.instant <= instant }?.offset ?? 0) }

  /// The instant at which the wall clock shows this: the first of two, and in a gap the one that the offset before it
  /// gives.
  func instant(ofWall wall: Int64) -> Int64 {
    for (index, change) in changes.enumerated() {
      let end = index + 1 < changes.count ? changes[index + 1].instant : .max
      let instant = wall - change.offset
      if instant < end { return index > 0 && instant < change.instant ? wall - changes[index - 1].offset : instant }
    }
    return wall
  }
}

/// A day of the calendar: the number of days since 1970.
struct CivilDay {
  let number: Int64

  /// 0 is Monday.
  var weekday: Int { Int(((number + 3) % 7 + 7) % 7) }

  var date: (year: Int64, month: Int64, day: Int64) {
    // Years of 400 and eras, from March.
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9, day)
  }

  /// `2026-03-29`
  var text: String {
    let (year, month, day) = date
    return "\(year)-\(Self.two(month))-\(Self.two(day))"
  }

  /// `2026-03-29T05:30:00Z`
  static func rfc3339(_ instant: Int64) -> String {
    let day = Int64((Double(instant) / 86_400).rounded(.down))
    let second = instant - day * 86_400
    return CivilDay(number: day).text + "T\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))Z"
  }

  /// The instant of `2026-03-29T07:30:00+02:00`, read without the center's code.
  static func instant(_ text: String) -> Int64? {
    let numbers = text.split { !$0.isNumber }.compactMap { Int64($0) }
    guard numbers.count == 6 || numbers.count == 8 else { return nil }
    let month = (numbers[1] + 9) % 12
    let year = numbers[0] - (month >= 10 ? 1 : 0)
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + numbers[2] - 1 - 719_468
    let wall = days * 86_400 + numbers[3] * 3600 + numbers[4] * 60 + numbers[5]
    guard numbers.count == 8 else { return wall }
    let offset = numbers[6] * 3600 + numbers[7] * 60
    return text.dropFirst(19).hasPrefix("-") ? wall + offset : wall - offset
  }

  private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension DatePattern {
  /// The first wall time of the pattern after one, both in seconds since 1970; nil if there is none for ten years.
  func next(afterWall wall: Int64) -> Int64? {
    var day = Int64((Double(wall) / 86_400).rounded(.down))
    for _ in 0..<3_700 {
      let civil = CivilDay(number: day)
      if (weekdays.isEmpty || weekdays.contains(civil.weekday))
        && (monthDays.isEmpty || monthDays.contains(Int(civil.date.day))),
        let minute = minutes.first(where: { day * 86_400 + Int64($0) * 60 > wall })
      {
        return day * 86_400 + Int64(minute) * 60
      }
      day += 1
    }
    return nil
  }
}
