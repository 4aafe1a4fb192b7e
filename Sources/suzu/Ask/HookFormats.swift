// SPDX-License-Identifier: Apache-2.0

extension HookFormat {
  /// The known formats. A new one is a row here, a request in `Tests/Fixtures/hooks`, and a line in `docs/ASK.md`.
  static let all = [claudeCode, codex, copilot, cursor, gemini]

  // https://code.claude.com/docs/en/hooks, read in October 2026: PermissionRequest, PreToolUse; exit status 2.
  private static let claudeCode = HookFormat(
    name: "claude-code", agent: "Claude Code", event: ["hook_event_name"], folder: ["cwd"],
    events: [
      permissionRequest,
      Event(
        name: "PreToolUse", tool: ["tool_name"], input: ["tool_input"],
        allow: .json(toolUse("allow")), deny: .json(toolUse("deny")), ask: .json(toolUse("ask"))),
    ], unreadable: .denial, limit: .seconds(590))

  // https://developers.openai.com/codex/hooks and github.com/openai/codex/pull/17563 (April 2026, version 0.122). An
  // 'allow' or 'ask' of PreToolUse is not supported there, and has no effect.
  private static let codex = HookFormat(
    name: "codex", agent: "Codex", event: ["hook_event_name"], folder: ["cwd"],
    events: [
      permissionRequest,
      Event(
        name: "PreToolUse", tool: ["tool_name"], input: ["tool_input"],
        allow: .nothing, deny: .json(toolUse("deny")), ask: nil),
    ], unreadable: .denial, limit: .seconds(590))

  // https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference, read in October 2026:
  // preToolUse, whose 'toolArgs' is JSON in a string; 30 seconds.
  private static let copilot = HookFormat(
    name: "copilot", agent: "Copilot", event: [], folder: ["cwd"],
    events: [
      Event(
        name: nil, tool: ["toolName"], input: ["toolArgs"],
        allow: .json(#"{"permissionDecision": "allow", "permissionDecisionReason": "{reason}"}"#),
        deny: .json(#"{"permissionDecision": "deny", "permissionDecisionReason": "{reason}"}"#),
        ask: .json(#"{"permissionDecision": "ask", "permissionDecisionReason": "{reason}"}"#))
    ], unreadable: .json(#"{"permissionDecision": "ask", "permissionDecisionReason": "{reason}"}"#), limit: .seconds(25)
  )

  // https://cursor.com/docs/hooks, read in September 2026: beforeShellExecution, beforeMCPExecution, and preToolUse,
  // which does not ask.
  private static let cursor = HookFormat(
    name: "cursor", agent: "Cursor", event: ["hook_event_name"], folder: ["cwd"],
    events: [
      Event(
        name: "beforeShellExecution", onlyTool: "Shell", input: [],
        allow: .json(permission("allow")), deny: .json(permission("deny")), ask: .json(permission("ask"))),
      Event(
        name: "beforeMCPExecution", tool: ["tool_name"], input: ["tool_input"],
        allow: .json(permission("allow")), deny: .json(permission("deny")), ask: .json(permission("ask"))),
      Event(
        name: "preToolUse", tool: ["tool_name"], input: ["tool_input"],
        allow: .json(permission("allow")), deny: .json(permission("deny")), ask: nil),
    ], unreadable: .json(permission("deny")), limit: .seconds(55))

  // https://geminicli.com/docs/hooks/reference, read in October 2026: BeforeTool, which comes after the CLI's own
  // question; 60 seconds.
  private static let gemini = HookFormat(
    name: "gemini", agent: "Gemini CLI", event: ["hook_event_name"], folder: ["cwd"],
    events: [
      Event(
        name: "BeforeTool", tool: ["tool_name"], input: ["tool_input"],
        allow: .json(#"{"decision": "allow"}"#), deny: .json(#"{"decision": "deny", "reason": "{reason}"}"#), ask: nil)
    ], unreadable: .json(#"{"decision": "deny", "reason": "{reason}"}"#), limit: .seconds(55))

  // MARK: Forms of several events

  /// The event of Claude Code and Codex for what they would ask themselves; they do if the hook prints nothing.
  private static let permissionRequest = Event(
    name: "PermissionRequest", tool: ["tool_name"], input: ["tool_input"],
    allow: .json(
      #"{"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}}"#),
    deny: .json(
      #"{"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "deny", "message": "{reason}"}}}"#
    ),
    ask: .nothing)

  private static func toolUse(_ decision: String) -> String {
    #"{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": ""# + decision
      + #"", "permissionDecisionReason": "{reason}"}}"#
  }

  private static func permission(_ decision: String) -> String {
    #"{"permission": ""# + decision + #"", "user_message": "{reason}", "agent_message": "{reason}"}"#
  }
}
