// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests `suzu ask` in a locked session.
@Suite(.onOwnThread, .timeLimit(.minutes(2)))
struct LockedAskTests {
  private static func ask(
    _ words: String..., on session: Session, input: String = "",
    _ body: @escaping @Sendable (RunningProgram, ScriptedServer, ScriptedServer.Posted, ScreenLock) async throws -> Void
  ) async throws {
    try await withLoop { loop in
      let lock = try await ScreenLock.start(on: session.bus, loop, isLocked: true)
      let server = try await ScriptedServer.start(on: session.bus, loop)
      let asking = try RunningProgram(
        Session.programs + "/suzu", ["ask"] + words, environment: session.environment)
      asking.write(input)
      asking.closeInput()
      try await body(asking, server, try await server.posted.next(within: .seconds(15)), lock)
      await lock.close()
    }
  }

  @Test(arguments: [("0", Int32(0)), ("1", 123)])
  func `A destructive button counts after the unlock and a second question`(
    second: String, status: Int32
  ) async throws {
    let session = try Session()
    try await Self.ask("Erase?", "--destructive", "yes", "--id", "q", on: session) { asking, server, posted, lock in
      try await server.press(posted.number, "yes")
      try await offPool { try session.wait(for: "waiting: locked", in: "history", "q") }
      #expect(asking.isRunning)
      try await lock.unlock()
      let question = try await server.posted.next(within: .seconds(15))
      #expect(question.body.contains("while the screen was locked: Erase?"), "\(question.body)")
      try await server.press(question.number, second)
      let ended = try await asking.exit()
      #expect(ended == status)
      #expect(try await asking.line() == (status == 0 ? "yes" : nil))
      #expect(
        asking.errors
          == (status == 0 ? "" : "suzu: ask: 'yes' was chosen, but it does not count: lapsed: not confirmed\n"))
    }
  }

  @Test func `Other buttons count in a locked session`() async throws {
    try await Self.ask("Erase?", "--destructive", "yes", on: try Session()) { asking, server, posted, _ in
      try await server.press(posted.number, "no")
      let ended = try await asking.exit()
      #expect(ended == 1)
    }
  }

  @Test func `The time limit ends the wait for the unlock`() async throws {
    let session = try Session()
    let words = ["Erase?", "--destructive", "yes", "--id", "q", "--timeout", "3s", "--default", "no"]
    try await Self.ask(
      words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7], words[8], on: session
    ) { asking, server, posted, _ in
      try await server.press(posted.number, "yes")
      let ended = try await asking.exit()
      #expect(ended == 1)
      #expect(try await asking.line() == "no")
      #expect(asking.errors == "suzu: ask: no answer within 3s; using the default 'no'\n")
    }
  }

  @Test func `An agent gets no permission for a high risk in a locked session`() async throws {
    let session = try Session()
    let request =
      #"{"hook_event_name": "BeforeTool", "tool_name": "run_shell_command", "tool_input": {"command": "sudo ls"}}"#
    try await Self.ask("--hook", "gemini", "--timeout", "3s", on: session, input: request) { hook, server, posted, _ in
      try await server.press(posted.number, "allow")
      let line = try await hook.line()
      #expect(line == #"{"decision":"deny","reason":"no answer within 3s"}"#)
      #expect(try await hook.exit() == 0)
    }
  }
}
