// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import NotificationModel
internal import WindowModel

// What the page *Apps* asks and changes.
extension CenterLink {
  func apps(after earlier: AppsListing) async throws(SuzuError) -> AppsListing {
    let known = listing.rows.map(\.app) + [NotificationRequest.defaultApp]
    return try await AppsListing.read(from: try await connected(), with: known, after: earlier)
  }

  func allow(_ app: String, _ kinds: Set<NoticeKind>) async throws(SuzuError) {
    try await connected().allow(app: app, kinds)
  }

  func configure(_ settings: AppSettings) async throws(SuzuError) {
    let center = try await connected()
    try await center.configure(app: settings.app, delivery: settings.delivery, away: settings.away)
    try await center.configure(app: settings.app, previews: settings.previews)
  }

  /// Forgets what the user has decided about an app.
  func reset(_ app: String) async throws(SuzuError) { try await connected().reset(app: app) }

  func setQuiet(_ edit: QuietEdit, of app: String?) async throws(SuzuError) {
    try await connected().setQuiet(edit, app: app)
  }

  /// The moment that a text means: a length such as `2h`, or a time.
  func moment(_ text: String) async throws(SuzuError) -> Int64 {
    let key = (try? Duration.parse(text)) == nil ? "at" : "in"
    let request: NotificationRequest
    do throws(RequestError) {
      request = try NotificationRequest(["title": .text("-"), key: .text(text)])
    } catch {
      throw SuzuError(.invalidRequest, error.description)
    }
    guard let moment = try await next(request, count: 1).first else {
      throw SuzuError(.invalidRequest, "'at' has passed")
    }
    return moment
  }
}
