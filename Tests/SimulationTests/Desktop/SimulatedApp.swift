// SPDX-License-Identifier: Apache-2.0

@testable import suzud

/// The app that handles responses, from its start to its end.
final class SimulatedApp {
  let caller: Caller
  /// How long the center does not know of its end.
  let delay: Int64

  /// - Parameter number: how many there were before.
  init?(number: Int) {
    guard let caller = Caller(named: ":1.\(100_000 + number)") else { return nil }
    self.caller = caller
    delay = Int64(number % 3) * 20
  }

  /// What it does with a response.
  enum Reaction {
    /// It carries it out, or cannot, and says so after that time.
    case completes(after: Int64, problem: String?)
    /// It says nothing.
    case forgets
    /// It crashes.
    case ends(after: Int64)
  }

  static func reaction(to response: UInt64, seed: UInt64) -> Reaction {
    var random = SeededRandom(seed, for: "app \(response)")
    switch random.number(0...99) {
    case 0..<8: return .completes(after: random.number(30_100...90_000), problem: nil)
    case 8..<16: return .ends(after: random.number(0...20_000))
    case 16..<22: return .forgets
    default:
      return .completes(
        after: random.isTrue(in: 70) ? random.number(0...200) : random.number(200...29_900),
        problem: random.isTrue(in: 10) ? "no" : nil)
    }
  }
}
