// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// Actions that do nothing by themselves: the app that owns the request is told, if need be started, or waited for.
extension Center {
  func handlerOnBus(of app: String) -> BusName? { listeners.assumeIsolated { $0.handler(of: app) } }

  // MARK: Attaching

  /// Makes a caller the app's handler; it is given what has waited for one.
  func attach(_ caller: BusName, to app: String, isSandboxed: Bool) async throws(CallError) {
    try await listeners.attach(caller, to: app, isSandboxed: isSandboxed)
    let launched = handovers.takeLaunched(for: app, at: EventLoop.Clock.monotonic.now)
    for click in launched { await give(click, to: caller) }
    for click in handovers.takeWaiting(for: app) { await give(click, to: caller) }
    watchWaiting()
  }

  func detach(_ caller: BusName, from app: String) async {
    if appsInFront[Identifier(app)] == caller { appsInFront[Identifier(app)] = nil }
    await listeners.detach(caller, from: app)
  }

  /// A handler has acted; `problem` says why it could not.
  func complete(_ response: UInt64, _ problem: String?, by caller: BusName) throws(RemoteError) {
    guard let given = handovers.given[response], given.handler == caller else {
      throw RemoteError(CenterInterface.notFound, "no response \(response) waits for you to complete it")
    }
    _ = handovers.take(response)
    if given.click.isDone { return }
    finish(given.click, problem.map { .failed(DisplayText.line($0)) } ?? .done)
  }

  func handlerLeft(_ caller: BusName) {
    appsInFront = appsInFront.filter { $0.value != caller }
    for given in handovers.takeAll(of: caller) {
      if given.click.isDone { continue }
      finish(given.click, .failed("the app left the bus before it was done"))
    }
  }

  // MARK: Handing over

  /// Returns its outcome; nil: that comes later, or it waits for the app.
  func handOver(_ click: Click, isHeard: Bool) async -> Outcome? {
    let app = click.response.app
    if let handler = handlerOnBus(of: app) {
      await give(click, to: handler)
      return nil
    }
    // What belongs to no app is for whoever watches, as scripts do.
    if app == NotificationRequest.defaultApp {
      if isHeard { return await obstacle(to: click) ?? .done }
      if click.action.id == Action.defaultID { return .unhandled }
    } else if let outcome = await start(click) {
      return outcome
    }
    // One may have come while another way was tried.
    if let handler = handlerOnBus(of: app) {
      await give(click, to: handler)
    } else {
      if let oldest = handovers.wait(click) { finish(oldest, .lapsed("no app came for it")) }
      tellWaiting(click, "app")
      watchWaiting()
    }
    return nil
  }

  private func give(_ click: Click, to handler: BusName) async {
    if !click.isDone, let obstacle = await obstacle(to: click) { return finish(click, obstacle) }
    let number = click.response.number
    let deadline = loop.schedule(after: patience.completion) { [weak self] in
      self?.assumeIsolated { center in
        guard let given = center.handovers.take(number), !given.click.isDone else { return }
        center.finish(
          given.click, .failed("the app did not say within \(center.patience.completion.text) that it was done"))
      }
    }
    handovers.give(click, to: handler, until: deadline)
    await listeners.send(.responded(click.response), to: handler)
  }

  /// An app that is not there is told by being started, or started to be told.
  private func start(_ click: Click) async -> Outcome? {
    let app = click.response.app
    if await desktop.isActivatable(app) {
      if let obstacle = await obstacle(to: click) { return obstacle }
      let description = Self.description(of: click)
      if let outcome = await desktop.activate(app, click.action.id, description, click.token) { return outcome }
    }
    guard click.action.foreground, desktop.isInstalled(app) else { return nil }
    if let obstacle = await obstacle(to: click) { return obstacle }
    let outcome = await desktop.launch(app, click.token)
    // It has been brought to the front. Should it attach itself now, it hears what for.
    if outcome == .done { handovers.launched(click, at: EventLoop.Clock.monotonic.now) }
    return outcome
  }

  /// A response as an app's own action gets it.
  private static func description(of click: Click) -> Value {
    let response = click.response
    var words: [String: Value] = [
      "response": .uint64(response.number), "app": .string(response.app), "id": .string(response.id),
      "action": .string(response.action),
    ]
    words["userInfo"] = .properties((try? ValueEncoder().encodeProperties(response.userInfo)) ?? [:])
    if let reply = response.reply { words["reply"] = .string(reply) }
    if let due = response.due { words["due"] = .string(due) }
    return .properties(words)
  }

  // MARK: Waiting for an app

  /// One alarm for the one that has waited longest.
  private func watchWaiting() {
    waitingAlarm?.cancel()
    guard let oldest = handovers.oldest else { return }
    let end = Duration.milliseconds(oldest - time.wall) + patience.app
    waitingAlarm = loop.schedule(after: max(end, .zero) + .milliseconds(1)) { [weak self] in
      self?.assumeIsolated { center in
        let limit = center.time.wall - Int64(center.patience.app / .milliseconds(1))
        for click in center.handovers.takeOverdue(before: limit) { center.finish(click, .lapsed("no app came for it")) }
        center.watchWaiting()
      }
    }
  }
}
