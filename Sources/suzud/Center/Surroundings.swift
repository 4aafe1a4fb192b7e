// SPDX-License-Identifier: Apache-2.0
internal import EventLoop

/// The objects that all sides of the center use.
struct Surroundings {
  let loop: EventLoop
  let timeouts: Timeouts
  let desktop: Desktop
  let agenda: Agenda
  let audience: any Audience
  let bus: BusCalls
  let apps: Apps
  let badges: Badges
  let asked: AskedRequests
  let categories: Categories
  let places: Places
  let calendarReading: CalendarReading

  init(
    on loop: EventLoop, resources: CenterResources, timeouts: Timeouts, desktop: Desktop, audience: any Audience,
    bus: BusCalls
  ) {
    self.loop = loop
    self.timeouts = timeouts
    self.desktop = desktop
    self.audience = audience
    self.bus = bus
    agenda = Agenda(resources)
    apps = Apps(store: resources.store)
    badges = Badges(store: resources.store, show: desktop.signs.setBadge)
    asked = AskedRequests(store: resources.store)
    categories = Categories(store: resources.store, files: CategoryFiles(folders: resources.categories))
    places = Places(store: resources.store, named: resources.places, positions: resources.positions)
    calendarReading = CalendarReading(
      loop: loop, program: resources.calendarReader, limit: CalendarReading.usualLimit)
  }
}
