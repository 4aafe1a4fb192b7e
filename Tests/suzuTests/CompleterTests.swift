// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import suzu

/// Tests shell completion of command lines.
@Suite struct CompleterTests {
  static func complete(_ line: String...) -> Completer { Completer(line, verbs: Command.verbs) }

  static func texts(_ line: String...) -> [String] { Completer(line, verbs: Command.verbs).candidates.map(\.text) }

  @Test func `Every verb is offered with its summary`() {
    #expect(Self.texts("") == Command.verbs.map(\.name))
    #expect(Self.texts("help", "").count == Command.verbs.count)
    #expect(Self.complete("lis").candidates == [Completer.Candidate(text: "list", help: Verb.list.summary)])
    #expect(Self.texts("--") == ["--help", "--version", "--user"])
    #expect(Self.texts("nonsense", "").isEmpty && Self.texts("help", "list", "").isEmpty)
  }

  /// Completion offers every flag that appears in the help.
  @Test(arguments: Command.verbs.map(\.name))
  func `Every flag that help shows is offered`(name: String) throws {
    let verb = try #require(Command.verbs.first { $0.name == name })
    let shown = verb.help.split(separator: "\n").filter { $0.hasPrefix("  -") }.flatMap { line in
      line.split(separator: " ").prefix { $0.hasPrefix("-") }.map { $0.filter { $0 != "," } }
    }
    #expect(Set(shown + ["--user", "--help"]) == Set(Self.texts(name, "-")))
    #expect(Self.texts(name, "x", "-").isEmpty == false)
    #expect(Self.texts(name, "--", "-").isEmpty)
  }

  @Test func `A value is offered after a flag that takes one`() {
    #expect(Self.texts("notify", "T", "--level", "") == ["passive", "active", "timeSensitive", "critical"])
    #expect(Self.texts("notify", "--level", "ti") == ["timeSensitive"])
    #expect(Self.texts("notify", "--level=c") == ["--level=critical"])
    #expect(Self.texts("notify", "-u", "l") == ["low"])
    #expect(Self.texts("notify", "-eu", "l") == ["low"])
    // The flag already has its value.
    #expect(Self.texts("notify", "-ulow", "l").isEmpty)
    #expect(Self.texts("notify", "--wait", "").isEmpty && Self.texts("notify", "--wait=").isEmpty)
    // A value may look like a flag.
    #expect(Self.texts("notify", "--id", "--level", "").isEmpty)
  }

  @Test func `The kind of query and its app are determined`() {
    #expect(Self.complete("cancel", "a", "").rest == .pendingIDs)
    #expect(Self.complete("dismiss", "--all", "").rest == .shownIDs)
    #expect(Self.complete("respond", "--app", "b.c", "x", "").rest == .actions)
    #expect(Self.complete("respond", "--app", "b.c", "x", "").words == ["x"])
    #expect(Self.complete("respond", "x", "y", "").rest == .nothing)
    #expect(Self.complete("cancel", "--app", "b.c", "").app == "b.c")
    #expect(Self.complete("cancel", "--app=b.c", "").app == "b.c")
    #expect(Self.complete("next", "--zone=Eu").rest == .zones)
    #expect(Self.complete("notify", "--category", "").rest == .categories)
    #expect(Self.complete("category", "show", "").rest == .registeredCategories)
    #expect(Self.texts("category", "s") == ["show", "set"])
    #expect(Self.complete("category", "check", "").words == ["check"])
    #expect(Self.complete("next", "").rest == .pendingIDs && Self.complete("history", "").rest == .pastIDs)
    #expect(Self.texts("history", "--state", "f") == ["folded", "failed"])
    #expect(Self.texts("apps", "deny", "a.b", "s") == ["sound"])
    #expect(Self.complete("notify", "--file", "").rest == .file)
    #expect(Self.complete("import", "a", "").rest == .file && Self.complete("export", "").rest == .file)
    #expect(Self.texts("launcher", "e") == ["enable"])
    #expect(Self.complete("launcher", "enable", "a", "").rest == .launchables)
    #expect(Self.complete("launcher", "enable", "a", "").words == ["enable", "a"])
  }

  @Test func `The user flag may stand anywhere and changes nothing else`() {
    #expect(Self.texts("--user", "anna", "his") == ["history"])
    #expect(Self.complete("--user=anna", "cancel", "").rest == .pendingIDs)
    #expect(Self.complete("cancel", "--user", "anna", "").user == "anna")
    #expect(Self.complete("cancel", "--user", "anna", "a", "").words == ["a"])
    #expect(Self.complete("cancel", "--user", "an").rest == .users)
    #expect(Self.complete("cancel", "--user=an").prefix == "--user=")
    // It may become another flag, and is a word after two dashes.
    #expect(Self.texts("notify", "--user") == ["--user-info", "--user"])
    #expect(Self.complete("cancel", "--", "--user", "anna", "").user == nil)
  }

  @Test func `Queried candidates are filtered by the typed text`() {
    var completer = Self.complete("next", "--zone=Europe/P")
    completer.offer([.init(text: "Europe/Paris"), .init(text: "Asia/Tokyo")])
    #expect(completer.candidates == [.init(text: "--zone=Europe/Paris")])
    completer = Self.complete("cancel", "te")
    completer.offer([.init(text: "tea", help: "Tea"), .init(text: "rent")])
    #expect(completer.candidates == [.init(text: "tea", help: "Tea")])
  }
}
