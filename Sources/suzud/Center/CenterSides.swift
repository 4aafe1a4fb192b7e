// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// All objects of the center but those of `Bus/`, which ``CenterService`` adds; a simulation has others in their place.
struct CenterSides {
  let around: Surroundings
  let screenSide: ScreenSide
  let clickSide: ClickSide
  let requestSide: RequestSide
  let serverEvents: ServerEvents
  private let resumption: Resumption

  init(
    on loop: EventLoop, resources: CenterResources, timeouts: Timeouts, burst: Int, desktop: Desktop,
    audience: any Audience, bus: BusCalls, server: any ServerCalls
  ) {
    around = Surroundings(
      on: loop, resources: resources, timeouts: timeouts, desktop: desktop, audience: audience, bus: bus)
    screenSide = ScreenSide(around, server: server, burst: Burst(limit: burst), presence: resources.presence)
    clickSide = ClickSide(around, screenSide)
    serverEvents = ServerEvents(
      on: loop, link: screenSide.link, screen: screenSide.screen, poster: screenSide.poster, ends: screenSide.ends,
      questions: screenSide.questions, choosing: clickSide.choosing, past: screenSide.past,
      restoration: screenSide.restoration)
    // Events with a number that was not known yet are handled once the notification is on the screen.
    screenSide.poster.onShown = { [weak serverEvents] number, asksAtOnce in
      serverEvents?.shown(number, asksAtOnce: asksAtOnce)
    }
    requestSide = RequestSide(around, screenSide, clickSide)
    // What an asker of the earlier run left on the screen can be removed once it is known.
    serverEvents.whenRestored = { [weak askers = requestSide.askers] in askers?.screenIsRestored() }
    resumption = Resumption(
      agenda: around.agenda, apps: around.apps, badges: around.badges, ends: screenSide.ends,
      past: screenSide.past, deliveries: screenSide.deliveries, responses: clickSide.unfinished)
  }

  // MARK: Running

  /// Continues with the state that the last run left. Before the first call, so that callers find it.
  func resume() throws(StoreError) {
    around.categories.begin(on: around.loop)
    try resumption.begin()
    requestSide.calendars.begin()
    requestSide.askers.begin()
  }

  /// Writes what is still in memory, and closes the store.
  func end() {
    screenSide.restoration.end()
    around.categories.end()
    requestSide.calendars.end()
    screenSide.deliveries.held.end()
    clickSide.choosing.end()
    clickSide.handlers.end()
    around.agenda.end()
  }

  /// The machine woke up, or its clock or zone changed.
  func lookAtClocks() {
    around.agenda.zones.check()
    around.agenda.time.whenSet()
    screenSide.deliveries.held.recheck()
  }
}
