// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// The notification that tells of several kept ones.
struct HeldDigest {
  enum Kind {
    /// The collected ones of an app.
    case batch(of: AppID, more: Int)
    /// Those of all apps that came while the user was away.
    case away(more: Int)

    /// How many are only counted.
    var more: Int {
      switch self {
      case .batch(_, let more), .away(let more): more
      }
    }
  }

  static let batchID: RequestID = "dev.suzu.batch"
  static let awayID: RequestID = "dev.suzu.away"
  /// How many titles it has.
  private static let mostLines = 10
  private static let longestTitle = 120

  let request: NotificationRequest

  init(_ due: [Due], _ kind: Kind, history: () -> Action? = { HistoryWindow.action() }) {
    let count = due.count + kind.more
    let (app, id, title, level): (AppID, RequestID, String, NotificationRequest.Level) =
      switch kind {
      case .batch(let owner, _): (owner, Self.batchID, "\(count) notifications", .passive)
      case .away: (.suzu, Self.awayID, "While you were away", .active)
      }
    var content = NotificationRequest.Content(title: title)
    // The last ones are the newest, and the title says how many there are.
    var lines = due.suffix(Self.mostLines).map { Self.line(of: $0, in: app) }
    if count > lines.count { lines.insert("\(count - lines.count) earlier ones", at: 0) }
    content.body = lines.joined(separator: "\n")
    content.level = level
    content.actions = history().map { [$0] } ?? []
    request = NotificationRequest(trusted: content, app: app, id: id, schedule: .now)
  }

  private static func line(of due: Due, in app: AppID) -> String {
    let content = due.request.content
    let title = DisplayText.line(content.title.isEmpty ? content.body ?? "" : content.title)
    let short = title.count > longestTitle ? title.prefix(longestTitle) + "…" : title[...]
    let isNamed = due.request.app == app || due.request.app == .suzu
    return isNamed ? String(short) : "\(DisplayText.line(due.request.app.text)): \(short)"
  }
}
