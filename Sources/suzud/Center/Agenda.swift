// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Scheduling

/// The store, and the objects that plan, write and clean up in it.
struct Agenda {
  let store: Store
  let journal: Journal
  let scheduler: Scheduler
  let upkeep: Upkeep
  let mutes: Mutes
  let quiet: QuietBook
  let time: any TimeSource
  let zones: any ZoneSource

  init(_ resources: CenterResources) {
    store = resources.store
    time = resources.time
    zones = resources.zones
    journal = Journal(store: store, time: time)
    scheduler = Scheduler(store: store, time: time, zones: zones, conditions: resources.conditions)
    upkeep = Upkeep(store: store, time: time)
    mutes = Mutes(store: store, time: time)
    quiet = QuietBook(store: store, time: time, zones: zones)
  }

  var dates: DateText { DateText(zones: zones) }

  /// Writes what is still in memory, and closes the store.
  func end() {
    journal.flush()
    scheduler.end()
    upkeep.end()
    store.close()
  }
}
