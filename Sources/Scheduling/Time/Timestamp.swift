// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

/// A point in time on the wall clock, to the millisecond. Differences are milliseconds.
public struct Timestamp: Hashable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
  public let milliseconds: Int64

  /// From milliseconds since 1970.
  @inlinable
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Before all dates.
  public static let distantPast = Timestamp(milliseconds: .min)
  /// After all dates.
  public static let distantFuture = Timestamp(milliseconds: .max)

  /// The point in time that many milliseconds later.
  @inlinable
  public static func + (left: Timestamp, milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: left.milliseconds + milliseconds)
  }

  /// The point in time that many milliseconds earlier.
  @inlinable
  public static func - (left: Timestamp, milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: left.milliseconds - milliseconds)
  }

  /// The milliseconds from the right point in time to the left one.
  @inlinable
  public static func - (left: Timestamp, right: Timestamp) -> Int64 { left.milliseconds - right.milliseconds }

  /// Moves it by that many milliseconds.
  @inlinable
  public static func += (left: inout Timestamp, milliseconds: Int64) { left = left + milliseconds }
}

extension Timestamp: Comparable {
  /// Whether the left point in time is earlier.
  @inlinable
  public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}

extension Timestamp {
  /// The beginning of a second, clamped to the range of the type.
  init(_ instant: Instant) {
    let (milliseconds, isFar) = instant.seconds.multipliedReportingOverflow(by: 1000)
    self.init(milliseconds: isFar ? (instant.seconds < 0 ? .min / 2 : .max / 2) : milliseconds)
  }
}

extension Instant {
  /// The second that contains a point in time.
  init(_ time: Timestamp) {
    let milliseconds = time.milliseconds
    self.init(milliseconds >= 0 ? milliseconds / 1000 : -((999 - milliseconds) / 1000))
  }
}

extension SQLValue {
  init(_ time: Timestamp) { self = .integer(time.milliseconds) }
  init(_ time: Timestamp?) { self = time.map { .integer($0.milliseconds) } ?? .null }

  var timestamp: Timestamp? { integer.map { Timestamp(milliseconds: $0) } }
}
