// SPDX-License-Identifier: Apache-2.0
import Foundation
import NotificationModel
import Suzu
import TestSupport
import Testing

@testable import suzu

/// Tests that the manual pages describe all verbs, flags and keys.
@Suite struct ManualTests {
  private static let folder = GoldenTests.folder.deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "docs/man")
  static let pages = ["suzu.1", "suzud.8", "suzu-request.5", "suzu-category.5"]

  private static func page(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: "\(name).scd"), encoding: .utf8)
  }

  @Test(arguments: Command.verbs.map(\.name))
  func `Every verb has a section with all its flags`(name: String) throws {
    let verb = try #require(Command.verbs.first { $0.name == name })
    let parts = try Self.page("suzu.1").components(separatedBy: "\n## suzu \(name)").dropFirst()
    let part = try #require(parts.first { $0.first == " " || $0.first == "\n" }).components(separatedBy: "\n#")[0]
    for flag in verb.shownFlags {
      #expect(part.contains("*--\(flag.name)*"), "--\(flag.name)")
      if let letter = flag.letter { #expect(part.contains("*-\(letter)*, *--\(flag.name)*"), "-\(letter)") }
    }
    let told = part.matches(of: /\n(?:\*-.\*, )?\*--([a-z-]+)\*/).map { String($0.1) }
    #expect(Set(told) == Set(verb.shownFlags.map(\.name)))
  }

  @Test func `Every key is described`() throws {
    let request = try Self.page("suzu-request.5")
    for key in NotificationRequest.Key.allCases { #expect(request.contains("*\(key.rawValue)*"), "\(key)") }
    let category = try Self.page("suzu-category.5")
    let keys = [
      "id", "title", "icon", "foreground", "destructive", "authenticationRequired", "input", "run", "url", "launch",
      "snooze", "retry", "actions", "default", "minimal", "customDismiss", "type",
    ]
    for key in keys { #expect(category.contains("*\(key)*"), "\(key)") }
  }

  @Test func `Every state, reason and outcome is explained`() throws {
    let text = try String(
      contentsOf: Self.folder.deletingLastPathComponent().appending(path: "HISTORY.md"), encoding: .utf8)
    for end in RequestEnd.allCases {
      // As the command prints it.
      let printed = end == .expired ? "expired on screen" : end.rawValue
      #expect(text.contains("| reason | `\(printed)` |"), "\(end)")
    }
    for state in [ListedRequest.State.pending, .due, .delivered, .closed, .expired, .skipped, .folded, .failed] {
      #expect(text.contains("| state | `\(state.rawValue)` |"), "\(state)")
    }
    let kinds: [Outcome] = [
      .done, .unhandled, .waiting("locked"), .waiting("app"), .lapsed("locked"), .lapsed("not confirmed"),
      .lapsed("busy"), .lapsed("cancelled"), .failed("interrupted"), .failed("exit 3"), .refused("scheme '"),
    ]
    for outcome in kinds { #expect(text.contains("| outcome | `\(outcome)"), "\(outcome)") }
  }

  @Test(arguments: pages)
  func `Every page has examples and can be built`(name: String) throws {
    let text = try Self.page(name)
    #expect(text.hasPrefix(name.replacing(".", with: "(") + ")\n") && text.contains("\n# EXAMPLES\n"))
    guard RunningProgram.path(of: "scdoc") != nil else { return print("no scdoc here: the pages are not made") }
    let made = try RunningProgram.run("scdoc", environment: ["SOURCE_DATE_EPOCH": "0"], input: text)
    #expect(made.status == 0 && made.errors == "" && made.output.contains(".SH EXAMPLES"), "\(made.errors)")
  }
}
