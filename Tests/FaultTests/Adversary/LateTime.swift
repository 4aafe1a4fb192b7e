// SPDX-License-Identifier: Apache-2.0

/// A time in which the bus or the disk was slow, or in which a caller waited.
typealias LateTime = Range<ContinuousClock.Instant>

extension [LateTime] {
  var longest: Duration { map { $0.upperBound - $0.lowerBound }.max() ?? .zero }

  /// The times in one or the other list, in order; none overlap.
  func union(_ other: Self) -> Self {
    var result: Self = []
    for time in (self + other).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, time.lowerBound <= last.upperBound {
        result[result.count - 1] = last.lowerBound..<Swift.max(last.upperBound, time.upperBound)
      } else {
        result.append(time)
      }
    }
    return result
  }

  /// The part of a time that these times cover.
  func time(in interval: LateTime) -> Duration {
    // Binary search: the times are in order.
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].upperBound <= interval.lowerBound { low = middle + 1 } else { high = middle }
    }
    var sum: Duration = .zero
    while low < count, self[low].lowerBound < interval.upperBound {
      sum += Swift.min(self[low].upperBound, interval.upperBound) - Swift.max(self[low].lowerBound, interval.lowerBound)
      low += 1
    }
    return sum
  }
}
