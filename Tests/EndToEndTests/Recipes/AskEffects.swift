// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// The effects of the examples in `docs/ASK.md`.
extension Effect {
  static let ask: [Effect] =
    [
      Effect("./deploy", during: [.posted("Deploy?"), .press("Deploy?", "yes"), .ran("deploy ")], prints: "yes"),
      Effect("--timeout 1s --default test", during: [.posted("Where to?")]),
    ] + hooks.map(hook)

  /// A format, the request that its agent makes, the title of the question, and the value that allows it.
  private static let hooks = [
    (
      "claude-code", "claude-code-permission", "Allow Claude Code to use Bash?", ".hookSpecificOutput.decision.behavior"
    ),
    ("codex", "codex-permission", "Allow Codex to use Bash?", ".hookSpecificOutput.decision.behavior"),
    ("copilot", "copilot-tool", "Allow Copilot to use bash?", ".permissionDecision"),
    ("cursor", "cursor-shell", "Allow Cursor to use Shell?", ".permission"),
    ("gemini", "gemini-tool", "Allow Gemini CLI to use run_shell_command?", ".decision"),
  ]

  /// Runs the command in the settings of an agent as the agent does.
  private static func hook(_ format: String, _ request: String, _ title: String, _ value: String) -> Effect {
    let file = Session.checkout.appending(path: "Tests/Fixtures/hooks/\(request).json")
    let settings = "~/.config/suzu/categories.d/recipe.json"
    return Effect(
      "--hook \(format)", files: ["request.json": (try? String(contentsOf: file, encoding: .utf8)) ?? ""],
      after: [
        .shell(
          """
          command=$(jq -r '.. | objects | .command // .bash // empty | strings' \(settings))
          export command
          setsid sh -c 'notes "$(sh -c "$command" <request.json | jq -r \(value))"' >log 2>&1 &
          printf '%s\\n' "$command"
          """, "suzu ask --hook \(format)"),
        .posted(title), .press(title, "allow"), .ran("notes allow"),
      ])
  }
}
