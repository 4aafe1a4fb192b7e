// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import NotificationModel

/// Finds what the user named among the requests of all apps but one: an id or a title does not tell whose it is.
struct OtherApps {
  let search: StoredRequestSearch
  /// The app that does not have it.
  let app: String

  /// The requests with this id or, if no other app has the id, with this title; each once.
  func requests(_ text: String, in places: [StoredRequestSearch.Place]) async throws(SuzuError) -> [ListedRequest] {
    var (named, titled) = (Found(), Found())
    for place in places {
      var cursor: ListingCursor?
      repeat {
        let rows = try await search.page(place, "", after: cursor)
        for row in rows where !row.app.isIdentical(to: app) {
          if row.id.isIdentical(to: text) { named.add(row) } else if row.title == text { titled.add(row) }
        }
        cursor = rows.next
      } while cursor != nil
    }
    return named.rows.isEmpty ? titled.rows : named.rows
  }

  /// The only request of another app with this id or title, for a command that changes nothing; nil if there is none.
  /// Throws if there are several.
  func only(
    _ text: String, in places: [StoredRequestSearch.Place], for verb: String
  ) async throws -> ListedRequest? {
    let rows = try await requests(text, in: places)
    if rows.count > 1 {
      throw CommandError.data(
        "\(rows.count) requests of other apps are called '\(PrintableText.line(text, atMost: 60))': "
          + Self.commands(verb, rows))
    }
    return rows.first
  }

  /// The end of an error about these ids or titles, with the commands that work; nil if no other app has one of them.
  ///
  /// - Parameter rest: what the command has behind the id.
  func hint(
    _ texts: [String], in places: [StoredRequestSearch.Place], for verb: String, rest: [String] = []
  ) async -> String? {
    for text in texts {
      guard let rows = try? await requests(text, in: places), let first = rows.first else { continue }
      let name = texts.count > 1 ? "'\(PrintableText.line(text, atMost: 60))'" : "one"
      let title = first.id.isIdentical(to: text) ? "" : " with this title"
      let owner =
        rows.count == 1 ? "the app '\(PrintableText.line(first.app, atMost: 60))' has" : "other apps have"
      return "; \(owner) \(name)\(title): use \(Self.commands(verb, rows, rest: rest))"
    }
    return nil
  }

  private static func commands(_ verb: String, _ rows: [ListedRequest], rest: [String] = []) -> String {
    rows.prefix(most).map { row in
      let words = [row.id, "--app", row.app] + rest
      return CommandWords.shown("suzu \(verb) " + words.map(CommandWords.quoted).joined(separator: " "))
    }.joined(separator: " or ") + (rows.count > most ? ", and so on" : "")
  }

  /// The most commands that an error names.
  private static let most = 3

  /// Rows of different requests: a request may be in several listings, and in one of them several times.
  private struct Found {
    private struct Key: Hashable {
      let app: Identifier
      let id: Identifier
    }

    var rows: [ListedRequest] = []
    private var keys: Set<Key> = []

    mutating func add(_ row: ListedRequest) {
      if keys.insert(Key(app: Identifier(row.app), id: Identifier(row.id))).inserted { rows.append(row) }
    }
  }
}
