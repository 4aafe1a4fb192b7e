// SPDX-License-Identifier: Apache-2.0

/// One way a place sets its clocks, such as CEST: two hours ahead of UTC, daylight saving.
public struct LocalTimeType: Hashable, Sendable {
  /// How far its clocks are ahead of UTC.
  public let offset: UTCOffset
  /// Whether the law calls it daylight saving; in Ireland that is the winter, and its clocks go back for it.
  public let isDaylight: Bool
  /// What people there call it, or digits where nobody calls it anything: `CEST`, `+07`.
  public let abbreviation: String
}
