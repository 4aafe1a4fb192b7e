// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel

/// The shared part of `cancel`, `dismiss` and `ack`: parsing ids and reporting unknown ones.
struct Removal {
  static let flags = [
    Flag("all", nil, "select all of the app's requests, and print how many"),
    Flag("app", "APP", completing: .apps, "name the app that owns them (default: \(NotificationRequest.defaultApp))"),
  ]

  let app: String
  private let isAppImplied: Bool
  /// Empty means all.
  let ids: [String]
  /// Where the requests are.
  let place: StoredRequestSearch.Place
  private let verb: String
  /// The verb in the past tense.
  private let done: String

  init(
    _ arguments: Arguments, from place: StoredRequestSearch.Place, verb: String, done: String
  ) throws(CommandError) {
    self.verb = verb
    self.done = done
    app = arguments.value("app") ?? NotificationRequest.defaultApp
    isAppImplied = !arguments.has("app")
    ids = arguments.words
    self.place = place
    switch (ids.isEmpty, arguments.has("all")) {
    case (true, false): throw .usage("an id or '--all' is missing")
    case (false, true): throw .usage("'--all' and '\(ids[0])' cannot be combined")
    default: break
    }
  }

  /// `remove` returns how many it removed; it must never be called without ids unless all are meant.
  func run(
    on center: Center, _ remove: (_ app: String, _ ids: [String]) async throws -> Int
  ) async throws -> Int32 {
    if ids.isEmpty {
      let count = try await remove(app, [])
      // Programs read the number; a person does not know what it counts.
      Console.print(Console.columns == nil ? "\(count)" : "\(done) \(count) \(count == 1 ? "request" : "requests")")
      if isAppImplied, Console.hasReader, let kept = try await kept(center) { Console.remark(kept) }
      return EX_OK
    }
    // One by one, to know which ids are unknown.
    var unknown: [String] = []
    for id in ids where try await remove(app, [id]) == 0 { unknown.append(id) }
    guard !unknown.isEmpty else { return EX_OK }
    var count = ids.count - unknown.count
    do { try await removeTitled(unknown, on: center, remove, &count) } catch let error as CommandError {
      // Some are gone, so the error alone would not tell what is left.
      if count == 0 { throw error }
      throw CommandError(message: "\(done) \(count) of \(ids.count): \(error.message)", status: error.status)
    }
    return EX_OK
  }

  /// Removes the requests with these titles, and counts them; throws if there is no such request.
  private func removeTitled(
    _ unknown: [String], on center: Center, _ remove: (_ app: String, _ ids: [String]) async throws -> Int,
    _ count: inout Int
  ) async throws {
    let search = StoredRequestSearch(center: center)
    let titled = try await search.titled(unknown, app: app, in: place)
    var missing: [String] = []
    for title in unknown {
      let rows = titled.filter { $0.title == title }
      guard let row = rows.first else {
        missing.append(title)
        continue
      }
      guard rows.count == 1 else { throw StoredRequestSearch.ambiguous(title, rows) }
      guard try await remove(app, [row.id]) > 0 else {
        missing.append(title)
        continue
      }
      count += 1
      // The user gave no id, so say which request it was.
      Console.remark("\(done) '\(PrintableText.line(row.id, atMost: 120))'")
    }
    if missing.isEmpty { return }
    if let found = try? await search.find(idOrTitle: missing[0], app: app),
      let row = place == .pending ? found.delivered : found.pending
    {
      let id = PrintableText.line(row.id, atMost: 60)
      let owner = isAppImplied ? "" : "--app \(CommandWords.quoted(app))"
      func use(_ verb: String) -> String { "use '\(CommandWords.command(verb, row.id, owner))'" }
      throw CommandError.data(
        place == .pending
          ? "'\(id)' is on the screen, and not scheduled; \(use("dismiss"))"
          : "'\(id)' is scheduled, and not on the screen; \(use("cancel"))")
    }
    if missing.count == 1, ["all", "everything", "*"].contains(missing[0].lowercased()) {
      throw CommandError.data(
        "\(what) is called '\(missing[0])'; for all of the app's requests, use 'suzu \(verb) --all"
          + (isAppImplied ? "'" : " --app \(CommandWords.quoted(app))'"))
    }
    // A second 'cancel' says that the first one worked, before it guesses at another id.
    if place == .pending, missing.count == 1,
      let past = try? await center.reasons(missing[0], app: app, limit: 1).first, past.closed != nil
    {
      let (id, why) = (PrintableText.line(missing[0], atMost: 60), PrintableText.line(past.shownReason, atMost: 120))
      throw CommandError.data("'\(id)' has ended already: \(why)")
    }
    throw await search.missing(missing, app: app, what: what, in: [place], see: see, verb: verb)
  }

  /// A line about the requests of other apps; nil if there are none.
  private func kept(_ center: Center) async throws -> String? {
    let rows = try await StoredRequestSearch(center: center).page(place, "", after: nil)
    guard let first = rows.first else { return nil }
    let apps = Set(rows.map(\.app)).count
    let app = PrintableText.line(first.app, atMost: 60)
    let count = rows.count < ListingPrinter.page ? "\(rows.count)" : "\(rows.count) or more"
    return "kept \(count) of \(apps == 1 ? "another app" : "\(apps) other apps"): add --app \(app)"
      + (apps == 1 ? "" : ", and so on")
  }

  private var what: String { place == .pending ? "no pending request" : "no notification on the screen" }
  private var see: String { place == .pending ? "suzu list" : "suzu list --delivered" }
}
