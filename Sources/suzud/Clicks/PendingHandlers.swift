// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Responses that their app handles: those sent to its handler, and those that wait for one.
struct PendingHandlers {
  /// A response that was sent to a handler.
  struct Given {
    let click: Click
    let handler: Caller
    let deadline: EventLoop.Deadline
  }

  private(set) var given: [UInt64: Given] = [:]
  /// The waiting responses of each app, in the order in which they were chosen.
  private(set) var waiting: [Identifier: [Click]] = [:]
  /// The apps whose waiting responses are being sent.
  private var giving: Set<Identifier> = []

  /// How long an app that was launched has to attach.
  static let launchTime: Duration = .seconds(60)
  /// The limits for responses of launched apps: how many of one app, and of how many apps. The latest are kept.
  static let mostLaunchings = 16
  static let mostLaunched = 64

  /// How many responses may wait for one app.
  static let mostWaiting = 1000

  private var launchings: [Identifier: [(click: Click, date: Duration)]] = [:]

  mutating func give(_ click: Click, to handler: Caller, until deadline: EventLoop.Deadline) {
    given[click.response.number] = Given(click: click, handler: handler, deadline: deadline)
  }

  /// Removes a response that was sent to a handler, and cancels its deadline.
  mutating func take(_ response: UInt64) -> Given? {
    let taken = given.removeValue(forKey: response)
    taken?.deadline.cancel()
    return taken
  }

  /// Removes and returns all responses of a handler that left the bus.
  mutating func takeAll(of handler: Caller) -> [Given] {
    given.filter { $0.value.handler == handler }.keys.sorted().compactMap { take($0) }
  }

  /// Adds a waiting response; if there are too many of its app now, removes and returns the oldest.
  mutating func wait(_ click: Click) -> Click? {
    let app = Identifier(click.response.app)
    let place = waiting[app]?.lastIndex { $0.response.number < click.response.number }.map { $0 + 1 } ?? 0
    waiting[app, default: []].insert(click, at: place)
    return waiting[app, default: []].count > Self.mostWaiting ? waiting[app]?.removeFirst() : nil
  }

  /// Removes and returns the responses that waited for a handler of the app.
  mutating func takeWaiting(for app: String) -> [Click] { waiting.removeValue(forKey: Identifier(app)) ?? [] }

  /// Removes and returns the waiting response that was chosen first.
  mutating func takeFirst(for app: String) -> Click? {
    let app = Identifier(app)
    guard let first = waiting[app]?.first else { return nil }
    waiting[app]?.removeFirst()
    if waiting[app]?.isEmpty == true { waiting[app] = nil }
    return first
  }

  /// Returns false if the waiting responses of the app are being sent already.
  mutating func beginGiving(to app: String) -> Bool { giving.insert(Identifier(app)).inserted }
  mutating func endGiving(to app: String) { giving.remove(Identifier(app)) }

  /// Remembers a response for which its app was launched. Most apps never attach, so old ones are removed here.
  mutating func launched(_ click: Click, at now: Duration) {
    var click = click
    click.isDone = true
    launchings = launchings.compactMapValues { launchings in
      let young = launchings.filter { now - $0.date <= Self.launchTime }
      return young.isEmpty ? nil : young
    }
    let app = Identifier(click.response.app)
    launchings[app] = (launchings[app] ?? []).suffix(Self.mostLaunchings - 1) + [(click, now)]
    if launchings.count > Self.mostLaunched, let oldest = launchings.min(by: { $0.value[0].date < $1.value[0].date }) {
      launchings[oldest.key] = nil
    }
  }

  /// Removes and returns the responses for which the app was launched recently.
  mutating func takeLaunched(for app: String, at now: Duration) -> [Click] {
    let taken = launchings.removeValue(forKey: Identifier(app)) ?? []
    return taken.filter { now - $0.date <= Self.launchTime }.map(\.click)
  }

  /// How many responses are remembered for launched apps.
  var launchedCount: Int { launchings.values.reduce(0) { $0 + $1.count } }

  /// Removes and returns those that were chosen before `date`.
  mutating func takeOverdue(before date: Timestamp) -> [Click] {
    let overdue = waiting.values.flatMap { $0 }.filter { $0.date < date }
    for (app, clicks) in waiting {
      let left = clicks.filter { $0.date >= date }
      waiting[app] = left.isEmpty ? nil : left
    }
    return overdue.sorted { $0.response.number < $1.response.number }
  }

  /// When the oldest waiting response was chosen.
  var oldest: Timestamp? { waiting.values.compactMap(\.first?.date).min() }
}
