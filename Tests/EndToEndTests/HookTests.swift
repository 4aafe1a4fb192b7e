// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests `suzu ask --hook` as an agent runs it, with the real programs and a scripted notification server.
@Suite(.onOwnThread, .timeLimit(.minutes(3)))
struct HookTests {
  private static func fixture(_ name: String) throws -> String {
    try String(contentsOf: Session.checkout.appending(path: "Tests/Fixtures/hooks/\(name).json"), encoding: .utf8)
  }

  private static func format(of name: String) -> String {
    name.split(separator: "-").dropLast().joined(separator: "-")
  }

  /// Runs the hook of a request, and hands over the program and its notification.
  private static func ask(
    _ name: String, _ flags: String..., on session: Session,
    _ body: @escaping @Sendable (RunningProgram, ScriptedServer, ScriptedServer.Posted) async throws -> Void
  ) async throws {
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop, capabilities: ["actions", "body"])
      let hook = try RunningProgram(
        Session.programs + "/suzu", ["ask", "--hook", format(of: name)] + flags, environment: session.environment)
      hook.write(try fixture(name))
      hook.closeInput()
      try await body(hook, server, try await server.posted.next(within: .seconds(15)))
    }
  }

  @Test(arguments: [
    (
      "claude-code-permission", "allow",
      #"{"hookSpecificOutput":{"decision":{"behavior":"allow"},"hookEventName":"PermissionRequest"}}"#
    ),
    (
      "codex-permission", "deny",
      #"{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"the user denied it in a notification"},"hookEventName":"PermissionRequest"}}"#
    ),
    (
      "copilot-tool", "allow",
      #"{"permissionDecision":"allow","permissionDecisionReason":"the user allowed it in a notification"}"#
    ),
    (
      "cursor-shell", "deny",
      #"{"agent_message":"the user denied it in a notification","permission":"deny","user_message":"the user denied it in a notification"}"#
    ),
    ("gemini-tool", "allow", #"{"decision":"allow"}"#),
  ])
  func `The agent gets the decision in its form`(name: String, button: String, line: String) async throws {
    try await Self.ask(name, on: try Session()) { hook, server, posted in
      try await server.press(posted.number, button)
      let printed = try await hook.line()
      #expect(printed == line)
      #expect(try await hook.exit() == 0)
      #expect(hook.errors == "")
    }
  }

  @Test func `The notification shows the agent, the command, the folder and the risk, and so does the history`()
    async throws
  {
    let session = try Session()
    try await Self.ask("claude-code-permission", on: session) { hook, server, posted in
      #expect(posted.appName == "Claude Code" && posted.icon == "dialog-warning")
      #expect(posted.summary == "Allow Claude Code to use Bash?")
      #expect(posted.body == "in /home/anna/tea\nRisk: high: deletes files for good\nrm -rf build && make")
      #expect(posted.actions.suffix(4) == ["allow", "⚠ Allow", "deny", "Deny"])
      try await server.press(posted.number, "deny")
      let status = try await hook.exit()
      #expect(status == 0)
      let table = try await offPool { try session.suzu("history") }.output
      #expect(table.contains("ASKED BY") && table.contains(" Claude Code "), "\(table)")
      let list = try await offPool { try session.suzu("history", "--json") }.output
      struct Row: Decodable {
        let action: String
        let userInfo: [String: String]
      }
      let rows = try JSONDecoder().decode([Row].self, from: Data(list.utf8))
      #expect(rows.map(\.action) == ["deny"])
      #expect(
        rows.first?.userInfo == [
          "askedBy": "Claude Code", "hook": "claude-code", "tool": "Bash", "request": "rm -rf build && make",
          "folder": "/home/anna/tea", "risk": "high",
        ])
    }
  }

  @Test(arguments: [
    ("claude-code-permission", nil, nil), ("codex-permission", nil, nil),
    ("claude-code-tool", #""permissionDecision":"ask""#, nil), ("codex-tool", #""permissionDecision":"deny""#, nil),
    ("cursor-shell", #""permission":"ask""#, nil), ("gemini-tool", #""decision":"deny""#, nil),
    ("claude-code-permission", #""behavior":"deny""#, "deny"),
  ])
  func `Silence makes the agent ask, or is a denial`(name: String, part: String?, fallback: String?) async throws {
    let session = try Session()
    let words =
      ["ask", "--hook", Self.format(of: name), "--timeout", "200ms"] + (fallback.map { ["--default", $0] } ?? [])
    let input = try Self.fixture(name)
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop)
      let silent = try await offPool { try session.suzu(words, input: input) }
      #expect(silent.status == 0)
      #expect(part.map { silent.output.contains($0) } ?? (silent.output == ""), "\(silent.output)")
      #expect(silent.errors == "suzu: ask: no answer within 200ms\n")
      let posted = try await server.posted.next(within: .seconds(15))
      let closed = try await server.closed.next(within: .seconds(15))
      #expect(closed == posted.number)
    }
  }

  @Test func `A dismissed question is the agent's own to ask`() async throws {
    try await Self.ask("claude-code-tool", "--default", "deny", on: try Session()) { hook, server, posted in
      try await server.tellClosed(posted.number, reason: 2)
      let line = try await hook.line()
      #expect(line?.contains(#""permissionDecision":"ask""#) == true, "\(line ?? "")")
      #expect(try await hook.exit() == 0)
    }
  }

  @Test func `When the agent's answer comes first, it ends the hook, and the question goes`() async throws {
    try await Self.ask("claude-code-permission", on: try Session()) { hook, server, posted in
      hook.signal(SIGTERM)
      let closed = try await server.closed.next(within: .seconds(15))
      #expect(closed == posted.number)
      #expect(try await hook.exit() == 128 + SIGTERM)
      #expect(try await hook.line() == nil)
    }
  }

  @Test(arguments: ["claude-code", "codex", "copilot", "cursor", "gemini"])
  func `Without a bus, and with what is no request, the answer is safe`(format: String) throws {
    let session = try Session(hasCenter: false)
    session.bus.kill()
    for input in ["", "{", "[]", "not JSON", #"{"tool_input": {"command": "x"#, String(repeating: "[", count: 1 << 20)]
    {
      let answer = try session.suzu(["ask", "--hook", format], input: input)
      switch format {
      case "copilot": #expect(answer.status == 0 && answer.output.contains(#""permissionDecision":"ask""#))
      case "cursor", "gemini": #expect(answer.status == 0 && answer.output.contains(#":"deny""#))
      // These take the status 2 as a denial, with the reason on standard error.
      default: #expect(answer.status == 2 && answer.output == "")
      }
      #expect(answer.errors.hasPrefix("suzu: ask: "), "\(answer.errors)")
    }
    let name = [
      "claude-code": "claude-code-tool", "codex": "codex-permission", "copilot": "copilot-tool",
      "cursor": "cursor-shell", "gemini": "gemini-tool",
    ][format]
    let answer = try session.suzu(["ask", "--hook", format], input: try Self.fixture(try #require(name)))
    #expect(answer.status == 0 && !answer.output.contains("allow"), "\(answer)")
    #expect(answer.errors.contains("bus"), "\(answer.errors)")
  }

  // An agent may end, or hang, in the middle of its request.
  @Test(arguments: [SIGTERM, SIGKILL])
  func `Half a request whose rest never comes asks nothing, and ends with its agent`(signal: Int32) async throws {
    let session = try Session()
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop)
      let hook = try RunningProgram(
        Session.programs + "/suzu", ["ask", "--hook", "claude-code"], environment: session.environment)
      hook.write(#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"comm"#)
      let other = try await offPool { try session.suzu("notify", "Other") }
      #expect(other.status == 0)
      #expect(try await server.posted.next(within: .seconds(15)).summary == "Other")
      #expect(hook.isRunning)
      hook.signal(signal)
      #expect(try await hook.exit() == 128 + signal)
      #expect(try await hook.line() == nil)
      #expect(server.posted.waiting.isEmpty)
    }
  }

  @Test func `A request that is larger than sixteen megabytes is not read`() throws {
    let session = try Session(hasCenter: false)
    let large =
      #"{"hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": {"content": ""#
      + String(repeating: "x", count: 17 << 20)
    let answer = try session.suzu(["ask", "--hook", "claude-code"], input: large)
    #expect(answer.status == 2 && answer.output == "")
    #expect(answer.errors == "suzu: ask: standard input: larger than 16 MiB\n")
  }

  @Test(arguments: [
    (["--hook", "claude"], "'--hook claude' is no known format; there is claude-code, codex, copilot, cursor, gemini"),
    (["--hook", "codx"], "'--hook codx' is no known format; did you mean 'codex'?"),
    (
      ["--hook", "codex", "--default", "allow"],
      "'--default allow' with '--hook' must be ask or deny: silence allows nothing"
    ),
    (["--hook", "codex", "--input"], "'--input' and '--hook' cannot be combined"),
    (["--hook", "codex", "Title"], "unexpected argument 'Title'"),
    (
      ["--hook=codex", "--tiemout", "5m"],
      "'--tiemout' is not an option; did you mean '--timeout'?; see 'suzu ask --help'"
    ),
  ])
  func `A mistake in the hook's command is a denial`(words: [String], message: String) throws {
    let session = try Session(hasCenter: false)
    let answer = try session.suzu(["ask"] + words, input: try Self.fixture("codex-permission"))
    #expect(answer.status == 2 && answer.output == "")
    #expect(answer.errors == "suzu: ask: \(message)\n")
  }

  @Test func `A hook of another event does nothing, and says so`() throws {
    let session = try Session(hasCenter: false)
    let answer = try session.suzu(
      ["ask", "--hook", "codex"], input: #"{"hook_event_name": "Stop", "tool_name": "Bash"}"#)
    #expect(answer.status == 65 && answer.output == "")
    #expect(
      answer.errors
        == "suzu: ask: 'Stop' asks for no permission; set the hook up for PermissionRequest or PreToolUse\n")
  }
}
