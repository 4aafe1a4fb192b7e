// SPDX-License-Identifier: Apache-2.0

/// One way to attack the center, implemented by the function of this name in `Attacks/attacks.py`.
struct Attack: Decodable, Hashable, Sendable {
  /// The kind of program that can play it.
  enum Caller: String, Decodable, Sendable {
    /// An unsandboxed program of the user.
    case user
    /// A program in a sandbox.
    case box
  }

  /// The result of playing it once.
  struct Report: Decodable, Sendable {
    let seconds: Double
    /// The number of calls, and of calls that the center refused.
    let calls: Int
    let refusals: Int
    /// Some error texts of these refusals.
    let errors: [String]
    /// Why it ended early: a call was not answered, or the bus closed the connection.
    let broken: String?
    /// Texts that no answer may contain.
    let leaks: [String]
    /// Problems that the attacker saw.
    let faults: [String]
    /// Titles that must be posted.
    let wanted: [String]
    /// Titles that must not be posted, and why.
    let unwanted: [String: String]
    /// Titles of replaced requests, and of their replacements.
    let replaced: [String: String]
    /// What it sent that takes libdbus long.
    let load: Attacker.Load?
  }

  let name: String
  let callers: [Caller]

  /// Plays it once; the same seed gives the same calls.
  func play(by attacker: Attacker, number: Int, seed: UInt64) async throws -> Report {
    struct Words: Encodable {
      let play: String
      let number: Int
      let seed: UInt64
    }
    return try await attacker.ask(Words(play: name, number: number, seed: seed))
  }
}
