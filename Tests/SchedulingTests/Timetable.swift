// SPDX-License-Identifier: Apache-2.0
import Foundation
import Scheduling
import SuzuTesting
import TestSupport
import Zoneinfo

/// A store and a scheduler on it, and everything that came due, in order.
final class Timetable {
  let fixture: StoreFixture
  let time: VirtualTime
  let zones: VirtualZones
  private(set) var store: Store
  private(set) var scheduler: Scheduler
  private(set) var due: [Due] = []
  private(set) var reports: [String] = []
  private let conditions: [any ConditionSource]

  init(_ beginning: String, zone: String = "Europe/London", conditions: [any ConditionSource] = []) throws {
    self.conditions = conditions
    fixture = try StoreFixture()
    time = VirtualTime(beginning)
    zones = try VirtualZones(zone, folder: FixedZones.folder)
    store = try Store(folder: fixture.path) { 0 }
    scheduler = Scheduler(store: store, time: time, zones: zones, conditions: conditions)
    try start()
  }

  private func start() throws {
    scheduler.onDue = { [unowned self] in due += $0 }
    scheduler.report = { [unowned self] in reports.append($0) }
    try scheduler.start()
    time.runDue()
  }

  /// The center ends, `meanwhile` happens, and another one starts.
  func restart(after meanwhile: () -> Void = {}) throws {
    scheduler.end()
    store.close()
    meanwhile()
    store = try Store(folder: fixture.path) { 0 }
    scheduler = Scheduler(store: store, time: time, zones: zones, conditions: conditions)
    try start()
  }

  /// What came since the last time, as the local time it came at and its title.
  func take() -> [String] {
    defer { due = [] }
    return due.map { one in
      let rules = (try? zones.rules(nil)) ?? .utc
      let shown = rules.civil(at: Instant(one.date.milliseconds / 1000)).map { "\($0.date) \($0.time)" } ?? "?"
      return shown + (one.missed > 0 ? " +\(one.missed)" : "")
    }
  }

  /// What came since the last time.
  func takeDue() -> [Due] {
    defer { due = [] }
    return due
  }

  func states(_ id: String) throws -> [String] {
    try store.history().filter { $0.id == id }.reversed().map {
      "\($0.state)" + ($0.missed > 0 ? " +\($0.missed)" : "")
    }
  }
}
