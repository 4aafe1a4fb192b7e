// SPDX-License-Identifier: Apache-2.0

/// One way to attack the center. What it does is the function of this name in `Attacks/attacks.py`.
struct Attack: Decodable, Hashable, Sendable {
  /// Who can play it.
  enum Caller: String, Decodable, Sendable {
    /// A program of the user's own.
    case user
    /// A program in a sandbox.
    case box
  }

  /// What one play of it came to.
  struct Report: Decodable, Sendable {
    let seconds: Double
    /// Calls of the center, and those that it refused.
    let calls: Int
    let refusals: Int
    /// The words of some of these refusals.
    let errors: [String]
    /// Why it was not played to its end: a call was not answered, or the bus closed the connection.
    let broken: String?
    /// Texts that no answer may hold.
    let leaks: [String]
    /// What the attacker saw that must not be.
    let faults: [String]
    /// Titles that must be posted.
    let wanted: [String]
    /// Titles that must not be posted, and why.
    let unwanted: [String: String]
    /// Titles of requests that have been replaced, and what replaced them.
    let replaced: [String: String]
    /// Whether it sent a message as large as the bus lets through.
    let isLarge: Bool
  }

  let name: String
  let callers: [Caller]

  /// Plays it once; the same seed does the same.
  func play(by attacker: Attacker, number: Int, seed: UInt64) async throws -> Report {
    struct Words: Encodable {
      let play: String
      let number: Int
      let seed: UInt64
    }
    return try await attacker.ask(Words(play: name, number: number, seed: seed))
  }
}
