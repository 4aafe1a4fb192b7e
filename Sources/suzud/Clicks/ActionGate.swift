// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// What an action must pass before it is carried out: the unlock, the user's second thought, the rights of its request.
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

  init(
    on loop: EventLoop, timeouts: Timeouts, time: any TimeSource, session: Desktop.Session, categories: Categories,
    questions: Questions, outcomes: Outcomes, runner: ActionRunner, snoozer: Snoozer, handlers: Handlers
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
  }

  /// On its own from here: a slow program must not hold up the next click. It ends with the action's time limit.
  func carryOut(_ click: Click, isHeard: Bool) {
    loop.start {
      if let outcome = await self.outcome(of: click, isHeard: isHeard) { self.outcomes.finish(click, outcome) }
    }
  }

  /// Nil: it waits for its app.
  private func outcome(of click: Click, isHeard: Bool) async -> Outcome? {
    var click = click
    let needsUser = click.action.authenticationRequired || click.action.foreground
    if needsUser, await session.isLocked() {
      // What the desktop remembers of the click is over by then.
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
    // These write down their beginning themselves, where they have one.
    case .snooze(let delay): return await snoozer.snooze(click, delay)
    case nil: return await handlers.handOver(click, isHeard: isHeard)
    }
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

  /// What cannot be undone, and comes long after the click, is asked about once more.
  private func isConfirmed(_ click: Click) async -> Bool {
    let action = DisplayText.line(click.action.title)
    let title = DisplayText.line(click.request.title)
    return await questions.ask(
      "\(action)?", "You chose this while the screen was locked: \(title)", [("⚠ " + action), "Leave it"],
      of: click.request.app
    ).index == 0
  }

  // MARK: Rights

  /// Why what the user chose may not be carried out; nil: it may. The last look, right before it acts, whatever was
  /// looked up, stored and waited for since the request came in.
  private func refusal(of click: Click) -> String? {
    let rights = click.rights
    if rights == .all { return nil }
    do throws(CenterError) {
      try rights.check(click.request.app)
      if !isGranted(click) { try rights.check(click.action) }
      return nil
    } catch {
      return error.message
    }
  }

  /// Whether the user put that very action into a category of the request's app alone, where it stands now.
  private func isGranted(_ click: Click) -> Bool {
    let category = click.request.category.flatMap {
      categories.category($0, of: click.request.app, for: click.rights)
    }
    return category?.actions.contains(click.action) == true
  }
}
