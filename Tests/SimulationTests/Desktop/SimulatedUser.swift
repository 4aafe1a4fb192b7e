// SPDX-License-Identifier: Apache-2.0
import Freedesktop

/// What the user does with a notification: the seed decides, and the same showing of the same notification always gets
/// the same answer, so that a shorter script changes little else.
enum SimulatedUser {
  enum Reaction: Equatable {
    case press(String)
    case dismiss
    /// Nothing: the server lets it expire.
    case expire
  }

  /// How long the server shows a notification without an answer, in milliseconds; nil if there is no limit.
  ///
  /// - Parameter longest: when the server ends any of them.
  static func limit(of notification: ServerNotification, longest: Int64?) -> Int64? {
    if let longest { return longest }
    switch notification.expiry {
    case .never: return nil
    case .serverDecides: return 10_000
    case .after(let duration): return duration.components.seconds * 1000
    }
  }

  /// - Parameters:
  ///   - showing: how often it has been shown, with this time.
  ///   - limit: when the server ends it.
  /// - Returns: what happens to it, after so many milliseconds.
  static func reaction(
    to notification: ServerNotification, showing: Int, seed: UInt64, limit: Int64?
  ) -> (Reaction, after: Int64) {
    var random = SeededRandom(seed, for: "user \(notification.summary), \(showing)")
    let keys = notification.actions.map(\.key).filter { $0 != ServerNotification.defaultKey }
    let presses = !keys.isEmpty && random.isTrue(in: 60)
    let key = keys.isEmpty ? "" : random.element(keys)
    guard let limit else {
      let time: Int64 = random.isTrue(in: 70) ? random.number(900...600_000) : random.number(600_000...90_000_000)
      return (presses ? .press(key) : .dismiss, time)
    }
    let time: Int64 = random.number(900...max(1_000, limit - 500))
    if presses, time < limit { return (Reaction.press(key), time) }
    return random.isTrue(in: 20) && time < limit ? (.dismiss, time) : (.expire, limit)
  }
}
