// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Scheduling
internal import Zoneinfo

extension Timestamp {
  /// The same point in time, to the millisecond, within the years that have a date.
  init(_ date: Date) {
    let seconds = min(max(date.timeIntervalSince1970, -62_135_596_800), 253_402_300_799)
    self.init(milliseconds: Int64((seconds * 1000).rounded()))
  }

  /// What a clock on the wall shows: `2026-03-29 07:30:00`.
  func localTime(_ rules: ZoneRules) -> String {
    let instant = Instant(milliseconds >= 0 ? milliseconds / 1000 : -((999 - milliseconds) / 1000))
    guard let civil = rules.civil(at: instant) else { return instant.description }
    return "\(civil.date) \(civil.time)"
  }
}

extension Date {
  /// The same point in time.
  init(_ time: Timestamp) { self.init(timeIntervalSince1970: Double(time.milliseconds) / 1000) }
}
