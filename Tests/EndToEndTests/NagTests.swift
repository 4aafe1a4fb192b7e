// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests notifications that are shown again until they are answered with the real programs, and with their ends.
@Suite(.onOwnThread, .timeLimit(.minutes(3)))
struct NagTests {
  @Test func `A script that waits gets the answer to a later showing, also if the center was killed before it`()
    async throws
  {
    let session = try Session()
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop)
      let id = try await offPool {
        try session.suzu("notify", "Pill", "--id", "pill", "--nag", "10s", "--action", "ok=OK")
      }
      #expect(id.output == "pill\n")
      let first = try await server.posted.next(within: .seconds(15))
      try await server.tellClosed(first.number, reason: 1)
      try await offPool { try session.wait(for: "unanswered", in: "show", "pill") }
      kill(try #require(try await offPool { try session.process(of: "dev.suzu.Center") }), SIGKILL)
      // The bus starts the next center for this call.
      try await offPool { try session.wait(for: "pill", in: "list", "--delivered") }
      let second = try await server.posted.next(within: .seconds(30), "the next showing")
      #expect(second.summary == "Pill")
      let shown = try await offPool {
        try session.wait(for: "shown again:", in: "show", "pill")
        return try session.suzu("show", "pill").output
      }
      #expect(try shown.contains("\ncomes again: ") && shown.contains(Regex("\nnag: +10s")), "\(shown)")
      try await server.press(second.number, "ok")
      try await offPool { try session.wait(for: "answered: ok", in: "history", "pill") }
      let again = try await offPool { try session.suzu("ack", "pill") }
      #expect(again.status == 65)
      #expect(again.errors.contains("'pill' has ended") || again.errors.contains("no notification"), "\(again.errors)")
    }
  }

  @Test func `'ack' ends the wait of a script, and what would come again`() async throws {
    let session = try Session()
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop)
      let script = try session.start("notify", "Pill", "--id", "pill", "--nag", "1h", "--action", "ok=OK", "--wait")
      let posted = try await server.posted.next(within: .seconds(15))
      let told = try await offPool { try session.suzu("ack", "Pill") }
      #expect(told.status == 0 && told.output.isEmpty && told.errors == "acknowledged 'pill'\n")
      #expect(try await script.exit() == 1)
      #expect(script.errors.contains("acknowledged with 'suzu ack'"), "\(script.errors)")
      let closed = try await server.closed.next(within: .seconds(15))
      #expect(closed == posted.number)
    }
  }

  @Test(
    arguments: [
      (["--max", "3"], "'--max' applies only to '--nag' and '--escalate'; for how many dates, use '--count'"),
      (["--nag", "5"], "did you mean '5m'?"), (["--nag", "5s"], "'--nag' must be at least 10s, not '5s'"),
      (["--nag", "5m", "--max", "1"], "'--max' must be an integer from 2 to 10000, not 1"),
      (["--escalate", "level=critical"], "'--escalate level=critical' must be AFTER KEY=VALUE,…"),
      (["--escalate", "10m level"], "must be AFTER KEY=VALUE,…"),
      (["--escalate", "10m level=a,level=b"], "'level' is given twice"),
      (["--escalate", "10m lvel=critical"], "did you mean 'level'?"),
      (["--escalate", "10m", "--escalate", "5m"], "'--escalate' must be at least 10s later than the step before"),
      (
        ["--escalate", "10m category=nothing"],
        "'--escalate' names 'nothing', which is not registered: see suzu category"
      ),
      (["--action", "a=A", "--snooze", "a=5m,wednesday nonsense"], "--snooze"),
      (["--action", "a=A", "--snooze", "a=5m,5m"], "repeats '5m'"),
      (["--action", "a=A", "--snooze", "a=nonsense"], "'--snooze a=…'"),
      (["--action", "a=A", "--snooze", "a=5m,1h", "--reply", "a=Why?"], "cannot be combined with times"),
    ])
  func `A wrong flag is refused in its own words`(flags: [String], message: String) throws {
    let session = try Session()
    let told = try session.suzu(["notify", "Pill"] + flags)
    #expect(told.status == 65 || told.status == 64)
    #expect(told.errors.contains(message), "\(told.errors)")
    #expect(told.errors.filter { $0 == "\n" }.count == 1)
    #expect(try session.suzu("list", "--json").output == "[]\n")
  }

  @Test func `A request with all of it reads back as it was, and can be edited`() throws {
    let session = try Session()
    let made = try session.suzu(
      "notify", "Pill", "--id", "pill", "--every", "08:00", "--nag", "10m", "--max", "5", "--escalate",
      "20m level=critical sound=alarm", "--action", "later=Later", "--snooze", "later=5m, tomorrow 08:00,unlocked")
    #expect(made.status == 0, "\(made.errors)")
    let shown = try session.suzu("show", "pill").output
    for line in [
      "nag: +10m", "max: +5", "escalate: +after 20m: level=critical, sound=alarm",
      "action: +Later \\(later\\): snooze 5m, tomorrow 08:00, unlocked",
    ] {
      #expect(try shown.contains(Regex(line)), "\(line) in \(shown)")
    }
    #expect(try session.suzu("edit", "pill", "--nag", "5m").status == 0)
    let rows = try session.suzu("list", "--json")
    #expect(rows.output.contains(#""nag":"5m""#) && rows.output.contains(#""max":5"#))
    #expect(try session.suzu("notify", "--file", "-", input: rows.output).status == 0)
    #expect(try session.suzu("list", "--json").output == rows.output)
  }
}
