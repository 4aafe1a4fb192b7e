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

  /// - Parameter showing: how often it has been shown, with this time.
  /// - Returns: what happens to it, after so many milliseconds.
  static func reaction(
    to notification: ServerNotification, showing: Int, seed: UInt64
  ) -> (Reaction, after: Int64) {
    var random = SeededRandom(seed, for: "user \(notification.summary), \(showing)")
    let keys = notification.actions.map(\.key).filter { $0 != ServerNotification.defaultKey }
    let presses = !keys.isEmpty && random.isTrue(in: 60)
    let key = keys.isEmpty ? "" : random.element(keys)
    switch notification.expiry {
    case .never:
      let time: Int64 = random.isTrue(in: 70) ? random.number(900...600_000) : random.number(600_000...90_000_000)
      return (presses ? .press(key) : .dismiss, time)
    case .serverDecides, .after:
      var limit: Int64 = 10_000
      if case .after(let duration) = notification.expiry { limit = duration.components.seconds * 1000 }
      let time: Int64 = random.number(900...max(1_000, limit - 500))
      if presses, time < limit { return (Reaction.press(key), time) }
      return random.isTrue(in: 20) && time < limit ? (.dismiss, time) : (.expire, limit)
    }
  }
}
