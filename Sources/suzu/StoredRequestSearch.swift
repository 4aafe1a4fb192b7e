// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Suzu

/// Finds what the center has under an id.
struct StoredRequestSearch {
  let center: Center

  /// The rows with that id: the pending request, the notification on the screen, and the latest one of the history that
  /// is neither.
  struct Found {
    var pending: Listed?
    var delivered: Listed?
    var past: Listed?

    /// The row that says most about the request.
    var first: Listed? { pending ?? delivered ?? past }
  }

  func find(_ id: String, app: String) async throws(SuzuError) -> Found {
    var found = Found()
    found.pending = try await first(id, app: app, center.pending)
    found.delivered = try await first(id, app: app, center.delivered)
    if found.first == nil { found.past = try await first(id, app: app, center.history) }
    return found
  }

  /// The error for an unknown id: a similar id of the app, or another app that has the id.
  func missing(_ id: String, app: String) async -> CommandError {
    let known = ((try? await center.pending(app: app, limit: 1000)) ?? []).map(\.id)
    var other = try? await first(id, app: "", center.pending)
    if other == nil { other = try? await first(id, app: "", center.delivered) }
    let near = suggestion(for: id, among: known)
    let hint = other.map { "; the app '\(PrintableText.line($0.app, atMost: 60))' has one: use --app" } ?? near
    return .data(
      "no request is called '\(PrintableText.line(id, atMost: 60))' (app \(PrintableText.line(app, atMost: 60)))"
        + (hint.isEmpty ? "; see 'suzu list'" : hint))
  }

  private func first(
    _ id: String, app: String, _ page: (String, Int, Int) async throws(SuzuError) -> [Listed]
  ) async throws(SuzuError) -> Listed? {
    var offset = 0
    while true {
      let rows = try await page(app, offset, ListingPrinter.page)
      if rows.isEmpty { return nil }
      if let row = rows.first(where: { $0.id.isIdentical(to: id) }) { return row }
      offset += rows.count
    }
  }
}
