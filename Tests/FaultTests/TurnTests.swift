// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests that no input, accepted or refused, makes a turn of the center's loop long: other callers wait for its end.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct TurnTests {
  /// The optimized center if the Makefile has built it, otherwise the one beside the tests.
  private static let optimized = ProcessInfo.processInfo.environment["SUZU_ADVERSARY_CENTER"]
  static let center = optimized ?? FaultStand.programs + "/suzud"
  /// In processor time. Without optimization the same work takes up to ten times as long.
  static let bound: Duration = optimized == nil ? .milliseconds(500) : .milliseconds(50)

  @Test func `No turn of the loop takes longer than 50 ms, whatever is sent`() async throws {
    try await FaultStand.run(on: try PrivateBus(limits: Self.limits)) { stand in
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop)
      let meter = try TurnMeter(in: stand.bus.folder)
      let (center, _) = try await stand.startReady(
        [], meter.variables, by: [Self.center, "--burst", "0"])
      try await stand.awaitServer()
      let sender = try RunningProgram(
        "/usr/bin/python3", ["-B", Attacker.folder + "/turns.py"], environment: stand.bus.environment)
      let inputs = try #require(sender.readLine(within: 60), "\(sender.errors)").split(separator: ";").map(String.init)
      #expect(inputs.count > 20)
      var (table, total) = ("", 0)
      for input in inputs {
        _ = try meter.take()
        sender.say(input)
        let answer = try await offPool { sender.readLine(within: 240) }
        let (library, answers) = try Self.parts(of: #require(answer, "\(input): \(sender.errors)"))
        let (longest, count) = try meter.take()
        // libdbus checks a message as a whole, in the turn in which its last part comes. On a slow machine, that alone
        // takes longer than the bound for the largest message.
        #expect(longest < max(Self.bound, library), "\(input): \(milliseconds(library)) in libdbus alone")
        total += count
        table += "\n  \(milliseconds(longest)) at most in \(count) turns: \(input) (\(answers))"
        if library > .zero { table += ", \(milliseconds(library)) in libdbus alone" }
      }
      print("faults: turns of \(Self.center):" + table)
      // The meter works.
      #expect(total > 1000)
      try await stand.end(center)
      await server.die()
    }
  }

  /// The longest time that libdbus takes to check a message of an input, which the center does in one turn; and the
  /// answers.
  private static func parts(of line: String) throws -> (Duration, String) {
    let words = line.split(separator: " ", maxSplits: 1)
    guard words.count == 2, let nanoseconds = Int64(words[0]) else { throw TestFailure("no time in '\(line)'") }
    return (.nanoseconds(nanoseconds), String(words[1]))
  }

  /// Those of a session bus.
  private static let limits = [
    "max_incoming_bytes": 1_000_000_000, "max_outgoing_bytes": 1_000_000_000, "max_message_size": 1_000_000_000,
  ]
}
