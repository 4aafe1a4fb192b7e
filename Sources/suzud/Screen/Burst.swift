// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// Keeps one app from covering the screen: too many notifications at once are summed up in one, the digest.
struct Burst {
  /// How many notifications of an app are shown within ``span``; 0 means no limit.
  let limit: Int
  static let usual = 20
  static let span: Duration = .seconds(10)
  /// The id of the digest.
  static let digestID: RequestID = "dev.suzu.digest"

  enum Verdict {
    case show
    /// Not shown by itself; the digest counts it.
    case fold(NotificationRequest)
  }

  private struct Crowd {
    /// The times of the last `limit` notifications, as a ring.
    var dates: [Duration] = []
    var oldest = 0
    var last: Duration = .zero
    var folded = 0
    var level = NotificationRequest.Level.passive
    /// What is folded, while it is all of one group.
    var group: SummaryGroup?
    var summary = GroupSummary()
    /// What a click on the digest does. Looking for a terminal reads many folders, so it is done once for a crowd.
    var actions: [Action]?

    /// Whether `limit` others came within ``Burst/span`` before it. They are one crowd until there is a pause, however
    /// long that takes: a second digest would only cover the first.
    mutating func isFull(_ limit: Int, at now: Duration) -> Bool {
      last = now
      guard dates.count == limit else {
        dates.append(now)
        return false
      }
      defer {
        dates[oldest] = now
        oldest = (oldest + 1) % limit
      }
      return now - dates[oldest] < Burst.span
    }
  }

  private var crowds: [Identifier: Crowd] = [:]
  /// When old crowds were last removed.
  private var lastSweep: Duration = .zero
  private static let fewCrowds = 64

  /// Finds what opens the history of an app.
  private let history: () -> Action?

  init(limit: Int, history: @escaping () -> Action? = { HistoryWindow.action() }) {
    self.limit = limit
    self.history = history
  }

  /// How many apps it remembers.
  var count: Int { crowds.count }

  /// - Parameter format: what the category of the request says of several.
  mutating func take(_ due: Due, at now: Duration, format: @autoclosure () -> SummaryFormat? = nil) -> Verdict {
    guard limit > 0 else { return .show }
    // Old crowds are removed once there are many, but not for every notification: with ten thousand apps at once, each
    // would scan all others.
    if crowds.count > Self.fewCrowds, now - lastSweep >= Self.span {
      crowds = crowds.filter { now - $0.value.last < Self.span }
      lastSweep = now
    }
    let app = due.request.app
    let key = Identifier(app)
    var crowd = crowds.removeValue(forKey: key) ?? Crowd()
    let isFull = crowd.isFull(limit, at: now)
    defer { crowds[key] = crowd }
    guard isFull else {
      // After a pause, a new crowd is counted from zero.
      (crowd.folded, crowd.level, crowd.actions, crowd.summary) = (0, .passive, nil, GroupSummary())
      return .show
    }
    let group = SummaryGroup(due.request)
    crowd.group = crowd.folded == 0 || crowd.group == group ? group : nil
    crowd.summary.add(due.request.content)
    crowd.folded += 1
    if due.request.content.level.rank > crowd.level.rank { crowd.level = due.request.content.level }
    let actions = crowd.actions ?? history().map { [$0] } ?? []
    crowd.actions = actions
    let summary = crowd.group == nil ? nil : format().map { crowd.summary.text($0, app: DisplayText.line(app.text)) }
    return .fold(digest(of: app, crowd, actions, summary))
  }

  private func digest(
    of app: AppID, _ crowd: Crowd, _ actions: [Action], _ summary: String?
  ) -> NotificationRequest {
    var content = NotificationRequest.Content(title: "… and \(crowd.folded) more")
    let why = summary ?? "Too many came at once to show each."
    content.body = why + (summary == nil ? " " : "\n") + "See them with: suzu history --app \(app)"
    content.level = crowd.level
    content.actions = actions
    // Not checked: there may be ten thousand of these in a second.
    return NotificationRequest(trusted: content, app: app, id: Self.digestID, schedule: .now)
  }
}

extension NotificationRequest.Level {
  fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
