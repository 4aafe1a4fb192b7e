// SPDX-License-Identifier: Apache-2.0

/// A beginning or an end of summer time in one of the zones, and the start of a script shortly before it, so that short
/// scripts see it.
struct SummerTimeChange {
  /// The start of the script, in seconds since 1970.
  let start: Int64
  let zone: String
  /// The offset of the zone before the change, in minutes.
  private let offset: Int64
  /// The day of the change.
  private let day: Int64
  /// The minutes of that day that exist twice, or not at all.
  private let minutes: ClosedRange<Int>

  private init(_ start: String, _ zone: String, _ offset: Int64, _ day: String, _ minutes: ClosedRange<Int>) {
    self.start = CivilDay.instant(start + "T00:00:00Z") ?? 0
    self.zone = zone
    self.offset = offset
    self.day = (CivilDay.instant(day + "T00:00:00Z") ?? 0) / 86_400
    self.minutes = minutes
  }

  static let all = [
    SummerTimeChange("2026-03-07", "America/New_York", -300, "2026-03-08", 120...179),
    SummerTimeChange("2026-03-28", "Europe/Berlin", 60, "2026-03-29", 120...179),
    SummerTimeChange("2026-04-03", "Australia/Lord_Howe", 660, "2026-04-05", 90...119),
    SummerTimeChange("2026-10-02", "Australia/Lord_Howe", 630, "2026-10-04", 120...149),
    SummerTimeChange("2026-10-24", "Europe/Berlin", 120, "2026-10-25", 120...179),
    SummerTimeChange("2026-10-31", "America/New_York", -240, "2026-11-01", 60...119),
  ]

  /// A request for one of these minutes, on that day or on each day, made at a moment before the change.
  func request(_ number: Int, id: String, at moment: Int64, _ random: inout SeededRandom) -> RequestSpec {
    let today = (moment + offset * 60) / 86_400
    let minute = random.number(minutes.lowerBound...minutes.upperBound) / 15 * 15
    let notation = random.element([RequestSpec.Notation.every, .rule, .match])
    let when: RequestSpec.When =
      random.isTrue(in: 50)
      ? .at(days: Int(day - today), minute: minute, isInstant: false)
      : .dates(DatePattern(minutes: [minute]), notation, count: nil, untilDays: nil)
    return RequestSpec(
      number: number, id: id, when: when, zone: zone, missed: .deliver, grace: nil, isAlert: false, hasLaunch: false,
      snooze: nil, expires: nil)
  }
}
