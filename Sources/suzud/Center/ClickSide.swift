// SPDX-License-Identifier: Apache-2.0

/// The objects that take a click to its outcome. Each depends only on those above it in this list, and on the
/// ``ScreenSide``.
struct ClickSide {
  let outcomes: Outcomes
  let handlers: Handlers
  let gate: ActionGate
  let responder: Responder
  let choosing: Choosing
  let unfinished: UnfinishedResponses

  init(_ around: Surroundings, _ side: ScreenSide) {
    let (loop, timeouts, schedule, desktop) = (around.loop, around.timeouts, around.schedule, around.desktop)
    outcomes = Outcomes(
      on: loop, timeouts: timeouts, journal: schedule.journal, time: schedule.time, audience: around.audience)
    handlers = Handlers(
      on: loop, timeouts: timeouts, time: schedule.time, audience: around.audience, apps: desktop.apps,
      outcomes: outcomes)
    gate = ActionGate(
      on: loop, timeouts: timeouts, time: schedule.time, session: desktop.session, categories: around.categories,
      questions: side.questions, outcomes: outcomes,
      runner: ActionRunner(
        loop: loop, limit: timeouts.handler, grace: timeouts.handlerGrace, apps: desktop.apps, urls: desktop.urls),
      snoozer: Snoozer(
        loop: loop, scheduler: schedule.scheduler, journal: schedule.journal, time: schedule.time, ends: side.ends),
      handlers: handlers)
    responder = Responder(
      store: schedule.store, journal: schedule.journal, time: schedule.time, dates: schedule.dates,
      badges: around.badges, audience: around.audience, questions: side.questions, outcomes: outcomes, gate: gate)
    choosing = Choosing(
      on: loop, timeouts: timeouts, dialogs: desktop.dialogs, names: AppNames(entryName: desktop.apps.name),
      link: side.link, screen: side.screen, responder: responder)
    unfinished = UnfinishedResponses(
      store: schedule.store, journal: schedule.journal, time: schedule.time, dates: schedule.dates,
      audience: around.audience, outcomes: outcomes, gate: gate)
  }
}
