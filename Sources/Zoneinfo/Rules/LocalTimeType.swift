// SPDX-License-Identifier: Apache-2.0

/// A kind of local time, such as CEST: two hours ahead of UTC, daylight saving.
public struct LocalTimeType: Hashable, Sendable {
  /// The offset from UTC.
  public let offset: UTCOffset
  /// Whether the law calls it daylight saving; in Ireland that is winter, with a negative shift.
  package let isDaylight: Bool
  /// The abbreviation, or digits if there is none: `CEST`, `+07`.
  package let abbreviation: String
}
