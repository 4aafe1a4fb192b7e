// SPDX-License-Identifier: Apache-2.0

/// The objects that take a click to its outcome. Each depends only on those above it in this list, and on the
/// ``ScreenSide``.
struct ClickSide {
  let waiting: WaitingResponses
  let waitingDeliveries: WaitingDeliveries
  let outcomes: Outcomes
  let handlers: Handlers
  let gate: ActionGate
  let responder: Responder
  let dialogs: AppDialogs
  let choosing: Choosing
  let unfinished: UnfinishedResponses
  let silentPushes: SilentPushes

  init(_ around: Surroundings, _ side: ScreenSide) {
    let (loop, timeouts, agenda, desktop) = (around.loop, around.timeouts, around.agenda, around.desktop)
    waiting = WaitingResponses()
    waitingDeliveries = WaitingDeliveries(
      scheduler: agenda.scheduler, permissions: side.permissions, inFront: side.inFront, held: side.deliveries.held,
      screen: side.screen, ends: side.ends)
    outcomes = Outcomes(
      on: loop, timeouts: timeouts, journal: agenda.journal, time: agenda.time, audience: around.audience,
      waiting: waiting)
    handlers = Handlers(
      on: loop, timeouts: timeouts, time: agenda.time, audience: around.audience, apps: desktop.apps,
      outcomes: outcomes)
    gate = ActionGate(
      on: loop, timeouts: timeouts, time: agenda.time, session: desktop.session, categories: around.categories,
      questions: side.questions, outcomes: outcomes,
      runner: ActionRunner(
        loop: loop, limit: timeouts.handler, grace: timeouts.handlerGrace, apps: desktop.apps, urls: desktop.urls),
      snoozer: Snoozer(
        loop: loop, scheduler: agenda.scheduler, journal: agenda.journal, time: agenda.time, ends: side.ends,
        waiting: waitingDeliveries),
      handlers: handlers, calls: HTTPCalls(outbox: side.deliveries.outbox, outcomes: outcomes))
    responder = Responder(
      journal: agenda.journal, time: agenda.time, dates: agenda.dates,
      badges: around.badges, audience: around.audience, questions: side.questions, ends: side.ends, outcomes: outcomes,
      gate: gate, categories: around.categories, outbox: side.deliveries.outbox)
    dialogs = AppDialogs(on: loop, dialogs: desktop.dialogs, names: AppNames(entryName: desktop.apps.name))
    choosing = Choosing(
      on: loop, timeouts: timeouts, dialogs: dialogs, link: side.link, screen: side.screen, ends: side.ends,
      poster: side.poster, responder: responder, waiting: waiting)
    // Three calls go back to the screen: an open dialog has no purpose once its notification has ended for another
    // reason than the click that opened it, or once a newer request has replaced it. And a notification that the center
    // lets expire may have an open dialog.
    side.ends.whenEnded = { [weak choosing, weak expiry = side.expiry] in
      if let delivery = $0.delivery { expiry?.end(delivery) }
      choosing?.ended($0)
    }
    side.expiry.closed = { [weak choosing] in choosing?.closed($0, $1) }
    side.ends.whenSuperseded = { [weak choosing] in choosing?.closePrompts(of: $0.app, [$0.id], because: "replaced") }
    unfinished = UnfinishedResponses(
      store: agenda.store, journal: agenda.journal, time: agenda.time, dates: agenda.dates,
      audience: around.audience, outcomes: outcomes, gate: gate)
    silentPushes = SilentPushes(audience: around.audience, gate: gate)
  }
}
