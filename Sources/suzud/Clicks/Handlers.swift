// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Actions without an effect of their own: the app that owns the request handles them. It is told, started, or waited
/// for.
final class Handlers {
  private let loop: EventLoop
  private let timeouts: Timeouts
  private let time: any TimeSource
  private let audience: any Audience
  private let apps: Desktop.Apps
  private let outcomes: Outcomes
  private var pending = PendingHandlers()
  /// Fires when the response that has waited longest for an app lapses.
  private var waitingAlarm: EventLoop.Deadline?

  init(
    on loop: EventLoop, timeouts: Timeouts, time: any TimeSource, audience: any Audience, apps: Desktop.Apps,
    outcomes: Outcomes
  ) {
    self.loop = loop
    self.timeouts = timeouts
    self.time = time
    self.audience = audience
    self.apps = apps
    self.outcomes = outcomes
  }

  func end() { waitingAlarm?.cancel() }

  // MARK: Attaching

  /// Sends the app's new handler the responses that waited for one.
  func attached(_ caller: Caller, to app: String) async {
    let launched = pending.takeLaunched(for: app, at: EventLoop.Clock.monotonic.now)
    for click in launched { await give(click, to: caller) }
    await giveWaiting(of: app)
    watchWaiting()
  }

  /// A handler has finished; `problem` says why it failed.
  func complete(_ response: UInt64, _ problem: String?, by caller: Caller) throws(CenterError) {
    guard let given = pending.given[response], given.handler == caller else {
      throw CenterError(.notFound, "no response \(response) waits for this caller to complete it")
    }
    _ = pending.take(response)
    if given.click.isDone { return }
    outcomes.finish(given.click, problem.map { .failed(DisplayText.line($0)) } ?? .done)
  }

  /// A caller left the bus: its unfinished responses fail.
  func forget(_ caller: Caller) {
    for given in pending.takeAll(of: caller) where !given.click.isDone {
      outcomes.finish(given.click, .failed("the app left the bus before it was done"))
    }
  }

  // MARK: Handing over

  /// Returns the outcome; nil if it comes later, or the response waits for the app.
  func handOver(_ click: Click, isHeard: Bool) async -> Outcome? {
    let app = click.response.app
    if audience.handler(of: app) != nil {
      wait(click)
      await giveWaiting(of: app)
      return nil
    }
    // A request of the command itself, here or on another machine, has no app to wait for, only watchers, such as
    // scripts.
    if app == NotificationRequest.defaultApp || RemoteHost.owns(app) {
      return isHeard ? await outcomes.obstacle(to: click) ?? .done : .unhandled
    }
    var click = click
    if let outcome = await start(&click) {
      return outcome
    }
    wait(click)
    // A handler may have attached in the meantime.
    if audience.handler(of: app) != nil {
      await giveWaiting(of: app)
    } else {
      outcomes.tellWaiting(click, "app")
      watchWaiting()
    }
    return nil
  }

  private func wait(_ click: Click) {
    if let oldest = pending.wait(click) { outcomes.finish(oldest, .lapsed("too many responses wait for a handler")) }
  }

  /// Sends the handler of the app all that waits for it, one after the other: if the disk has to be tried again for one,
  /// those that were chosen later do not overtake it.
  private func giveWaiting(of app: String) async {
    guard pending.beginGiving(to: app) else { return }
    while let handler = audience.handler(of: app), let click = pending.takeFirst(for: app) {
      await give(click, to: handler)
    }
    pending.endGiving(to: app)
    // The handler has left the bus. Those that have not been given may start the app.
    if audience.handler(of: app) != nil { return }
    for click in pending.takeWaiting(for: app) {
      if let outcome = await handOver(click, isHeard: false) { outcomes.finish(click, outcome) }
    }
  }

  /// If the handler leaves before it has the response, that waits again.
  private func give(_ click: Click, to handler: Caller) async {
    var click = click
    if !click.isDone {
      if let obstacle = await outcomes.obstacle(to: click) { return outcomes.finish(click, obstacle) }
      click.record?.hasBegun = true
      // A program that a click has started often ends after one response, which takes as long as recording this one.
      guard audience.handler(of: click.response.app) == handler else {
        outcomes.takeBack(&click)
        return wait(click)
      }
    }
    let number = click.response.number
    let deadline = loop.schedule(after: timeouts.completion) { [weak self] in
      guard let self, let given = pending.take(number), !given.click.isDone else { return }
      outcomes.finish(given.click, .failed("the app did not say within \(timeouts.completion.text) that it was done"))
    }
    pending.give(click, to: handler, until: deadline)
    var response = click.response
    response.activationToken = click.token
    audience.send(.responded(response), to: handler)
  }

  /// Activates the app over the bus, or launches it; returns nil if neither is possible.
  private func start(_ click: inout Click) async -> Outcome? {
    let app = click.response.app
    if await apps.isActivatable(app) {
      if let obstacle = await outcomes.obstacle(to: click) { return obstacle }
      if let outcome = await apps.activate(app, click.action.id, click.response, click.token) { return outcome }
      outcomes.takeBack(&click)
    }
    guard click.action.foreground, apps.isInstalled(app) else { return nil }
    if let obstacle = await outcomes.obstacle(to: click) { return obstacle }
    let outcome = await apps.launch(app, click.token)
    // The app has been brought to the front. If it attaches now, it also receives the response.
    if outcome == .done { pending.launched(click, at: EventLoop.Clock.monotonic.now) }
    return outcome
  }

  // MARK: Waiting for an app

  /// Sets the alarm for the response that has waited longest.
  private func watchWaiting() {
    waitingAlarm?.cancel()
    guard let oldest = pending.oldest else { return }
    let end = Duration.milliseconds(oldest - time.wall) + timeouts.app
    waitingAlarm = loop.schedule(after: max(end, .zero) + .milliseconds(1)) { [weak self] in
      guard let self else { return }
      let limit = time.wall - Int64(timeouts.app / .milliseconds(1))
      for click in pending.takeOverdue(before: limit) {
        outcomes.finish(click, .lapsed("no handler attached within 24 hours"))
      }
      watchWaiting()
    }
  }
}
