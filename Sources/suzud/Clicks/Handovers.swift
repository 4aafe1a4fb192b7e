// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel

/// Responses that are their app's to act upon: those that its handler has been given, and those that wait for one.
struct Handovers {
  /// A response in its handler's hands.
  struct Given {
    let click: Click
    let handler: BusName
    let deadline: EventLoop.Deadline
  }

  private(set) var given: [UInt64: Given] = [:]
  /// By app, in the order in which they were chosen.
  private(set) var waiting: [Identifier: [Click]] = [:]

  private var launchings: [Identifier: [(click: Click, date: Int64)]] = [:]

  mutating func give(_ click: Click, to handler: BusName, until deadline: EventLoop.Deadline) {
    given[click.response.number] = Given(click: click, handler: handler, deadline: deadline)
  }

  /// It is in nobody's hands any more.
  mutating func take(_ response: UInt64) -> Given? {
    let taken = given.removeValue(forKey: response)
    taken?.deadline.cancel()
    return taken
  }

  /// What a handler that left the bus had.
  mutating func takeAll(of handler: BusName) -> [Given] {
    given.filter { $0.value.handler == handler }.keys.sorted().compactMap { take($0) }
  }

  mutating func wait(_ click: Click) { waiting[Identifier(click.response.app), default: []].append(click) }

  /// Those that waited for a handler of the app.
  mutating func takeWaiting(for app: String) -> [Click] { waiting.removeValue(forKey: Identifier(app)) ?? [] }

  /// Its app was started for it.
  mutating func launched(_ click: Click, at date: Int64) {
    var click = click
    click.isDone = true
    launchings[Identifier(click.response.app), default: []].append((click, date))
  }

  /// For what the app was started since then.
  mutating func takeLaunched(for app: String, since date: Int64) -> [Click] {
    let taken = launchings.removeValue(forKey: Identifier(app)) ?? []
    return taken.filter { $0.date >= date }.map(\.click)
  }

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
