// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import NotificationModel

/// The objects that carry out the calls of programs.
struct RequestSide {
  let quota: RequestQuota
  let longCalls: LongCalls
  let requests: Requests
  let pushes: Pushes
  let withdrawals: Withdrawals
  let dismissals: Dismissals
  let acknowledgements: Acknowledgements
  let answers: AnswersElsewhere
  let clearing: HistoryClearing
  let listings: Listings
  let calendars: CalendarFollower
  let askers: Askers

  init(_ around: Surroundings, _ side: ScreenSide, _ clicks: ClickSide) {
    let (loop, agenda) = (around.loop, around.agenda)
    longCalls = LongCalls(on: loop)
    let writer = RequestWriter(loop: loop, journal: agenda.journal)
    let deliveries = clicks.waitingDeliveries
    let commit = RequestCommit(
      writer: writer, batches: RequestBatches(on: loop, writer: writer, agenda: agenda, waiting: deliveries),
      time: agenda.time, scheduler: agenda.scheduler, ends: side.ends, permissions: side.permissions,
      deliveries: side.deliveries, asked: around.asked, waitingDeliveries: deliveries)
    quota = RequestQuota(store: agenda.store)
    requests = Requests(
      on: loop, longCalls: longCalls, categories: around.categories, scheduler: agenda.scheduler, time: agenda.time,
      commit: commit,
      permissions: side.permissions, trim: side.trim)
    pushes = Pushes(
      requests: requests,
      commit: PushCommit(writer: writer, time: agenda.time, asked: around.asked, ends: side.ends, commit: commit),
      categories: around.categories, permissions: side.permissions, apps: around.apps, badges: around.badges,
      journal: agenda.journal,
      silent: clicks.silentPushes, time: agenda.time,
      schemes: { [urls = around.desktop.urls] in PushTerms.usualSchemes.union(urls.policy().added) })
    withdrawals = Withdrawals(
      on: loop, longCalls: longCalls, agenda: agenda, ends: side.ends, screen: side.screen,
      inFront: side.inFront, held: side.deliveries.held, permissions: side.permissions, waiting: deliveries)
    dismissals = Dismissals(
      on: loop, longCalls: longCalls, agenda: agenda, ends: side.ends, screen: side.screen, link: side.link,
      inFront: side.inFront, choosing: clicks.choosing)
    acknowledgements = Acknowledgements(
      on: loop, longCalls: longCalls, ends: side.ends, screen: side.screen, link: side.link)
    answers = AnswersElsewhere(
      store: agenda.store, journal: agenda.journal, time: agenda.time, acknowledgements: acknowledgements,
      withdrawals: withdrawals, pushes: pushes)
    clearing = HistoryClearing(on: loop, agenda: agenda, dismissals: dismissals)
    listings = Listings(
      on: loop, store: agenda.store, journal: agenda.journal, dates: agenda.dates, scheduler: agenda.scheduler,
      apps: around.apps, waiting: clicks.waiting, link: side.link, held: side.deliveries.held,
      outbox: side.deliveries.outbox)
    askers = Askers(
      on: loop, asked: around.asked, journal: agenda.journal, withdrawals: withdrawals, dismissals: dismissals,
      busID: around.bus.id, lookOut: around.audience.lookOut)
    let record = CalendarRecord(on: loop, store: agenda.store, writer: writer)
    calendars = CalendarFollower(
      on: loop, record: record,
      update: CalendarUpdate(
        on: loop, store: agenda.store, reading: around.calendarReading, record: record, requests: requests,
        withdrawals: withdrawals))
  }
}
