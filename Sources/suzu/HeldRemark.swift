// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import NotificationModel

/// What `suzu next` says about requests that a setting of their app holds.
struct HeldRemark {
  let center: Center

  /// A line about a pending request whose dates are held; nil if they are not.
  func line(about row: ListedRequest) async -> String? {
    if let line = await QuietForecast(center, app: row.app)?.line(about: row) { return line }
    guard let settings = try? await center.settings(app: row.app) else { return nil }
    let (level, style) = (row.words["level"], row.words["style"])
    if level == .text(NotificationRequest.Level.passive.rawValue), let times = settings.delivery {
      return "held from then until the next of \(times.texts.joined(separator: ", ")); see 'suzu apps'"
    }
    let isQuiet = level == nil || level == .text(NotificationRequest.Level.passive.rawValue)
    if settings.away == .hold, isQuiet, style != .text(NotificationRequest.Style.alert.rawValue) {
      return "held from then until you are back, if you are away; see 'suzu apps'"
    }
    return nil
  }

  /// The error for an id whose only date has come and is held; nil if there is none.
  func error(for id: String, app: String) async -> CommandError? {
    let rows = (try? await center.history(app: app, limit: ListingPrinter.page))?.rows ?? []
    guard let row = rows.first(where: { $0.id.isIdentical(to: id) && $0.held != nil }) else { return nil }
    return .data("'\(PrintableText.line(id, atMost: 60))' has come, and is \(row.ending)")
  }
}
