// SPDX-License-Identifier: Apache-2.0

/// A point in time: POSIX seconds since 1970-01-01T00:00:00Z, without leap seconds.
public struct Instant: Hashable, Sendable {
  /// The seconds; instants outside the years 1 to 9999 have no civil time.
  public let seconds: Int64

  /// From seconds since 1970.
  @inline(__always)
  public init(_ seconds: Int64) { self.seconds = seconds }

  /// The instant at which a clock with this offset shows `civil`.
  @inline(__always)
  public init(_ civil: CivilDateTime, at offset: UTCOffset) {
    seconds = civil.clockSeconds - Int64(offset.seconds)
  }

  /// The date and time on a clock with this offset; nil outside the years 1 to 9999.
  @inline(__always)
  public func civil(at offset: UTCOffset) -> CivilDateTime? {
    let (clock, overflowed) = seconds.addingReportingOverflow(Int64(offset.seconds))
    return overflowed ? nil : CivilDateTime(clockSeconds: clock)
  }

  /// The instant that many seconds later, or earlier if negative; saturates on overflow.
  public func adding(seconds other: Int64) -> Instant {
    let (sum, overflowed) = seconds.addingReportingOverflow(other)
    return Instant(overflowed ? (other < 0 ? .min : .max) : sum)
  }
}

extension Instant: Comparable {
  /// Whether the left instant is earlier.
  @inline(__always)
  public static func < (left: Instant, right: Instant) -> Bool { left.seconds < right.seconds }
}
