// SPDX-License-Identifier: Apache-2.0

/// How many messages may be passed on now: as many as for a minute at once, and then one each time that a part of the
/// minute has passed.
package struct MessageAllowance {
  private let most: Int
  /// The time in which one more message becomes allowed.
  private let share: Duration
  /// When all would be allowed again.
  private var fullAt: Duration = .zero

  package init(perMinute most: Int) {
    self.most = most
    share = .seconds(60) / most
  }

  /// Takes one message; returns how long it has to wait, and takes nothing, if too many came before.
  ///
  /// - Parameter now: the time on a clock that is never set.
  package mutating func take(at now: Duration) -> Duration? {
    let begin = max(fullAt, now)
    let wait = begin + share - now - share * most
    if wait > .zero { return wait }
    fullAt = begin + share
    return nil
  }
}
