// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel

/// Responses that are their app's to act upon: those that its handler has been given, and those that wait for one.
struct PendingHandlers {
  /// A response in its handler's hands.
  struct Given {
    let click: Click
    let handler: Caller
    let deadline: EventLoop.Deadline
  }

  private(set) var given: [UInt64: Given] = [:]
  /// By app, in the order in which they were chosen.
  private(set) var waiting: [Identifier: [Click]] = [:]

  /// How long an app that was started has to attach itself.
  static let launchTime: Duration = .seconds(60)
  /// How many of these are kept of an app, and of how many apps: the last ones.
  static let mostLaunchings = 16
  static let mostLaunched = 64

  /// How many may wait for an app.
  static let mostWaiting = 1000

  private var launchings: [Identifier: [(click: Click, date: Duration)]] = [:]

  mutating func give(_ click: Click, to handler: Caller, until deadline: EventLoop.Deadline) {
    given[click.response.number] = Given(click: click, handler: handler, deadline: deadline)
  }

  /// It is in nobody's hands any more.
  mutating func take(_ response: UInt64) -> Given? {
    let taken = given.removeValue(forKey: response)
    taken?.deadline.cancel()
    return taken
  }

  /// What a handler that left the bus had.
  mutating func takeAll(of handler: Caller) -> [Given] {
    given.filter { $0.value.handler == handler }.keys.sorted().compactMap { take($0) }
  }

  /// Returns the one that has waited longest, where there are too many.
  mutating func wait(_ click: Click) -> Click? {
    let app = Identifier(click.response.app)
    waiting[app, default: []].append(click)
    return waiting[app, default: []].count > Self.mostWaiting ? waiting[app]?.removeFirst() : nil
  }

  /// Those that waited for a handler of the app.
  mutating func takeWaiting(for app: String) -> [Click] { waiting.removeValue(forKey: Identifier(app)) ?? [] }

  /// Its app was started for it. Most apps never attach themselves: what was not taken in time is forgotten here.
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

  /// For what the app was started of late.
  mutating func takeLaunched(for app: String, at now: Duration) -> [Click] {
    let taken = launchings.removeValue(forKey: Identifier(app)) ?? []
    return taken.filter { now - $0.date <= Self.launchTime }.map(\.click)
  }

  /// How many wait for an app that was started for them.
  var launchedCount: Int { launchings.values.reduce(0) { $0 + $1.count } }

  /// Those that were chosen before `date`, in milliseconds since 1970.
  mutating func takeOverdue(before date: Int64) -> [Click] {
    let overdue = waiting.values.flatMap { $0 }.filter { $0.date < date }
    for (app, clicks) in waiting {
      let left = clicks.filter { $0.date >= date }
      waiting[app] = left.isEmpty ? nil : left
    }
    return overdue.sorted { $0.response.number < $1.response.number }
  }

  /// When the oldest that waits was chosen.
  var oldest: Int64? { waiting.values.compactMap(\.first?.date).min() }
}
