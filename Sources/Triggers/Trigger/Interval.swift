// SPDX-License-Identifier: Apache-2.0
public import Zoneinfo

/// A repetition by elapsed time: every 15 minutes, six times. Sleep counts, and the wall clock does not matter.
public struct Interval: Hashable, Sendable {
  /// The moment of the first date.
  public let first: Instant
  /// The interval in whole seconds, at least one.
  public let seconds: Int64
  /// The number of dates; nil for no end.
  public let count: Int?

  /// `seconds` must be at least 1, and `count` too.
  public init(first: Instant, every seconds: Int64, count: Int? = nil) throws(TriggerError) {
    guard seconds >= 1 else {
      throw TriggerError(.tooDense, "cannot repeat more than once a second", example: "15m")
    }
    guard count.map({ $0 >= 1 }) ?? true else {
      throw TriggerError(.invalid, "must be a positive integer", key: "count", example: "6")
    }
    self.first = first
    self.seconds = seconds
    self.count = count
  }

  /// The first date after a moment, and its number from 1.
  public func next(after moment: Instant) -> (instant: Instant, number: Int)? {
    let number = Self.number(moment.seconds, first.seconds, seconds)
    guard number <= Int64(count ?? .max) else { return nil }
    let (distance, isFar) = seconds.multipliedReportingOverflow(by: number - 1)
    let instant = first.adding(seconds: distance)
    return isFar || instant.seconds == .max ? nil : (instant, Int(number))
  }

  /// Counts the dates after one moment, up to and including another.
  public func count(after start: Instant, through end: Instant) -> Int {
    guard start < end else { return 0 }
    let most = Int64(count ?? .max)
    let past = min(Self.number(start.seconds, first.seconds, seconds) - 1, most)
    return Int(min(Self.number(end.seconds, first.seconds, seconds) - 1, most) - past)
  }

  /// The number of the first date after a moment.
  private static func number(_ moment: Int64, _ first: Int64, _ step: Int64) -> Int64 {
    if moment < first { return 1 }
    // The two moments may be at the two ends of the supported time.
    let (elapsed, isFar) = moment.subtractingReportingOverflow(first)
    let number = (isFar ? .max : elapsed) / step
    return number > .max - 2 ? .max : number + 2
  }
}
