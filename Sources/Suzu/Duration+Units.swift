// SPDX-License-Identifier: Apache-2.0

extension Duration {
  /// So many minutes of 60 seconds.
  public static func minutes(_ minutes: some BinaryInteger) -> Duration { seconds(minutes, times: 60) }
  /// So many hours of 60 minutes.
  public static func hours(_ hours: some BinaryInteger) -> Duration { seconds(hours, times: 3600) }
  /// So many days of 24 hours, whatever the clock shows: for the same time on other days, see `Schedule.daily(at:)`.
  public static func days(_ days: some BinaryInteger) -> Duration { seconds(days, times: 86_400) }

  /// So many minutes of 60 seconds.
  public static func minutes(_ minutes: Double) -> Duration { .seconds(minutes * 60) }
  /// So many hours of 60 minutes.
  public static func hours(_ hours: Double) -> Duration { .seconds(hours * 3600) }
  /// So many days of 24 hours.
  public static func days(_ days: Double) -> Duration { .seconds(days * 86_400) }

  /// Far beyond what a schedule accepts, the number is cut off: the schedule is refused then, and nothing traps.
  private static func seconds(_ number: some BinaryInteger, times unit: Int64) -> Duration {
    let (product, overflows) = Int64(clamping: number).multipliedReportingOverflow(by: unit)
    return .seconds(overflows ? (number < 0 ? .min : .max) : product)
  }
}
