// SPDX-License-Identifier: Apache-2.0
import Foundation
import NotificationModel
import TestSupport
import Testing
import Zoneinfo

@testable import CenterClient
@testable import suzu

/// Compares the command's output with the files in `Tests/Fixtures/suzu`. After an intended change, `make golden`
/// rewrites them, and `git diff` shows the effect.
@Suite struct GoldenTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/suzu")

  static func check(_ text: String, _ name: String) throws {
    let file = folder.appending(path: name)
    if ProcessInfo.processInfo.environment["SUZU_GOLDEN"] == "write" {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try (text + "\n").write(to: file, atomically: true, encoding: .utf8)
      return
    }
    let expected = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    #expect(
      text + "\n" == expected, "\(name) differs; if that is meant: make golden\n\(difference(expected, text + "\n"))")
  }

  /// The difference line by line.
  private static func difference(_ old: String, _ new: String) -> String {
    let (old, new) = (
      old.split(separator: "\n", omittingEmptySubsequences: false),
      new.split(separator: "\n", omittingEmptySubsequences: false)
    )
    return new.difference(from: old).map { change in
      switch change {
      case .remove(let line, let text, _): "-\(line + 1): \(text)"
      case .insert(let line, let text, _): "+\(line + 1): \(text)"
      }
    }.joined(separator: "\n")
  }

  // MARK: Help

  @Test(arguments: Command.verbs.map(\.name))
  func `The help of a verb matches the fixture`(name: String) throws {
    let verb = try #require(Command.verbs.first { $0.name == name })
    // As in a pipe.
    try Self.check(verb.help(columns: 80), "help-\(name).txt")
    for columns in [1, 20, 40, 80, 200] {
      for line in verb.help(columns: columns).split(separator: "\n") {
        #expect(DisplayWidth.of(line) <= max(columns, 10), "\(columns): \(line)")
      }
    }
    // No letter is lost.
    func letters(_ text: String) -> String { text.replacing(" \\\n", with: "").filter { !$0.isWhitespace } }
    for columns in [20, 80] { #expect(letters(verb.help(columns: columns)) == letters(verb.help)) }
  }

  @Test func `The list of verbs matches the fixture`() throws {
    try Self.check(Command.help(columns: 80), "help.txt")
    try Self.check(Command.help(columns: 200), "help-at-200.txt")
    try Self.check(Command.help(columns: 20), "help-at-20.txt")
    try Self.check(Verb.list.help(columns: 40), "help-list-at-40.txt")
  }

  // MARK: Tables and JSON

  @Test(arguments: [nil, 80, 20])
  func `Tables match the fixtures`(width: Int?) async throws {
    let name = width.map { "-at-\($0)" } ?? ""
    let rules = try ListingTests.paris()
    try Self.check(
      try await ListingTests.print(ListingTests.rows, ListCommand.columns(isDelivered: false, in: rules), width: width),
      "list\(name).txt")
    try Self.check(
      try await ListingTests.print(ListingTests.history, HistoryCommand.columns(in: rules), width: width),
      "history\(name).txt")
    try Self.check(CategoryCommand.table(Self.categories, width: width), "category-list\(name).txt")
    try Self.check(try Self.next().table(width: width), "next\(name).txt")
  }

  @Test func `The JSON output matches the fixtures`() async throws {
    try Self.check(try await ListingTests.print(ListingTests.rows, isJSON: true), "list.json")
    try Self.check(try await ListingTests.print(ListingTests.history, isJSON: true), "history.json")
    try Self.check(CategoryCommand.json(Self.categories), "category-list.json")
    try Self.check(try Self.next().json, "next.json")
    try Self.check(Self.events.map { WatchCommand.json($0, Self.moment) }.joined(separator: "\n"), "watch.json")
    for name in ["list", "history", "category-list", "next"] {
      let text = try String(contentsOf: Self.folder.appending(path: "\(name).json"), encoding: .utf8)
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(text.utf8)) }
    }
  }

  @Test func `Lines match the fixtures`() throws {
    try Self.check(Self.events.map { WatchCommand.line($0, Self.moment) }.joined(separator: "\n"), "watch.txt")
    try Self.check(Self.categories.map(CategoryCommand.description).joined(separator: "\n\n"), "category-show.txt")
    let findings = [
      Finding(what: "center", state: .good, text: "suzud 0.1.0 runs"),
      Finding(what: "dialogs", state: .degraded, text: "none of 'suzu-window', 'zenity' and 'kdialog' is installed"),
      Finding(what: "notification server", state: .missing, text: "there is none"),
    ]
    try Self.check(findings.map { $0.line() }.joined(separator: "\n"), "doctor.txt")
    try Self.check(PlainValue.list(findings.map(\.plainValue)).json, "doctor.json")
    let coloured = findings.map { $0.line(in: Ink(isColoured: true)) }
    #expect(coloured.allSatisfy { $0.contains("\u{1B}[") } && findings.allSatisfy { !$0.line().contains("\u{1B}") })
  }

  // MARK: Samples

  private static let moment = "2026-11-21T07:30:00+01:00"

  private static let events: [CenterEvent] = [
    .delivered(app: "dev.suzu.Suzu", id: "tea", due: moment, missed: 2),
    .responded(
      Response(
        number: 7, app: "dev.suzu.Suzu", id: "tea", action: "answer", reply: "with\nmilk", due: moment, missed: 0,
        userInfo: [:])),
    .outcome(response: 7, Outcome("failed: exit 3")), .closed(app: "dev.suzu.Suzu", id: "tea", reason: .dismissed),
  ]

  private static let categories = [
    RegisteredCategory(
      Category(
        id: "invite",
        actions: [
          Action(id: "accept", title: "Accept", effect: .run(["accept-it", "{id}"])),
          Action(id: "later", title: "Ask me later", effect: .snooze(.seconds(600))),
          Action(id: "decline", title: "Decline", destructive: true, input: Action.Input()),
        ], customDismiss: true, type: "im.received"), of: "dev.suzu.Suzu"),
    RegisteredCategory(
      Category(id: "残り時間", actions: [Action(id: "stop", title: "stop", effect: .url("https://example.org/"))]),
      in: "/usr/share/suzu/categories.d/時計.json"),
  ]

  private static func next() throws -> NextCommand {
    let paris = try ListingTests.parisZone()
    return try NextCommand(
      ScheduleFlags(expression: "02:30", zone: "Europe/Paris", from: "2027-03-27"), count: 3,
      time: LocalTime(
        now: .init(1_795_000_000), zone: paris, database: ZoneDatabase(folder: try FixedZones.folder)))
  }
}
