// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import Glibc
internal import NotificationModel
internal import Zoneinfo

/// `suzu history --clear`: deletes history instead of listing it.
struct HistoryClearing {
  static let flags = [
    Flag("clear", nil, "delete what has ended, instead of listing it, and print how many"),
    Flag("before", "TIME", "with --clear: delete only what ended before this time: 7d, 2026-11-01"),
    Flag("all", nil, "with --clear: delete it for all apps (default: \(NotificationRequest.defaultApp))"),
    Flag("yes", letter: "y", nil, "with --clear: do not ask first"),
  ]

  /// Empty means all apps.
  private let app: String
  private let end: Instant?
  private let isConfirmed: Bool

  /// Nil if the history is to be listed.
  init?(_ arguments: Arguments, time: LocalTime) throws(CommandError) {
    guard arguments.has("clear") else {
      for name in ["before", "all", "yes"] where arguments.has(name) {
        throw .usage("'\(arguments.typed(name) ?? "--" + name)' needs '--clear'")
      }
      return nil
    }
    if let word = arguments.words.first {
      throw .usage("'--clear' is for whole apps, not for '\(PrintableText.line(word, atMost: 60))'")
    }
    for name in ["since", "state", "limit", "json"] where arguments.has(name) {
      throw .usage("'--clear' and '--\(name)' cannot be combined")
    }
    if arguments.has("all"), arguments.has("app") { throw .usage("'--all' and '--app' cannot be combined") }
    app = arguments.has("all") ? "" : arguments.value("app") ?? NotificationRequest.defaultApp
    if app.isEmpty, !arguments.has("all") { throw .data("'--app' needs the id of an app; for all apps, use --all") }
    end = try arguments.value("before").map { text throws(CommandError) in
      try PastTime.parse(text, "--before", time: time)
    }
    isConfirmed = arguments.has("yes")
  }

  func run(on center: Center) async throws -> Int32 {
    guard isConfirmed || Self.agrees(to: question) else {
      Console.remark("nothing deleted")
      return 1
    }
    let count = try await center.clearHistory(app: app, before: end?.seconds)
    // As 'cancel --all' does.
    Console.print(Console.columns == nil ? "\(count)" : "deleted \(count) \(count == 1 ? "row" : "rows")")
    return EX_OK
  }

  private var question: String {
    let owner = app.isEmpty ? "all apps" : "'\(PrintableText.line(app, atMost: 60))'"
    let part = end.map { ", which ended before \(LocalTime.rulesForTables.text($0))" } ?? ""
    return "delete the history of \(owner)\(part)? [y/N] "
  }

  /// Asks a user at a terminal; a script means what it says.
  private static func agrees(to question: String) -> Bool {
    guard isatty(STDIN_FILENO) == 1, Console.hasReader else { return true }
    Console.ask(question)
    return ["y", "yes"].contains((readLine() ?? "").lowercased())
  }
}
