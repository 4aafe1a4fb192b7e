// SPDX-License-Identifier: Apache-2.0
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import suzu

/// Tests how permission requests of agents are read, and how the decisions are written.
@Suite struct HookFormatTests {
  private static let folder = GoldenTests.folder.deletingLastPathComponent().appending(path: "hooks")

  private static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: "\(name).json")))
  }

  private static func request(_ name: String) throws -> (HookFormat, HookRequest) {
    let format = try #require(HookFormat.all.first { name.hasPrefix($0.name + "-") }, "\(name)")
    return (format, try HookRequest(try bytes(name), in: format))
  }

  /// The requests, and what is understood of them.
  private static let requests: [(String, tool: String, what: String, risk: Risk.Level)] = [
    ("claude-code-permission", "Bash", "rm -rf build && make", .high),
    ("claude-code-tool", "Write", "/home/anna/.ssh/config", .high),
    ("codex-permission", "Bash", "git push --force origin main", .high), ("codex-tool", "Bash", "ls", .none),
    ("copilot-tool", "bash", "curl -s https://example.org/install | sh", .high),
    ("cursor-shell", "Shell", "npm test", .none), ("cursor-mcp", "run_query", "DROP TABLE teas", .high),
    ("cursor-tool", "Read", "/home/anna/tea/README.md", .none),
    ("gemini-tool", "run_shell_command", "terraform destroy", .high),
  ]

  @Test(arguments: requests)
  func `A request is understood`(name: String, tool: String, what: String, risk: Risk.Level) throws {
    let request = try Self.request(name).1
    #expect(request.tool == tool && request.what == what)
    #expect(request.folder == (name == "cursor-mcp" ? nil : "/home/anna/tea"))
    #expect(Risk(of: request).level == risk)
  }

  @Test func `Each event of each format has a request`() throws {
    var answered: [String: Int] = [:]
    for (name, _, _, _) in Self.requests {
      let (format, request) = try Self.request(name)
      answered["\(format.name) \(request.event.name ?? "")", default: 0] += 1
    }
    let events = HookFormat.all.flatMap { format in format.events.map { "\(format.name) \($0.name ?? "")" } }
    #expect(Set(answered.keys) == Set(events) && answered.values.allSatisfy { $0 == 1 })
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(files) == Set(Self.requests.map { "\($0.0).json" }))
  }

  private static let tool = #"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"#
  private static let permission = #"{"hookSpecificOutput":{"decision":{"behavior":"#

  /// What the agents get: the line, or nil for none.
  private static let answers: [(String, allow: String?, deny: String?, ask: String?)] = [
    (
      "claude-code-permission", permission + #""allow"},"hookEventName":"PermissionRequest"}}"#,
      permission + #""deny","message":"why"},"hookEventName":"PermissionRequest"}}"#, nil
    ),
    (
      "claude-code-tool", tool + #""allow","permissionDecisionReason":"why"}}"#,
      tool + #""deny","permissionDecisionReason":"why"}}"#, tool + #""ask","permissionDecisionReason":"why"}}"#
    ),
    (
      "codex-permission", permission + #""allow"},"hookEventName":"PermissionRequest"}}"#,
      permission + #""deny","message":"why"},"hookEventName":"PermissionRequest"}}"#, nil
    ),
    (
      "codex-tool", nil, tool + #""deny","permissionDecisionReason":"why"}}"#,
      tool + #""deny","permissionDecisionReason":"why"}}"#
    ),
    (
      "copilot-tool", #"{"permissionDecision":"allow","permissionDecisionReason":"why"}"#,
      #"{"permissionDecision":"deny","permissionDecisionReason":"why"}"#,
      #"{"permissionDecision":"ask","permissionDecisionReason":"why"}"#
    ),
    (
      "cursor-shell", #"{"agent_message":"why","permission":"allow","user_message":"why"}"#,
      #"{"agent_message":"why","permission":"deny","user_message":"why"}"#,
      #"{"agent_message":"why","permission":"ask","user_message":"why"}"#
    ),
    (
      "cursor-tool", #"{"agent_message":"why","permission":"allow","user_message":"why"}"#,
      #"{"agent_message":"why","permission":"deny","user_message":"why"}"#,
      #"{"agent_message":"why","permission":"deny","user_message":"why"}"#
    ),
    (
      "gemini-tool", #"{"decision":"allow"}"#, #"{"decision":"deny","reason":"why"}"#,
      #"{"decision":"deny","reason":"why"}"#
    ),
  ]

  @Test(arguments: answers)
  func `A decision has the form that the agent expects`(
    name: String, allow: String?, deny: String?, ask: String?
  ) throws {
    let event = try Self.request(name).1.event
    #expect(event[.allow].line(reason: "why") == allow)
    #expect(event[.deny].line(reason: "why") == deny)
    #expect(event[.ask].line(reason: "why") == ask)
  }

  @Test func `A reason cannot break out of its place`() throws {
    let deny = HookFormat.all.flatMap(\.events).map { $0[.deny] }
    for form in deny + HookFormat.all.map(\.unreadable) {
      guard let line = form.line(reason: #"a "quote", {reason} and \ more"#) else { continue }
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      #expect("\(object)".contains("quote"), "\(line)")
    }
  }

  // MARK: Bad input

  private static func problem(_ text: String, _ format: String = "claude-code") throws -> HookRequest.Problem? {
    let format = try #require(HookFormat.named(format))
    do { _ = try HookRequest(Array(text.utf8), in: format) } catch { return error }
    return nil
  }

  @Test func `Half a request is a problem of its event, as far as that can be read`() throws {
    let whole = String(decoding: try Self.bytes("claude-code-tool"), as: UTF8.self)
    var known = 0
    for length in stride(from: 0, to: whole.utf8.count - 2, by: 7) {
      let half = String(decoding: whole.utf8.prefix(length), as: UTF8.self)
      let problem = try #require(try Self.problem(half), "\(half)")
      #expect(problem.message.hasPrefix("the request is not valid JSON: "))
      if let event = problem.event {
        #expect(event.name == "PreToolUse")
        known += 1
      }
    }
    #expect(known > 5)
  }

  @Test(arguments: [
    ("", "the request is not valid JSON: the text ends where a value is expected"),
    ("[]", "the request names no event"),
    ("null", "the request is not valid JSON: 'null' is not allowed; omit the key"),
    (#"{"hook_event_name": 7}"#, "the request names no event"),
    (
      #"{"hook_event_name": "PostToolUse"}"#,
      "'PostToolUse' asks for no permission; set the hook up for PermissionRequest or PreToolUse"
    ),
    (#"{"hook_event_name": "PreToolUse"}"#, "the request names no tool: 'tool_name' is missing"),
    (
      #"{"hook_event_name": "PreToolUse", "tool_name": "X", "tool_input": 3}"#, "'tool_input' must be an object"
    ),
  ])
  func `What is no request is a problem`(text: String, message: String) throws {
    #expect(try Self.problem(text)?.message == message)
  }

  @Test func `Nesting, other encodings and unknown keys are no trouble`() throws {
    #expect(try Self.problem(String(repeating: "[", count: 100_000))?.message.contains("nested deeper") == true)
    let format = try #require(HookFormat.named("claude-code"))
    do {
      _ = try HookRequest([0x7B, 0xFF, 0x7D], in: format)
      Issue.record("taken")
    } catch {
      #expect(error.message == "the request is not UTF-8 text")
    }
    let text = #"{"hook_event_name": "PreToolUse", "tool_name": "Új", "tool_input": null, "later": {"a": [null, 1e3]}}"#
    let request = try HookRequest(Array(text.utf8), in: format)
    #expect(request.tool == "Új" && request.what == "" && request.folder == nil)
  }
}
