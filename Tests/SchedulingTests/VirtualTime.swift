// SPDX-License-Identifier: Apache-2.0
import Foundation
import Scheduling
import TestSupport
import Triggers
import Zoneinfo

/// Clocks that a test turns.
final class VirtualTime: TimeSource {
  var wall: Timestamp
  var elapsed: Int64 = 1_000_000
  var boot = "first"
  var isSynchronised = true
  var whenDue: () -> Void = {}
  var whenSet: () -> Void = {}
  private(set) var alarm: Timestamp?
  private(set) var waking: Timestamp?
  private var calls: [(at: Int64, body: () -> Void)] = []
  private var next: [() -> Void] = []
  /// The number of callbacks: an idle center has none.
  private(set) var wakeUps = 0
  /// How many calls were put off to a turn of their own.
  private(set) var turns = 0

  init(_ text: String) { wall = VirtualTime.date(text) }

  static func date(_ text: String) -> Timestamp {
    Timestamp(milliseconds: (Instant(rfc3339: text)?.seconds ?? 0) * 1000)
  }

  func setAlarm(at date: Timestamp?, waking: Timestamp?) {
    alarm = date
    self.waking = waking
  }

  func call(after milliseconds: Int64, _ body: @escaping () -> Void) { calls.append((elapsed + milliseconds, body)) }
  func callNext(_ body: @escaping () -> Void) { next.append(body) }

  /// Runs everything that is due now.
  func runDue() {
    while true {
      if !next.isEmpty {
        turns += 1
        next.removeFirst()()
      } else if let index = calls.firstIndex(where: { $0.at <= elapsed }) {
        calls.remove(at: index).body()
      } else if let alarm, alarm <= wall {
        self.alarm = nil
        wakeUps += 1
        whenDue()
      } else {
        return
      }
    }
  }

  /// Time goes by, and nothing is missed.
  func pass(_ milliseconds: Int64) {
    runDue()
    var left = milliseconds
    while true {
      let nearest = ([alarm.map { $0 - wall }].compactMap { $0 } + calls.map { $0.at - elapsed }).min()
      let step = min(left, max(0, nearest ?? left))
      wall += step
      elapsed += step
      left -= step
      runDue()
      if left == 0 { return }
    }
  }

  func pass(days: Int64) { pass(days * 86_400_000) }

  /// Time passes while the machine sleeps or the center is off: no alarm fires.
  func passUnnoticed(_ milliseconds: Int64) {
    wall += milliseconds
    elapsed += milliseconds
  }

  /// The wall clock is set.
  func set(_ text: String) { set(to: VirtualTime.date(text)) }

  func set(to date: Timestamp) {
    wall = date
    whenSet()
    runDue()
  }
}

/// A machine that is moved from zone to zone.
final class VirtualZones: ZoneSource {
  var whenChanged: () -> Void = {}
  var name: String
  var problem: String?
  /// Other rules than the system's for a zone: a later `tzdata`.
  var newer: [String: String] = [:]

  private let database: ZoneDatabase

  init(_ name: String) throws {
    self.name = name
    database = ZoneDatabase(folder: try FixedZones.folder)
  }

  var fingerprint: String { name + newer.description }

  func rules(_ name: String?) throws(TriggerError) -> ZoneRules {
    let name = name ?? self.name
    do {
      if let posix = newer[name] { return try ZoneRules(posix: posix) }
      return try database.zone(named: name).rules
    } catch {
      throw TriggerError(error)
    }
  }

  func check() {}

  func move(to name: String) {
    self.name = name
    whenChanged()
  }
}

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
    zones = try VirtualZones(zone)
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

  func states(_ id: String) throws -> [String] {
    try store.history().filter { $0.id == id }.reversed().map {
      "\($0.state)" + ($0.missed > 0 ? " +\($0.missed)" : "")
    }
  }
}
