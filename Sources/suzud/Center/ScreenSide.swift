// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import Scheduling

/// The objects that take a due request to the screen. Each depends only on those above it in this list.
struct ScreenSide {
  let ends: Ends
  let link: ServerLink
  let screen: Screen
  let expiry: OwnExpiry
  let poster: Poster
  let questions: Questions
  let inFront: AppsInFront
  let permissions: Permissions
  let trim: MemoryTrim
  let deliveries: Deliveries
  let past: PastDeliveries
  let restoration: ScreenRestoration

  /// - Parameter presence: the sources of the conditions `unlocked` and `idle`, for this purpose alone.
  init(
    _ around: Surroundings, server: any ServerCalls, burst: Burst, presence: [any ConditionSource]
  ) {
    let (loop, timeouts, agenda) = (around.loop, around.timeouts, around.agenda)
    let signs = Signs(
      badges: around.badges, journal: agenda.journal, play: around.desktop.signs.play,
      speech: Speech(
        loop: loop, isLocked: around.desktop.session.isLocked, speak: around.desktop.signs.speak),
      apps: around.apps)
    let names = AppNames(entryName: around.desktop.apps.name)
    ends = Ends(
      journal: agenda.journal, time: agenda.time, audience: around.audience,
      nags: Nags(journal: agenda.journal, time: agenda.time))
    link = ServerLink(to: server, on: loop, timeouts: timeouts, announce: around.bus.announceServer)
    screen = Screen(
      link: link, ends: ends, time: agenda.time, burst: burst, asked: around.asked, categories: around.categories)
    let absence = Absence(on: loop, sources: presence, idle: timeouts.pauses.idle)
    let pause = ExpiryPause(apps: around.apps, absence: absence)
    expiry = OwnExpiry(
      on: loop, timeouts: timeouts, link: link, screen: screen, time: agenda.time, pause: pause)
    poster = Poster(
      on: loop, timeouts: timeouts, link: link, screen: screen, ends: ends,
      forms: Forms(
        categories: around.categories, apps: around.apps, pause: pause, audience: around.audience,
        isInstalled: around.desktop.apps.isInstalled, canAsk: around.desktop.dialogs.canAsk,
        hidden: HiddenTexts(on: loop, apps: around.apps, session: around.desktop.session), names: names),
      report: ShownReport(
        journal: agenda.journal, time: agenda.time, audience: around.audience, dates: agenda.dates,
        apps: around.apps, signs: signs),
      room: ScreenRoom(link: link, screen: screen, ends: ends), expiry: expiry)
    questions = Questions(on: loop, time: agenda.time, screen: screen, poster: poster)
    inFront = AppsInFront(
      on: loop, audience: around.audience, screen: screen, poster: poster, ends: ends, signs: signs,
      ask: around.bus.willPresent,
      pushes: PushChanges(
        on: loop, timeouts: timeouts, audience: around.audience, apps: around.desktop.apps,
        ask: around.bus.changePush))
    let outbox = Outbox(
      on: loop, store: agenda.store, journal: agenda.journal, time: agenda.time,
      texts: OutgoingTexts(store: agenda.store, apps: around.apps, categories: around.categories, names: names),
      announce: around.bus.announceOutgoing, start: around.bus.startCarrier, lookOut: around.audience.lookOut)
    let held = HeldRequests(
      on: loop, agenda: agenda,
      texts: DigestTexts(apps: around.apps, categories: around.categories, names: names),
      absence: absence, asked: around.asked, screen: screen, poster: poster, ends: ends,
      inFront: inFront, outbox: outbox, quiet: QuietGate(on: loop, agenda: agenda, desktop: around.desktop.quiet))
    permissions = Permissions(
      on: loop, apps: around.apps, names: names, questions: questions,
      inFront: inFront, held: held, screen: screen, poster: poster, ends: ends)
    trim = MemoryTrim(on: loop, link: link)
    deliveries = Deliveries(
      ends: ends, mutes: agenda.mutes, permissions: permissions, inFront: inFront, held: held, outbox: outbox,
      screen: screen, poster: poster, trim: trim)
    past = PastDeliveries(
      store: agenda.store, journal: agenda.journal, time: agenda.time, ends: ends, link: link)
    restoration = ScreenRestoration(
      on: loop, store: agenda.store, journal: agenda.journal, past: past, screen: screen, ends: ends, expiry: expiry,
      limit: around.timeouts.introduction)
    absence.whenChanged = { [weak held, weak expiry] in
      // First, so that what is on the screen stays above what was held.
      expiry?.recheck()
      held?.userMoved()
    }
    // Three calls go up the list. Posting continues when the server may be asked again, or with another expiry.
    link.whenOpen = { [weak poster] in poster?.post() }
    expiry.whenQueued = { [weak poster] in poster?.post() }
    // And the end of a question's notification answers the question.
    ends.onEnd = { [weak questions] key, end in questions?.end(key, Answer(end)) }
  }
}
