// SPDX-License-Identifier: Apache-2.0
import CenterClient
import Foundation
import NotificationModel
import TestSupport
import Testing
import Triggers

@testable import suzu

/// Tests that the manual pages describe all verbs, flags and keys.
@Suite struct ManualTests {
  private static let folder = GoldenTests.folder.deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "docs/man")
  static let pages = ["suzu.1", "suzud.8", "suzu-link.8", "suzu-window.1", "suzu-request.5", "suzu-category.5"]

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
      "snooze", "retry", "actions", "default", "minimal", "customDismiss", "type", "userInfo",
    ]
    for key in keys { #expect(category.contains("*\(key)*"), "\(key)") }
  }

  // 'reply', 'why' and 'late' were missing among the keys of listings.
  @Test func `The lists of verbs, of keys in listings and of parts of a date are complete`() throws {
    let root = Self.folder.deletingLastPathComponent().deletingLastPathComponent()
    let read = { (name: String) in try String(contentsOf: root.appending(path: name), encoding: .utf8) }
    let (guide, changes, time) = (try read("docs/GUIDE.md"), try read("CHANGELOG.md"), try read("docs/TIME.md"))
    for verb in Command.verbs {
      #expect(guide.contains("`suzu \(verb.name)`") || guide.contains("`suzu \(verb.name) "), "\(verb.name)")
      #expect(changes.contains("`\(verb.name)`"), "\(verb.name)")
    }
    let listings = try #require(try Self.page("suzu-request.5").components(separatedBy: "\n# LISTINGS\n").last)
    for key in ListingKey.allCases { #expect(listings.contains("*\(key.rawValue)*"), "\(key)") }
    for name in ComponentMatch.names { #expect(time.contains("`\(name)`"), "\(name)") }
  }

  @Test func `Every state, reason and outcome is explained`() throws {
    let text = try String(
      contentsOf: Self.folder.deletingLastPathComponent().appending(path: "HISTORY.md"), encoding: .utf8)
    for end in RequestEnd.allCases {
      // As the command prints it.
      let printed = end == .expired ? "expired on screen" : end.rawValue
      #expect(text.contains("\n| `\(printed)`"), "\(end)")
    }
    for state in [
      ListedRequest.State.pending, .due, .delivered, .unanswered, .closed, .expired, .skipped, .folded, .failed,
    ] {
      #expect(text.contains(" | `\(state.rawValue)`"), "\(state)")
    }
    let kinds: [Outcome] = [
      .done, .unhandled, .waiting("locked"), .waiting("app"), .waiting("text"), .lapsed("locked"),
      .lapsed("not confirmed"),
      .lapsed("busy"), .lapsed("cancelled"), .failed("interrupted"), .failed("exit 3"), .refused("scheme '"),
      // These were met in the first hour, and were not in the table.
      .failed("xdg-open: the program that opens it failed"), .failed("'…' needs a terminal"),
      .failed("userInfo has no 'host'"), .refused("no host"), .refused("a file that starts programs"),
    ]
    for outcome in kinds { #expect(text.contains("| `\(outcome)"), "\(outcome)") }
  }

  // The 73 of `suzu export` was missing, and 'Next' did not name its unit.
  @Test func `Every exit status and the unit of dates on the bus are documented`() throws {
    let statuses = try Self.page("suzu.1").components(separatedBy: "\n# EXIT STATUS\n").last ?? ""
    let root = Self.folder.deletingLastPathComponent().deletingLastPathComponent()
    let guide = try String(contentsOf: root.appending(path: "docs/GUIDE.md"), encoding: .utf8)
    for status in ["0", "1", "64", "65", "66", "67", "69", "73", "74", "77", "78", "123", "124"] {
      #expect(statuses.contains("\n\(status)\n\t"), "\(status)")
      // The page left out 1, 66, 67 and 73.
      #expect(guide.contains("\n| \(status) | "), "\(status)")
    }
    for file in ["dbus/dev.suzu.Center1.xml", "docs/SCRIPTING.md"] {
      let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
      #expect(text.contains("in seconds since 1970"), "\(file)")
    }
  }

  // The pages began sentences with values, such as 'Banner or alert', and said some of them twice.
  @Test func `The page has each value as it must be typed, and no sentence twice`() throws {
    let page = try Self.page("suzu.1")
    for flag in Set(Command.verbs.flatMap(\.flags).map(\.name)) where flag != "type" {
      let flags = Command.verbs.flatMap(\.flags).filter { $0.name == flag }
      guard case .words(let values)? = flags.first?.completion else { continue }
      let parts = page.components(separatedBy: "*--\(flag)* _").dropFirst()
      let part = try #require(parts.first, "\(flag)").components(separatedBy: "\n\n")[0]
      for value in values {
        #expect(part.contains(value), "--\(flag) \(value)")
        #expect(!part.contains("\t" + value.capitalized), "--\(flag) \(value)")
      }
    }
    let sentences = page.split { ".\n".contains($0) }.map { $0.drop { $0 == " " || $0 == "\t" } }
    for (one, next) in zip(sentences, sentences.dropFirst()) where one.count > 20 { #expect(one != next, "\(one)") }
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
