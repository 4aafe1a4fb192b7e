// SPDX-License-Identifier: Apache-2.0

/// A moment, the same everywhere: seconds since 1970-01-01T00:00:00Z as POSIX counts them, without leap seconds.
public struct Instant: Hashable, Sendable {
  /// Any number; those outside of the years 1 to 9999 have no civil time.
  public let seconds: Int64

  /// From seconds since 1970.
  @inline(__always)
  public init(_ seconds: Int64) { self.seconds = seconds }

  /// The moment at which a clock with this offset shows it.
  @inline(__always)
  public init(_ civil: CivilDateTime, at offset: UTCOffset) {
    seconds = civil.clockSeconds - Int64(offset.seconds)
  }

  /// What a clock with this offset shows; nil outside of the years 1 to 9999.
  @inline(__always)
  public func civil(at offset: UTCOffset) -> CivilDateTime? {
    let (clock, overflowed) = seconds.addingReportingOverflow(Int64(offset.seconds))
    return overflowed ? nil : CivilDateTime(clockSeconds: clock)
  }

  /// So many seconds later, or earlier if negative; the furthest there is, if that is too far.
  public func adding(seconds other: Int64) -> Instant {
    let (sum, overflowed) = seconds.addingReportingOverflow(other)
    return Instant(overflowed ? (other < 0 ? .min : .max) : sum)
  }
}

extension Instant: Comparable {
  /// Before.
  @inline(__always)
  public static func < (left: Instant, right: Instant) -> Bool { left.seconds < right.seconds }
}
