// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import TestSupport
import Testing

/// Tests `suzu ask` with the real programs and a scripted notification server.
@Suite(.onOwnThread, .timeLimit(.minutes(3)))
struct AskTests {
  /// Asks on a server that draws buttons, and hands over the program and its notification.
  private static func ask(
    _ words: String..., on session: Session, capabilities: [String] = ["actions", "body"],
    _ body: @escaping @Sendable (RunningProgram, ScriptedServer, ScriptedServer.Posted) async throws -> Void
  ) async throws {
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop, capabilities: capabilities)
      let asking = try RunningProgram(
        Session.programs + "/suzu", ["ask"] + words, environment: session.environment)
      try await body(asking, server, try await server.posted.next(within: .seconds(15)))
    }
  }

  @Test(arguments: [("yes", Int32(0)), ("no", 1)])
  func `The pressed button is printed, and its position is the status`(button: String, status: Int32) async throws {
    try await Self.ask("Deploy?", "Version 2.4", on: try Session()) { asking, server, posted in
      #expect(posted.summary == "Deploy?" && posted.body == "Version 2.4" && posted.timeout == 0)
      #expect(posted.actions.suffix(4) == ["yes", "Yes", "no", "No"])
      try await server.press(posted.number, button)
      #expect(try await asking.exit() == status)
      #expect(try await asking.line() == button)
      #expect(asking.errors == "")
    }
  }

  @Test func `At the end of its time limit the question is withdrawn, and the default is printed`() async throws {
    let session = try Session()
    try await Self.ask("Deploy?", "--timeout", "1s", "--default", "no", on: session) { asking, server, posted in
      #expect(try await server.closed.next(within: .seconds(10)) == posted.number)
      #expect(try await asking.exit() == 1)
      #expect(try await asking.line() == "no")
      #expect(asking.errors == "suzu: ask: no answer within 1s; using the default 'no'\n")
      let listed = try await offPool { try session.suzu("list", "--delivered") }.output
      #expect(listed == "")
    }
  }

  @Test func `Without a default the time limit has a status of its own, and nothing is printed`() async throws {
    try await Self.ask("Deploy?", "--timeout", "500ms", on: try Session()) { asking, _, _ in
      let status = try await asking.exit()
      #expect(status == 124)
      #expect(try await asking.line() == nil)
      #expect(asking.errors == "suzu: ask: no answer within 500ms\n")
    }
  }

  @Test func `A dismissed question has no answer, not even the default`() async throws {
    try await Self.ask("Deploy?", "--timeout", "5m", "--default", "yes", on: try Session()) { asking, server, posted in
      try await server.tellClosed(posted.number, reason: 2)
      #expect(try await asking.exit() == 123)
      #expect(try await asking.line() == nil)
      #expect(asking.errors == "")
    }
  }

  @Test func `A question that another program removes says so`() async throws {
    let session = try Session()
    try await Self.ask("Deploy?", "--id", "q", "--json", on: session) { asking, _, _ in
      let dismissed = try await offPool { try session.suzu("dismiss", "q") }
      #expect(dismissed.status == 0)
      #expect(try await asking.exit() == 123)
      #expect(try await asking.line() == #"{"app":"dev.suzu.Suzu","id":"q"}"#)
      #expect(asking.errors == "suzu: ask: a program removed the notification from the screen\n")
    }
  }

  @Test func `A question can be answered elsewhere`() async throws {
    let session = try Session()
    try await Self.ask(
      "Where to?", "--id", "q", "--action", "prod=Production", "--action", "test=Test", "--action", "no=Nowhere",
      "--json", on: session
    ) { asking, _, _ in
      let answered = try await offPool { try session.suzu("respond", "q", "no") }
      #expect(answered.status == 0)
      #expect(try await asking.exit() == 2)
      #expect(try await asking.line() == #"{"action":"no","app":"dev.suzu.Suzu","id":"q"}"#)
    }
  }

  @Test func `A typed text is printed in the place of its button`() async throws {
    try await Self.ask(
      "Name?", "--input", "--action", "ok=Take it", "--action", "skip=Skip", on: try Session(),
      capabilities: ["actions", "body", "inline-reply"]
    ) { asking, server, posted in
      #expect(posted.keys.contains("inline-reply"))
      try await server.emit(ScriptedServer.replied(posted.number, "Half moon; $HOME"))
      #expect(try await asking.exit() == 0)
      #expect(try await asking.line() == "Half moon; $HOME")
    }
  }

  @Test func `A server that draws no buttons gets its answer from a list`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "#!/bin/sh\nwhile read -r key && read -r label; do [ \"$label\" = No ] && echo \"$key\"; done\n",
      to: "bin/zenity",
      executable: true)
    let session = try Session(variables: ["PATH": folder.path("bin") + ":/usr/bin:/bin"], in: folder)
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop, name: "dunst")
      let asking = try session.start("ask", "Deploy?")
      let posted = try await server.posted.next(within: .seconds(15))
      try await server.press(posted.number, "default")
      let status = try await asking.exit()
      #expect(status == 1)
      #expect(try await asking.line() == "no")
    }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `A signal withdraws the question`(signal: Int32) async throws {
    try await Self.ask("Deploy?", on: try Session()) { asking, server, posted in
      asking.signal(signal)
      let closed = try await server.closed.next(within: .seconds(10))
      #expect(closed == posted.number)
      #expect(try await asking.exit() == 128 + signal)
      #expect(try await asking.line() == nil)
    }
  }

  // The terminal, or the SSH link, of the script ends; the script may have a handler for that.
  @Test func `When the terminal ends, the default is printed with the reason`() async throws {
    try await Self.ask("Deploy?", "--default", "no", on: try Session()) { asking, server, posted in
      asking.signal(SIGHUP)
      let closed = try await server.closed.next(within: .seconds(10))
      #expect(closed == posted.number)
      #expect(try await asking.exit() == 1)
      #expect(try await asking.line() == "no")
      #expect(asking.errors == "suzu: ask: the terminal has ended; using the default 'no'\n")
    }
  }

  // The center may end before it has told the id: the command gave up then, and the question stayed on the screen.
  @Test(arguments: [SIGTERM, SIGKILL], 1...4)
  func `A question outlives its center`(signal: Int32, round: Int) async throws {
    let session = try Session()
    try await Self.ask("Deploy?", on: session) { asking, server, _ in
      kill(try #require(try await offPool { try session.process(of: "dev.suzu.Center") }), signal)
      // The bus starts another center, because the command asks for it; an alert is shown again.
      let again = try await server.posted.next(within: .seconds(15))
      #expect(again.summary == "Deploy?")
      try await server.press(again.number, "no")
      let status = try await asking.exit()
      #expect(status == 1, "\(asking.errors)")
      #expect(try await asking.line() == "no")
    }
  }

  @Test func `Without a bus or a center the default is the answer, and the reason is told`() throws {
    let session = try Session(hasCenter: false)
    let failed = try session.suzu("ask", "Deploy?")
    #expect(failed.status == 69 && failed.output == "")
    #expect(failed.errors.hasPrefix("suzu: ask: the center is not running and the bus cannot start it"))
    let settled = try session.suzu("ask", "Deploy?", "--default", "no")
    #expect(settled.status == 1 && settled.output == "no\n")
    #expect(settled.errors.hasSuffix("; using the default 'no'\n"), "\(settled.errors)")
    session.bus.kill()
    let alone = try session.suzu("ask", "Deploy?", "--default", "yes")
    #expect(alone.status == 0 && alone.output == "yes\n", "\(alone.errors)")
    #expect(try session.suzu("ask", "Deploy?").status == 69)
  }

  @Test func `Without a notification server the question waits, and is withdrawn at its time limit`() throws {
    let session = try Session()
    let asked = try session.suzu("ask", "Deploy?", "--timeout", "1s", "--default", "no")
    #expect(asked.status == 1 && asked.output == "no\n")
    #expect(asked.errors.hasPrefix("suzu: ask: warning: no notification server runs, so the request waits for one"))
    #expect(try session.suzu("list").output == "")
  }

  @Test(arguments: [
    (["ask"], 64, "a title is missing; see 'suzu ask --help'"),
    (["ask", "a", "b", "c"], 64, "unexpected argument 'c'; see 'suzu ask --help'"),
    (["ask", "a", "--default", "maybe"], 65, "'--default maybe': no button has the id 'maybe'; there is yes, no"),
    (
      ["ask", "a", "--action", "deploy=Go", "--action", "no=No", "--default", "deplyo"], 65,
      "'--default deplyo': no button has the id 'deplyo'; did you mean 'deploy'?"
    ),
    (["ask", "a", "--destructive", "x"], 65, "'--destructive x': no button has the id 'x'; there is yes, no"),
    (["ask", "a", "--timeout", "0s"], 65, "'--timeout 0s' must be longer than that; for example 30s"),
    (["ask", "a", "--action", "Deploy"], 64, "'--action Deploy' must be ID=TITLE; see 'suzu ask --help'"),
    (["ask", "a", "--action", "x=A", "--action", "x=B"], 65, "'--action': two buttons have the id 'x'"),
    (["ask", "  "], 65, "the title must not be blank: a notification without any text cannot be shown"),
  ])
  func `A mistake is an error, even with a default`(words: [String], status: Int32, message: String) throws {
    let session = try Session(hasCenter: false)
    let answer = try session.suzu(words)
    #expect(answer.status == status && answer.output == "")
    #expect(answer.errors == "suzu: ask: \(message)\n")
  }

  @Test(arguments: ["30", "-5s", "200y", "1e9999s", "99999999999999999999h", "soon"])
  func `A time limit that is no duration, or too long, is an error`(limit: String) throws {
    let session = try Session(hasCenter: false)
    let answer = try session.suzu("ask", "a", "--timeout=\(limit)", "--default", "no")
    #expect(answer.status == 65 && answer.output == "")
    #expect(answer.errors.hasPrefix("suzu: ask: '--timeout' must be a duration such as '90s'"), "\(answer.errors)")
  }
}
