// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// Keeps one app from covering the screen: what is too many at once is told of in one notification.
struct Burst {
  /// How many of an app are shown within ``span``; 0: any number.
  let limit: Int
  static let usual = 20
  static let span: Duration = .seconds(10)
  /// The id of the notification that stands for those that are not shown.
  static let digestID = "dev.suzu.digest"

  enum Verdict {
    case show
    /// Not by itself: this stands for all of them.
    case fold(NotificationRequest)
  }

  private struct Crowd {
    /// When the last came, as many as are shown, in a ring.
    var dates: [Duration] = []
    var oldest = 0
    var last: Duration = .zero
    var folded = 0
    var level = NotificationRequest.Level.passive

    /// Whether `limit` others have come within the time before it. However long it takes them all to come, they are one
    /// crowd: a second digest would only cover the first.
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
  /// When those whose time is over were last forgotten.
  private var lastSweep: Duration = .zero
  private static let fewCrowds = 64

  init(limit: Int) { self.limit = limit }

  /// How many apps it remembers.
  var count: Int { crowds.count }

  mutating func take(_ due: Due, at now: Duration) -> Verdict {
    guard limit > 0 else { return .show }
    // Those whose time is over are forgotten before there are many, but not more often than that time: of ten thousand
    // apps at once, each would look at all others.
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
      // What comes after a pause, and is too many again, is another crowd.
      (crowd.folded, crowd.level) = (0, .passive)
      return .show
    }
    crowd.folded += 1
    if due.request.level.rank > crowd.level.rank { crowd.level = due.request.level }
    return .fold(digest(of: app, crowd))
  }

  private func digest(of app: String, _ crowd: Crowd) -> NotificationRequest {
    NotificationRequest(
      app: app, id: Self.digestID, title: "… and \(crowd.folded) more",
      body: "Too many came at once to show each. See them with: suzu history --app \(app)", level: crowd.level,
      actions: HistoryWindow.action(for: app).map { [$0] } ?? [])
  }
}

extension NotificationRequest.Level {
  fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
