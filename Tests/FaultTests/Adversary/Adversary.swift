// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport

/// Plays attacks in a random order, each once before any is repeated.
final class Adversary: Sendable {
  /// The combined results of all runs of one attack.
  struct Tally: Sendable {
    var plays = 0
    var calls = 0
    var refusals = 0
    var longest = 0.0
    var errors: Set<String> = []
  }

  /// The problems that attackers saw and reported.
  struct Findings: Sendable {
    var tallies: [String: Tally] = [:]
    /// Texts found in answers to a sandboxed caller.
    var leaks: Set<String> = []
    var faults: [String] = []
    var wanted: Set<String> = []
    var unwanted: [String: String] = [:]
    var replaced: [String: String] = [:]
    /// When each attack was under way, and what it sent that takes libdbus long.
    var plays: [(name: String, load: Attacker.Load?, time: LateTime)] = []
  }

  let seed: UInt64
  /// The attacks of one list take turns.
  private let attackers: [[Attacker]]
  private let found = Mutex(Findings())
  private let last = Atomic<Int>(0)

  init(_ attackers: [[Attacker]], seed: UInt64) {
    self.attackers = attackers
    self.seed = seed
  }

  /// Attacks that have not been played yet.
  var unplayed: [String] {
    let names = attackers.compactMap(\.first).flatMap { first in first.attacks.map { Self.name($0, first) } }
    return names.filter { findings.tallies[$0] == nil }
  }

  private static func name(_ attack: Attack, _ attacker: Attacker) -> String {
    "\(attack.name) (\(attacker.caller.rawValue))"
  }

  var findings: Findings { found.withLock { $0 } }

  /// Runs all attackers in parallel until `end`; then cancels all their requests.
  func attack(until end: ContinuousClock.Instant) async throws {
    try await withThrowingTaskGroup { group in
      for (index, attackers) in attackers.enumerated() {
        group.addTask { try await self.play(attackers, seed: self.seed &+ UInt64(index), until: end) }
      }
      try await group.waitForAll()
    }
    try await forEach { try await $0.tidy() }
    try await forEach { try await $0.questions() }
  }

  private func forEach(_ body: @escaping @Sendable (Attacker) async throws -> [String]) async throws {
    try await withThrowingTaskGroup { group in
      for attacker in attackers.joined() { group.addTask { try await body(attacker) } }
      for try await faults in group { found.withLock { $0.faults += faults } }
    }
  }

  private func play(_ attackers: [Attacker], seed: UInt64, until end: ContinuousClock.Instant) async throws {
    var numbers = SeededNumbers(seed: seed &+ UInt64(last.load(ordering: .relaxed)))
    var turn = 0
    var deck: [Attack] = []
    while ContinuousClock.now < end {
      if deck.isEmpty { deck = attackers.first?.attacks.shuffled(using: &numbers) ?? [] }
      guard let attack = deck.popLast() else { return }
      let attacker = attackers[turn % attackers.count]
      turn += 1
      let number = last.wrappingAdd(1, ordering: .relaxed).newValue
      let start = ContinuousClock.now
      let report = try await attack.play(by: attacker, number: number, seed: numbers.next() >> 12)
      add(report, of: Self.name(attack, attacker), start..<ContinuousClock.now)
    }
  }

  private func add(_ report: Attack.Report, of name: String, _ time: LateTime) {
    found.withLock { found in
      var tally = found.tallies[name] ?? Tally()
      tally.plays += 1
      tally.calls += report.calls
      tally.refusals += report.refusals
      tally.errors.formUnion(report.errors)
      tally.longest = max(tally.longest, report.seconds)
      found.tallies[name] = tally
      if name.hasSuffix("(box)") { found.leaks.formUnion(report.leaks) }
      found.faults += report.faults.map { "\(name): \($0)" }
      if let broken = report.broken { found.faults.append("\(name): \(broken)") }
      found.plays.append((name, report.load, time))
      found.replaced.merge(report.replaced) { $1 }
      found.wanted.formUnion(report.wanted)
      found.unwanted.merge(report.unwanted.mapValues { "\(name): \($0)" }) { $1 }
    }
  }
}
