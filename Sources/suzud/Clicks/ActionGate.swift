// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// The checks before an action is carried out: the unlock, the confirmation, the rights of its request.
final class ActionGate {
  private let loop: EventLoop
  private let timeouts: Timeouts
  private let time: any TimeSource
  private let session: Desktop.Session
  private let categories: Categories
  private let questions: Questions
  private let outcomes: Outcomes
  private let runner: ActionRunner
  private let snoozer: Snoozer
  private let handlers: Handlers
  private let calls: HTTPCalls
  /// The answers about the lock may come in another order than the questions, but an app gets its responses in the
  /// order in which the user gave them: one question follows the other.
  private let lockQuestions: TaskLock

  init(
    on loop: EventLoop, timeouts: Timeouts, time: any TimeSource, session: Desktop.Session, categories: Categories,
    questions: Questions, outcomes: Outcomes, runner: ActionRunner, snoozer: Snoozer, handlers: Handlers,
    calls: HTTPCalls
  ) {
    self.loop = loop
    self.timeouts = timeouts
    self.time = time
    self.session = session
    self.categories = categories
    self.questions = questions
    self.outcomes = outcomes
    self.runner = runner
    self.snoozer = snoozer
    self.handlers = handlers
    self.calls = calls
    lockQuestions = TaskLock(on: loop)
  }

  /// Runs in its own task, because a slow program must not hold up the next click. The action's time limit ends it.
  func carryOut(_ click: Click, isHeard: Bool) {
    loop.start {
      if let outcome = await self.outcome(of: click, isHeard: isHeard) { self.outcomes.finish(click, outcome) }
    }
  }

  /// Returns nil if it waits for its app.
  private func outcome(of click: Click, isHeard: Bool) async -> Outcome? {
    var click = click
    let needsUser = click.action.authenticationRequired || click.action.foreground
    if needsUser, await isLocked() {
      // By then the desktop no longer accepts the activation token of the click.
      click.token = nil
      outcomes.tellWaiting(click, "locked")
      guard await isUnlocked(for: click) else { return .lapsed("locked") }
      if click.action.destructive, !(await isConfirmed(click)) { return .lapsed("not confirmed") }
    } else if click.isTakenUp && click.action.destructive && needsUser {
      // It may have waited for the unlock in the earlier run.
      guard await isConfirmed(click) else { return .lapsed("not confirmed") }
    }
    if let why = refusal(of: click) { return .refused(why) }
    switch click.action.effect {
    case .run(let words): return await begin(click) { await runner.run(words, for: click) }
    case .url(let url): return await begin(click) { await runner.open(url, for: click) }
    case .launch(let entry): return await begin(click) { await runner.launch(entry, for: click) }
    // These record themselves that they begin, if they need to.
    case .http(let call): return await calls.queue(call, for: click)
    case .snooze(let delay): return await snoozer.snooze(click, until: .after(delay))
    case .snoozeUntil(let times):
      guard let time = times.chosen(click.response.reply) else { return .failed("there is no such time") }
      return await snoozer.snooze(click, until: time)
    case nil: return await handlers.handOver(click, isHeard: isHeard)
    }
  }

  private func isLocked() async -> Bool {
    await lockQuestions.take()
    defer { lockQuestions.release() }
    return await session.isLocked()
  }

  private func begin(_ click: Click, _ run: () async -> Outcome) async -> Outcome {
    if let obstacle = await outcomes.obstacle(to: click) { return obstacle }
    return await run()
  }

  // MARK: Locked sessions

  private func isUnlocked(for click: Click) async -> Bool {
    let waited = Duration.milliseconds(max(0, time.wall - click.date))
    guard waited < timeouts.unlock else { return false }
    return await session.unlocked(timeouts.unlock - waited)
  }

  /// Asks the user again about a destructive action that runs long after its click.
  private func isConfirmed(_ click: Click) async -> Bool {
    let action = DisplayText.line(click.action.title)
    let title = DisplayText.line(click.request.content.title)
    return await questions.ask(
      "\(action)?", "You chose this while the screen was locked: \(title)", [("⚠ " + action), "Leave it"],
      of: click.request.app.text
    ).index == 0
  }

  // MARK: Rights

  /// Why the action may not be carried out; nil if it may. This last check is made right before the action, with the
  /// rights that the request was made with.
  private func refusal(of click: Click) -> String? {
    let rights = click.rights
    if rights == .all { return nil }
    do throws(CenterError) {
      try rights.check(click.request.app.text)
      if !isGranted(click) { try rights.check(click.action) }
      return nil
    } catch {
      return error.message
    }
  }

  /// Whether a category that the request may use contains this very action now. Registered categories were checked when
  /// they came in, and files are the user's own.
  private func isGranted(_ click: Click) -> Bool {
    let category = click.request.content.category.flatMap {
      categories.category($0.text, of: click.request.app.text, for: click.rights)
    }
    return category?.actions.contains(click.action) == true
  }
}
