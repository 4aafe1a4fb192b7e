// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import TestSupport
import Testing

/// Tests hostile callers, in a sandbox and outside, while others schedule, click and list.
@Suite(
  .timeLimit(.minutes(120)), .enabled(if: Bubblewrap.isPossible, "no bwrap here, or it may not make namespaces"))
struct AdversaryTests {
  /// A short round always has the same seed; a long one has a new seed, and prints it.
  private static let seed =
    variable("SUZU_ADVERSARY_SEED").flatMap { UInt64($0) } ?? (Rounds.isLong ? .random(in: 1..<1_000_000) : 12)
  private static let seconds =
    variable("SUZU_ADVERSARY_SECONDS").flatMap { Int($0) } ?? (Rounds.isLong ? 600 : 16)
  /// `make test` runs beside other programs, so only a center that hangs counts as too slow.
  private static let longestWait: Duration = Rounds.isLong ? .milliseconds(100) : .seconds(5)

  /// The optimized center if the Makefile has built it, otherwise the one beside the tests.
  private static let program = variable("SUZU_ADVERSARY_CENTER") ?? FaultStand.programs + "/suzud"

  private static func variable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

  @Test func `Hostile callers delay no honest one, run and see nothing forbidden, and leak no memory`() async throws {
    try await FaultStand.run(on: try PrivateBus(limits: Self.limits)) { stand in
      let traps = try Traps(in: stand.bus.folder)
      let recorder = Recorder()
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop)
      // The usual soft limit of a session.
      let (center, name) = try await stand.startReady(
        [], ["PATH": traps.path(before: stand.bus.environment["PATH"] ?? "")],
        by: ["/bin/sh", "-c", "ulimit -Sn 1024; exec \"$@\"", "sh", Self.program])
      let callers = HonestCallers(stand, recorder, center: center.processID)
      let user = HonestUser(server, recorder, callers)
      var attackers: [Attacker] = []
      let timeout = Rounds.isLong ? 60 : 10
      let outside = try await Attacker(.user, on: stand.bus, timeout: timeout)
      for app in Attacker.boxes { attackers.append(try await Attacker(.box, app, on: stand.bus, timeout: timeout)) }
      let bystander = try await Attacker(.user, on: stand.bus, timeout: timeout)
      let adversary = Adversary([[outside], attackers], seed: Self.seed)
      let scene = AdversaryScene(
        stand: stand, center: center, callers: callers, user: user, recorder: recorder, adversary: adversary,
        bystander: bystander)
      let measured = try await scene.play(seconds: Self.seconds)

      var verdict = AdversaryVerdict()
      let found = adversary.findings
      verdict.take(callers.calls, measured, found, bound: Self.longestWait)
      try await scene.judge(&verdict, name: name)
      verdict.take(measured.sizes)
      if Rounds.isLong { verdict.expectNone("attacks that were never played", adversary.unplayed) }
      verdict.expectNone("run outside the rights of its caller", traps.sprung.map { "\($0.value) times \($0.key)" })
      verdict.expect("dialogs of one app open at once", traps.mostDialogs, atMost: 1, traps.mostDialogs <= 1)
      verdict.expect(
        "dialogs that do not say which app asks", traps.namelessDialogs, atMost: 0, traps.namelessDialogs == 0)
      print(
        "faults: adversary, seed \(Self.seed), \(Self.seconds) s, \(Self.program):\n"
          + verdict.table(found.tallies)
          + "\n  center at the start:  \(measured.sizes.first.map(String.init(describing:)) ?? "-")"
          + "\n  center at the end:    \(measured.sizes.last.map(String.init(describing:)) ?? "-")"
          + verdict.reasons.map { "\n  \($0)" }.joined())
      for check in verdict.broken {
        Issue.record("\(check.name): \(check.measured), bound \(check.bound)")
      }
      center.kill()
    }
  }

  /// The limits of a session bus.
  private static let limits = [
    "max_incoming_bytes": 1_000_000_000, "max_incoming_unix_fds": 250_000_000, "max_outgoing_bytes": 1_000_000_000,
    "max_outgoing_unix_fds": 250_000_000, "max_message_size": 1_000_000_000, "max_message_unix_fds": 4096,
    "max_completed_connections": 100_000, "max_incomplete_connections": 10_000, "max_connections_per_user": 100_000,
    "max_replies_per_connection": 50_000, "max_match_rules_per_connection": 50_000,
  ]
}
