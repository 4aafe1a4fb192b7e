// SPDX-License-Identifier: Apache-2.0
// Sleeps are meant: programs that last.
import DBus
import Glibc
import TestSupport
import Testing

@testable import suzud

/// Tests actions whose programs hang, fork, flood and die: other actions run, and no process stays.
@Suite(.timeLimit(.minutes(2)))
struct BadHandlerTests {
  private static let scripts: [(name: String, script: String, outcome: String)] = [
    ("hangs", "while :; do sleep 0.05; done", "Outcome failed: took longer than 800ms"),
    ("deaf", "trap '' TERM HUP; while :; do sleep 0.05; done", "Outcome failed: took longer than 800ms"),
    (
      "forks", "for i in 1 2 3; do (trap '' TERM; echo $$ >>pids; sleep 1000) & done; wait",
      "Outcome failed: took longer than 800ms"
    ),
    ("floods", "while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done", "Outcome failed: took longer than 800ms"),
    ("dies", "kill -SEGV $$", "Outcome failed: signal 11"),
    ("fails", "echo last words; exit 7", "Outcome failed: exit 7: last words"),
  ]

  @Test func `Bad handlers are ended in time, delay no other request, and leave no process behind`() async throws {
    var timeouts = Timeouts.usual
    (timeouts.handler, timeouts.handlerGrace) = (.milliseconds(800), .milliseconds(200))
    try await CenterStand.run(timeouts: timeouts) { stand in
      let server = try await stand.server()
      let folder = try TemporaryFolder()
      var expected: [String] = []
      for round in 0..<3 {
        for (name, script, outcome) in Self.scripts {
          let run = ["sh", "-c", "cd '\(folder.path(""))' && echo $$ >>pids && \(script)"]
          try await stand.notify("\(name) \(round)", ["actions": actions(action("go", run: run))])
          expected.append(outcome)
        }
      }
      try await stand.notify("good", ["actions": actions(action("go"))])
      _ = try await stand.next(expected.count + 1)
      for number in 1...expected.count { try await server.press(UInt32(number), "go") }
      let start = ContinuousClock.now
      try await server.press(UInt32(expected.count + 1), "go")
      var outcomes: [String] = []
      while outcomes.last != "Outcome done" {
        outcomes.append(try await stand.events.next { $0.hasPrefix("Outcome") })
      }
      let wait = ContinuousClock.now - start
      while outcomes.count < expected.count + 1 {
        outcomes.append(try await stand.events.next(within: .seconds(20), "outcome") { $0.hasPrefix("Outcome") })
      }
      #expect(outcomes.filter { $0 != "Outcome done" }.sorted() == expected.sorted())
      print("center: a click beside \(expected.count) bad handlers was done after \(wait)")
      #expect(wait < .milliseconds(700))
      let processes = (folder.read("pids") ?? "").split(separator: "\n").compactMap { pid_t($0) }
      #expect(processes.count >= expected.count)
      let left = processes.filter { kill($0, 0) == 0 }
      #expect(left.isEmpty, "\(left)")
    }
  }
}
