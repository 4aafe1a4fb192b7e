// SPDX-License-Identifier: Apache-2.0

/// The pauses between attempts: each may be twice as long as the one before, and a part of it is random, so that a
/// thousand desktops do not come back to a restarted server at the same moment.
package struct Backoff {
  private let first: Duration
  private let longest: Duration
  private var attempts = 0

  package init(first: Duration, longest: Duration) { (self.first, self.longest) = (first, longest) }

  /// The next pause: between half of it and all of it.
  package mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
    let pause = min(first * Int(1 << min(attempts, 20)), longest)
    attempts += 1
    let (seconds, attoseconds) = pause.components
    let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    return .nanoseconds(Int64.random(in: nanoseconds / 2...nanoseconds, using: &generator))
  }

  /// The next pause is the first one again.
  package mutating func reset() { attempts = 0 }
}
