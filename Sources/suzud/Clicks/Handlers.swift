// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Actions that do nothing by themselves: the app that owns the request is told, if need be started, or waited for.
final class Handlers {
  private let loop: EventLoop
  private let timeouts: Timeouts
  private let time: any TimeSource
  private let audience: any Audience
  private let apps: Desktop.Apps
  private let outcomes: Outcomes
  private var pending = PendingHandlers()
  /// The end of the longest wait for an app.
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

  /// A caller is the app's handler now; it is given what has waited for one.
  func attached(_ caller: Caller, to app: String) async {
    let launched = pending.takeLaunched(for: app, at: EventLoop.Clock.monotonic.now)
    for click in launched { await give(click, to: caller) }
    for click in pending.takeWaiting(for: app) { await give(click, to: caller) }
    watchWaiting()
  }

  /// A handler has acted; `problem` says why it could not.
  func complete(_ response: UInt64, _ problem: String?, by caller: Caller) throws(CenterError) {
    guard let given = pending.given[response], given.handler == caller else {
      throw CenterError(.notFound, "no response \(response) waits for you to complete it")
    }
    _ = pending.take(response)
    if given.click.isDone { return }
    outcomes.finish(given.click, problem.map { .failed(DisplayText.line($0)) } ?? .done)
  }

  /// A caller left the bus.
  func forget(_ caller: Caller) {
    for given in pending.takeAll(of: caller) where !given.click.isDone {
      outcomes.finish(given.click, .failed("the app left the bus before it was done"))
    }
  }

  // MARK: Handing over

  /// Returns its outcome; nil: that comes later, or it waits for the app.
  func handOver(_ click: Click, isHeard: Bool) async -> Outcome? {
    let app = click.response.app
    if let handler = audience.handler(of: app) {
      await give(click, to: handler)
      return nil
    }
    // What belongs to no app is for the watchers, such as scripts.
    if app == NotificationRequest.defaultApp {
      if isHeard { return await outcomes.obstacle(to: click) ?? .done }
      if click.action.id == Action.defaultID { return .unhandled }
    } else if let outcome = await start(click) {
      return outcome
    }
    // One may have come while another way was tried.
    if let handler = audience.handler(of: app) {
      await give(click, to: handler)
    } else {
      if let oldest = pending.wait(click) { outcomes.finish(oldest, .lapsed("no app came for it")) }
      outcomes.tellWaiting(click, "app")
      watchWaiting()
    }
    return nil
  }

  private func give(_ click: Click, to handler: Caller) async {
    if !click.isDone, let obstacle = await outcomes.obstacle(to: click) { return outcomes.finish(click, obstacle) }
    let number = click.response.number
    let deadline = loop.schedule(after: timeouts.completion) { [weak self] in
      guard let self, let given = pending.take(number), !given.click.isDone else { return }
      outcomes.finish(given.click, .failed("the app did not say within \(timeouts.completion.text) that it was done"))
    }
    pending.give(click, to: handler, until: deadline)
    audience.send(.responded(click.response), to: handler)
  }

  /// An app that is not there is told by being started, or started to be told.
  private func start(_ click: Click) async -> Outcome? {
    let app = click.response.app
    if await apps.isActivatable(app) {
      if let obstacle = await outcomes.obstacle(to: click) { return obstacle }
      if let outcome = await apps.activate(app, click.action.id, click.response, click.token) { return outcome }
    }
    guard click.action.foreground, apps.isInstalled(app) else { return nil }
    if let obstacle = await outcomes.obstacle(to: click) { return obstacle }
    let outcome = await apps.launch(app, click.token)
    // It has been brought to the front. Should it attach itself now, it hears what for.
    if outcome == .done { pending.launched(click, at: EventLoop.Clock.monotonic.now) }
    return outcome
  }

  // MARK: Waiting for an app

  /// One alarm for the one that has waited longest.
  private func watchWaiting() {
    waitingAlarm?.cancel()
    guard let oldest = pending.oldest else { return }
    let end = Duration.milliseconds(oldest - time.wall) + timeouts.app
    waitingAlarm = loop.schedule(after: max(end, .zero) + .milliseconds(1)) { [weak self] in
      guard let self else { return }
      let limit = time.wall - Int64(timeouts.app / .milliseconds(1))
      for click in pending.takeOverdue(before: limit) { outcomes.finish(click, .lapsed("no app came for it")) }
      watchWaiting()
    }
  }
}
