// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel

extension Verb {
  static let respond = Verb(
    name: "respond", synopsis: "ID|TITLE ACTION [flags]",
    summary: "trigger an action of a notification (status 65: no such notification)",
    flags: [
      Flag("reply", "TEXT", "send this text as the reply, for an action that asks for one"),
      Flag("app", "APP", completing: .apps, "name the app that owns it (default: \(NotificationRequest.defaultApp))"),
    ],
    words: [.shownIDs, .actions, .nothing],
    notes: [
      "If the action fails at once, the command says why, with status 69. For actions that take longer, 'suzu history'",
      "shows the outcome.",
    ],
    examples: [
      "suzu respond backup again",
      "suzu respond standup default              (a click on the notification itself)",
      "suzu respond message answer --reply 'On my way' --app org.example.Chat",
    ]
  ) { arguments, loop in
    let words = arguments.words
    guard let text = words.first else { throw CommandError.usage("an id is missing") }
    if words.count > 2 { throw CommandError.usage("unexpected argument '\(words[2])'") }
    let app = arguments.value("app") ?? NotificationRequest.defaultApp
    guard words.count > 1 else {
      throw CommandError.usage("an action is missing" + (await RespondCommand.known(text, app: app, on: loop)))
    }
    let center = try await Center.connect(on: loop)
    let reply = arguments.value("reply")
    do {
      return try await RespondCommand.respond(center, app: app, id: text, action: words[1], reply: reply, on: loop)
    } catch let error as SuzuError where error.code == .notFound {
      var titled = try await StoredRequestSearch(center: center).titled([words[0]], app: app, in: .delivered)
      // The center waits for what it is about to show.
      if titled.isEmpty { titled = try await RespondCommand.due(center, app: app).filter { $0.title == words[0] } }
      if titled.count > 1 { throw StoredRequestSearch.ambiguous(words[0], titled) }
      if let row = titled.first, !row.id.isIdentical(to: words[0]) {
        do {
          return try await RespondCommand.respond(
            center, app: app, id: row.id, action: words[1], reply: reply, on: loop)
        } catch let error as SuzuError where error.code == .notFound {
          throw CommandError.data(error.message + RespondCommand.hint(row.id, words[1], among: [row]))
        }
      }
      if try await RespondCommand.due(center, app: app).contains(where: { $0.id.isIdentical(to: words[0]) }) {
        throw CommandError.data(
          "'\(PrintableText.line(words[0], atMost: 60))' is due, and not on the screen yet; see 'suzu doctor'")
      }
      if let later = try await RespondCommand.scheduled(words[0], app: app, center) { throw later }
      let shown = (try? await center.delivered(app: app, limit: 1000))?.rows ?? []
      var hint = RespondCommand.hint(words[0], words[1], among: shown)
      // The app has the notification, or one with a similar id.
      if hint.hasPrefix("; see ") {
        let others = OtherApps(search: StoredRequestSearch(center: center), app: app)
        hint = await others.hint([words[0]], in: [.delivered], for: "respond", rest: [words[1]]) ?? hint
      }
      throw CommandError.data(error.message + hint)
    }
  }
}

/// `suzu respond`: suggests ids and actions for unknown ones.
enum RespondCommand {
  /// The requests that wait for the notification server. They are at the front of the history.
  static func due(_ center: Center, app: String) async throws -> [ListedRequest] {
    try await center.history(app: app, limit: ListingPrinter.page).filter { $0.state == .due }
  }

  /// The error for a request that waits for its date; nil if there is none with this id or title.
  static func scheduled(_ text: String, app: String, _ center: Center) async throws -> CommandError? {
    let search = StoredRequestSearch(center: center)
    var row = try await search.pending(text, app: app)
    if row == nil { row = try await search.titled([text], app: app, in: .pending).first }
    guard let row, let next = row.next else { return nil }
    return .data(
      "'\(PrintableText.line(text, atMost: 60))' is scheduled for \(LocalTime.rulesForTables.tableText(next)) and not "
        + "shown yet")
  }

  /// The actions of a notification, for a message; empty if it is not on the screen.
  static func known(_ text: String, app: String, on loop: EventLoop) async -> String {
    guard let center = try? await Center.connect(on: loop),
      let row = try? await StoredRequestSearch(center: center).find(idOrTitle: text, app: app).delivered
    else { return "" }
    return "; it has " + actions(of: row).joined(separator: ", ")
  }

  static func hint(_ id: String, _ action: String, among shown: [ListedRequest]) -> String {
    guard let row = shown.first(where: { $0.id.isIdentical(to: id) }) else {
      let near = suggestion(for: id, among: shown.map(\.id))
      return near.isEmpty ? "; see 'suzu list --delivered'" : near
    }
    let known = actions(of: row)
    // The action exists: the notification was already answered.
    guard !known.contains(action) else { return "" }
    let near = suggestion(for: action, among: known.dropLast())
    return near.isEmpty ? "; it has " + known.joined(separator: ", ") : near
  }

  /// The ids that may be given as the action; the last one is the click on the notification itself.
  static func actions(of row: ListedRequest) -> [String] {
    var known: [String] = []
    if case .list(let actions)? = row.words["actions"] {
      for case .dictionary(let words) in actions {
        if case .text(let id)? = words["id"], id != Action.defaultID {
          known.append(PrintableText.line(id, atMost: 60))
        }
      }
    }
    return known + [Action.defaultID]
  }

  // MARK: Responding

  /// Together long enough for a program that cannot be started, and too short to be noticed.
  private static let (turns, pause) = (6, Duration.milliseconds(50))

  /// Triggers the action, and says if it fails at once. Other actions go on: the history has their outcome.
  ///
  /// Reads the history: a program that listens to the events might be the one that handles the response, so the center
  /// would count it as handled.
  static func respond(
    _ center: Center, app: String, id: String, action: String, reply: String?, on loop: EventLoop
  ) async throws -> Int32 {
    try await center.respond(app: app, id: id, action: action, reply: reply)
    for _ in 0..<turns {
      let rows = (try? await center.history(app: app, limit: 50))?.rows ?? []
      guard let row = rows.first(where: { $0.id.isIdentical(to: id) }) else { return EX_OK }
      switch row.outcome {
      case .failed(let why):
        Console.complain("respond: the action failed: \(PrintableText.line(why, atMost: 200))")
        return EX_UNAVAILABLE
      case .other, nil: try? await loop.sleep(for: pause)
      default: return EX_OK
      }
    }
    return EX_OK
  }
}
