// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import NotificationModel
internal import Zoneinfo

/// Finds what the center has under an id.
struct StoredRequestSearch {
  let center: Center

  /// The rows with that id: the pending request, the notification on the screen, and the latest one of the history that
  /// is neither.
  struct Found {
    var pending: ListedRequest?
    var delivered: ListedRequest?
    var past: ListedRequest?

    /// The row that says most about the request.
    var first: ListedRequest? { pending ?? delivered ?? past }
  }

  func find(_ id: String, app: String) async throws(SuzuError) -> Found {
    var found = Found()
    found.pending = try await pending(id, app: app)
    found.delivered = try await first(id, app: app, in: .delivered)
    if found.first == nil { found.past = try await first(id, app: app, in: .history) }
    return found
  }

  /// The same for the only request with that title, if no request has it as its id. Throws if several have it.
  func find(idOrTitle text: String, app: String) async throws -> Found {
    let found = try await find(text, app: app)
    if found.first != nil { return found }
    for place in [Place.pending, .delivered] {
      let rows = try await titled([text], app: app, in: place)
      let ids = Set(rows.map { Identifier($0.id) })
      if ids.count > 1 { throw Self.ambiguous(text, rows) }
      if let row = rows.first { return try await find(row.id, app: app) }
    }
    return found
  }

  /// The error for a title that several requests have.
  static func ambiguous(_ title: String, _ rows: [ListedRequest]) -> CommandError {
    let ids = rows.prefix(3).map { "'\(PrintableText.line($0.id, atMost: 60))'" }.joined(separator: ", ")
    let more = rows.count > 3 ? " and others" : ""
    return .data(
      "\(rows.count) requests have the title '\(PrintableText.line(title, atMost: 60))'; give an id: \(ids)\(more)")
  }

  /// The pending request with that id. The center finds it without reading the list, unless `app` is empty: then any app
  /// may have it.
  func pending(_ id: String, app: String) async throws(SuzuError) -> ListedRequest? {
    if app.isEmpty { return try await first(id, app: app, in: .pending) }
    guard var row = try await center.reasons(id, app: app, limit: 1).first, row.state == .pending else { return nil }
    // As a list has it.
    (row.why, row.late) = (nil, nil)
    return row
  }

  /// The pending request with that id, or the only one with that title. Throws if several have the title.
  func pending(idOrTitle text: String, app: String) async throws -> ListedRequest? {
    if let row = try await pending(text, app: app) { return row }
    let rows = try await titled([text], app: app, in: .pending)
    if rows.count > 1 { throw Self.ambiguous(text, rows) }
    return rows.first
  }

  /// A line about the copy that a button of this repeating request has postponed; nil if there is none.
  func remarkOnCopy(of row: ListedRequest, in rules: ZoneRules) async -> String? {
    let copy = row.id + ".snoozed"
    // Its request repeats, and the copy does not.
    guard let snoozed = (try? await pending(copy, app: row.app)) ?? nil, let next = snoozed.next,
      snoozed.words["in"] != nil
    else { return nil }
    return "'\(PrintableText.line(copy, atMost: 120))', which a button has postponed, comes on \(rules.tableText(next))"
  }

  /// The error of a verb for an unknown id: a similar id of the app, or the command for another app that has the id.
  func missing(_ id: String, app: String, verb: String, rest: [String] = []) async -> CommandError {
    await missing([id], app: app, what: "no request", in: Place.all, see: "suzu list", verb: verb, rest: rest)
  }

  /// The only request of another app with this id or title, if the user named no app: a verb that changes nothing shows
  /// it, and says whose it is. Throws if there are several.
  func elsewhere(
    _ text: String, in places: [Place] = Place.all, for verb: String, isAppGiven: Bool
  ) async throws -> ListedRequest? {
    if isAppGiven { return nil }
    return try await OtherApps(search: self, app: NotificationRequest.defaultApp).only(text, in: places, for: verb)
  }

  /// The error for an unknown id if there is a similar one, or one of another app.
  func similar(to id: String, app: String, verb: String) async -> CommandError? {
    guard let hint = await hint([id], app: app, in: [.pending], verb) else { return nil }
    return Self.missing([id], app: app, what: "no pending request", hint)
  }

  /// A listing of the center.
  enum Place {
    case pending, delivered, history

    static let all = [pending, delivered, history]
  }

  /// The error for ids that are in none of these listings; `what` begins it, and `see` names the command that shows
  /// known ids. `rest` are the words of the command behind the id.
  func missing(
    _ ids: [String], app: String, what: String, in places: [Place], see: String, verb: String, rest: [String] = []
  ) async -> CommandError {
    Self.missing(ids, app: app, what: what, await hint(ids, app: app, in: places, verb, rest) ?? "; see '\(see)'")
  }

  private static func missing(_ ids: [String], app: String, what: String, _ hint: String) -> CommandError {
    let names = ids.map { "'\(PrintableText.line($0, atMost: 60))'" }.joined(separator: " or ")
    // No app means all of them.
    let owner = app.isEmpty ? "" : " (app \(PrintableText.line(app, atMost: 60)))"
    return .data("\(what) is called \(names)\(owner)" + hint)
  }

  private func hint(
    _ ids: [String], app: String, in places: [Place], _ verb: String, _ rest: [String] = []
  ) async -> String? {
    let others = OtherApps(search: self, app: app)
    if !app.isEmpty, let hint = await others.hint(ids, in: places, for: verb, rest: rest) { return hint }
    // One page is enough for typing errors.
    var known: [String] = []
    for place in places { known += ((try? await page(place, app, after: nil))?.rows ?? []).map(\.id) }
    if let near = ids.lazy.map({ suggestion(for: $0, among: known) }).first(where: { !$0.isEmpty }) { return near }
    for id in ids where !id.isEmpty {
      var longer: [String] = []
      for other in known where other.hasPrefix(id) && !longer.contains(other) { longer.append(other) }
      if longer.isEmpty { continue }
      let names = longer.prefix(3).map { "'\(PrintableText.line($0, atMost: 60))'" }.joined(separator: ", ")
      return "; these ids begin with it: \(names)\(longer.count > 3 ? " and others" : "")"
    }
    return nil
  }

  /// A page of a listing.
  func page(_ place: Place, _ app: String, after cursor: ListingCursor?) async throws(SuzuError) -> ListedPage {
    switch place {
    case .pending: try await center.pending(app: app, after: cursor, limit: ListingPrinter.page)
    case .delivered: try await center.delivered(app: app, after: cursor, limit: ListingPrinter.page)
    case .history: try await center.history(app: app, after: cursor, limit: ListingPrinter.page)
    }
  }

  /// The rows of an app with exactly one of these titles, in the order of the listing.
  func titled(_ titles: [String], app: String, in place: Place) async throws(SuzuError) -> [ListedRequest] {
    var found: [ListedRequest] = []
    var cursor: ListingCursor?
    repeat {
      let rows = try await page(place, app, after: cursor)
      found += rows.filter { titles.contains($0.title) }
      cursor = rows.next
    } while cursor != nil
    // The copy that a button postponed goes with its request.
    return found.filter { row in !found.contains { row.id == $0.id + ".snoozed" } }
  }

  private func first(_ id: String, app: String, in place: Place) async throws(SuzuError) -> ListedRequest? {
    var cursor: ListingCursor?
    repeat {
      let rows = try await page(place, app, after: cursor)
      if let row = rows.first(where: { $0.id.isIdentical(to: id) }) { return row }
      cursor = rows.next
    } while cursor != nil
    return nil
  }
}
