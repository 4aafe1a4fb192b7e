// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Lets apps change their pushes (`mutable-content`) before they are shown. An app is attached, or the bus starts it if
/// its desktop entry says so.
///
/// An app changes a push by submitting a request with its id, with its own rights, which takes the place of the push.
/// If it does not, is late, or cannot be started, the push is shown as it came.
final class PushChanges {
  /// How many pushes wait for apps at most. More are shown as they came.
  static let mostWaiting = 64

  private let loop: EventLoop
  private let timeouts: Timeouts
  private let audience: any Audience
  private let apps: Desktop.Apps
  /// Lets a handler change a push within a time.
  private let ask: (Caller, NotificationRequest, Duration) async -> Void
  private var handlers = AppHandlers()
  /// The pushes that wait for an app that the bus starts, by app: what to call when the wait is over.
  private var starting: [Identifier: [UInt64: () -> Void]] = [:]
  private var lastWaiter: UInt64 = 0
  private var waiting = 0

  init(
    on loop: EventLoop, timeouts: Timeouts, audience: any Audience, apps: Desktop.Apps,
    ask: @escaping (Caller, NotificationRequest, Duration) async -> Void
  ) {
    self.loop = loop
    self.timeouts = timeouts
    self.audience = audience
    self.apps = apps
    self.ask = ask
  }

  // MARK: Handlers

  /// Records whether the handler changes the pushes of its app.
  func set(_ changes: Bool, _ app: String, _ caller: Caller) throws(CenterError) {
    guard changes else { return leave(app, caller) }
    try handlers.add(caller, of: app, in: audience)
    goOn(app)
  }

  func leave(_ app: String, _ caller: Caller) { handlers.remove(caller, of: app) }

  func forget(_ caller: Caller) { handlers.forget(caller) }

  // MARK: Pushes

  /// Whether the app of a due request may change it, because it is such a push.
  func mayChange(_ due: Due) -> Bool {
    guard due.isMutable, waiting < Self.mostWaiting else { return false }
    if let handler = handlers[due.request.app] { return isAllowed(handler, due) }
    let app = due.request.app.text
    // It was started for an earlier push, and may say in a moment that it changes pushes.
    if starting[Identifier(app)] != nil { return true }
    // A program of the app that runs and does not change pushes is not started once more.
    return audience.handler(of: app) == nil && apps.changesPushes(app)
  }

  /// A sandboxed app does not learn what others push to it before the user acts.
  private func isAllowed(_ handler: Caller, _ due: Due) -> Bool {
    due.rights != .all || !audience.isSandboxed(handler)
  }

  /// Returns when the app has answered, with or without a change, or its time is over.
  func change(_ due: Due) async {
    waiting += 1
    defer { waiting -= 1 }
    let app = due.request.app
    let end = EventLoop.Clock.monotonic.now + timeouts.changing
    if handlers[app] == nil { await start(app.text) }
    let left = end - EventLoop.Clock.monotonic.now
    guard let handler = handlers[app], isAllowed(handler, due), left > .zero else { return }
    await ask(handler, due.request, left)
  }

  // MARK: Starting

  /// Lets the bus start the app, and returns when it says that it changes pushes, cannot be started, or its time is
  /// over.
  private func start(_ app: String) async {
    let key = Identifier(app)
    lastWaiter += 1
    let number = lastWaiter
    let isFirst = starting[key] == nil
    await loop.withContinuation { continuation in
      let limit = loop.schedule(after: timeouts.changing) { [weak self] in
        self?.starting[key]?.removeValue(forKey: number)?()
      }
      starting[key, default: [:]][number] = {
        limit.cancel()
        continuation.resume()
      }
      guard isFirst else { return }
      loop.start {
        switch await self.apps.start(app) {
        case .started: break
        case .failed: self.goOn(app)
        case .runs: _ = self.loop.schedule(after: self.timeouts.presenting) { [weak self] in self?.goOn(app) }
        }
      }
    }
    if starting[key]?.isEmpty == true { starting[key] = nil }
  }

  /// Ends the wait of all pushes for an app.
  private func goOn(_ app: String) {
    for (_, goOn) in (starting.removeValue(forKey: Identifier(app)) ?? [:]).sorted(by: { $0.key < $1.key }) { goOn() }
  }
}
