// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Due requests of sandboxed apps about which the user has not decided. Each is an intent on disk while it waits.
struct Undecided {
  /// How many requests of one app may wait.
  static let mostWaiting = 50
  /// How long after the user closed a question the same app is not asked about again.
  static let pause: Duration = .seconds(24 * 3600)

  private var waiting: [Identifier: [Due]] = [:]
  private var askedAt: [Identifier: Duration] = [:]

  /// How many requests wait; nil means those of every app.
  func count(of app: String?) -> Int {
    app.map { waiting[Identifier($0)]?.count ?? 0 } ?? waiting.values.reduce(0) { $0 + $1.count }
  }

  /// Whether the user may be asked about the app now: at most once a day.
  mutating func mayAsk(_ app: String, at now: Duration) -> Bool {
    askedAt = askedAt.filter { now - $0.value < Self.pause }
    return askedAt[Identifier(app)] == nil
  }

  mutating func asked(_ app: String, at now: Duration) { askedAt[Identifier(app)] = now }

  /// Allows the question again: it did not reach the user.
  mutating func forgetAsked(_ app: String) { askedAt[Identifier(app)] = nil }

  /// Keeps the request until the user has decided; returns false if too many wait already.
  mutating func wait(_ due: Due) -> Bool {
    let app = Identifier(due.request.app)
    guard waiting[app, default: []].count < Self.mostWaiting else { return false }
    waiting[app, default: []].append(due)
    return true
  }

  /// Removes and returns the app's requests: the user decided, or closed the question.
  mutating func takeAll(of app: String) -> [Due] { waiting.removeValue(forKey: Identifier(app)) ?? [] }

  /// The ids of the app's waiting requests.
  func ids(of app: String) -> [String] { waiting[Identifier(app)]?.map { $0.request.id?.text ?? "" } ?? [] }

  /// The app's requests.
  func waiting(of app: String) -> [Due] { waiting[Identifier(app)] ?? [] }

  /// Removes and returns the matching requests that wait.
  mutating func withdraw(_ app: String, _ isMeant: (String) -> Bool) -> [Due] {
    guard let all = waiting[Identifier(app)] else { return [] }
    let left = all.filter { !isMeant($0.request.id?.text ?? "") }
    waiting[Identifier(app)] = left.isEmpty ? nil : left
    return all.filter { isMeant($0.request.id?.text ?? "") }
  }
}
