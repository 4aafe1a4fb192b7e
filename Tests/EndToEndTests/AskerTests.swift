// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests that a question leaves the screen with the program that asked it, and that many can be asked at once.
@Suite(.onOwnThread, .timeLimit(.minutes(3)))
struct AskerTests {
  /// Waits until the center has stored the number of the notification on the screen: before that, an early end of the
  /// center shows the question again, and a question that is withdrawn counts as cancelled.
  private static func awaitNumber(in session: Session) async throws {
    try await offPool { try session.wait(for: "\nshown:", in: "show", "q") }
  }

  @Test func `The question of a killed program is withdrawn`() async throws {
    let session = try Session()
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop)
      let asking = try session.start("ask", "Deploy?", "--id", "q")
      let posted = try await server.posted.next(within: .seconds(15))
      try await Self.awaitNumber(in: session)
      asking.kill()
      let closed = try await server.closed.next(within: .seconds(15))
      #expect(closed == posted.number)
      try await offPool { try session.wait(for: "withdrawn", in: "history", "q") }
    }
  }

  @Test func `It is withdrawn by the next center, too`() async throws {
    let session = try Session()
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop)
      let asking = try session.start("ask", "Deploy?", "--id", "q")
      _ = try await server.posted.next(within: .seconds(15))
      try await Self.awaitNumber(in: session)
      // It must not start the next center before it ends itself.
      asking.signal(SIGSTOP)
      kill(try #require(try await offPool { try session.process(of: "dev.suzu.Center") }), SIGKILL)
      asking.kill()
      // The bus starts the next center for this. It may begin to show the alert again before it knows that the asker
      // has gone.
      try await offPool { try session.wait(for: "\nclosed:", in: "show", "q") }
      let closed = try await server.closed.next(within: .seconds(15))
      #expect(closed == 1)
    }
  }

  @Test func `A program that outlives its center still withdraws its question with its own end`() async throws {
    let session = try Session()
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop)
      let asking = try session.start("ask", "Deploy?", "--id", "q")
      _ = try await server.posted.next(within: .seconds(15))
      try await Self.awaitNumber(in: session)
      kill(try #require(try await offPool { try session.process(of: "dev.suzu.Center") }), SIGKILL)
      let again = try await server.posted.next(within: .seconds(15))
      asking.kill()
      let closed = try await server.closed.next(within: .seconds(15))
      #expect(closed == again.number)
    }
  }

  /// Runs a script that asks, and waits for the end of the pipe `go`.
  private static func script(_ text: String, in session: Session) throws -> RunningProgram {
    mkfifo(session.folder.path("go"), 0o600)
    mkfifo(session.folder.path("answer"), 0o600)
    return try RunningProgram(
      "/bin/sh", ["-c", "cd '\(session.folder.path(""))'\n\(text)"],
      environment: session.environment.merging(["PATH": Session.programs + ":/usr/bin:/bin"]) { $1 })
  }

  @Test(arguments: ["suzu ask 'Deploy?' | cat go", "suzu ask 'Deploy?' >file & cat go"])
  func `The question goes when the reader of its answer, or the script, has ended`(script: String) async throws {
    let session = try Session()
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop)
      let running = try Self.script(script, in: session)
      let posted = try await server.posted.next(within: .seconds(15))
      let told = try await offPool { try session.run("/bin/sh", "-c", ": >'\(session.folder.path("go"))'") }
      #expect(told.status == 0)
      let closed = try await server.closed.next(within: .seconds(15))
      #expect(closed == posted.number)
      #expect(try await running.exit() != nil)
    }
  }

  @Test func `Under nohup the question outlives its script`() async throws {
    let session = try Session()
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop)
      let running = try Self.script("nohup suzu ask 'Deploy?' >answer 2>/dev/null & cat go", in: session)
      let answer = try RunningProgram("cat", [session.folder.path("answer")], environment: session.environment)
      let posted = try await server.posted.next(within: .seconds(15))
      let told = try await offPool { try session.run("/bin/sh", "-c", ": >'\(session.folder.path("go"))'") }
      #expect(told.status == 0)
      let status = try await running.exit()
      #expect(status == 0)
      try await server.press(posted.number, "yes")
      #expect(try await answer.line() == "yes")
    }
  }

  @Test func `Without a server the question of a killed program does not wait for one`() async throws {
    let session = try Session()
    let asking = try session.start("ask", "Deploy?", "--id", "q")
    #expect(asking.readErrors(until: "no notification server runs") != nil)
    asking.kill()
    try await offPool { try session.wait(for: "cancelled", in: "history", "q") }
  }

  // More than twenty at once become one digest, which cannot be answered.
  @Test func `Two hundred questions at once are all shown and answered`() async throws {
    let session = try Session()
    let count = 200
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop)
      let asking = try RunningProgram(
        "/bin/sh",
        [
          "-c",
          """
          for i in $(seq \(count)); do
            { suzu ask "Question $i" --id "q$i" >/dev/null; echo "$i $?"; } &
          done
          wait
          """,
        ],
        environment: session.environment.merging(["PATH": Session.programs + ":/usr/bin:/bin"]) { $1 })
      for _ in 0..<count {
        let posted = try await server.posted.next(within: .seconds(60))
        let number = try #require(Int(posted.summary.drop { !$0.isNumber }), "\(posted.summary)")
        try await server.press(posted.number, number.isMultiple(of: 2) ? "yes" : "no")
      }
      for _ in 0..<count {
        let line = try #require(try await asking.line())
        let parts = line.split(separator: " ").compactMap { Int($0) }
        #expect(parts.count == 2 && parts[1] == (parts[0].isMultiple(of: 2) ? 0 : 1), "\(line)")
      }
    }
  }
}
