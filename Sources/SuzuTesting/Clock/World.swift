// SPDX-License-Identifier: Apache-2.0
internal import Scheduling
internal import Zoneinfo

/// The machine of a ``VirtualClock`` and the centers on it, whose clocks move together.
struct World {
  private(set) var wall: Timestamp
  private(set) var zone: String
  let folder: String?
  private var newer: [String: String] = [:]
  private var boots = 1
  private var lastNumber = 0
  var agendas: [Int: SpyAgenda] = [:]

  init(wall: Timestamp, zone: String, folder: String?) {
    self.wall = wall
    self.zone = zone
    self.folder = folder
  }

  /// Adds a center with nothing to do; returns its number.
  mutating func add() -> Int {
    lastNumber += 1
    // The zone and its folder were readable when the clock was made; if they are not any more, the center is in UTC.
    let zones = (try? VirtualZones(zone, folder: folder)) ?? .utc
    zones.newer = newer
    agendas[lastNumber] = SpyAgenda(time: VirtualTime(wall), zones: zones)
    return lastNumber
  }

  /// In the order in which they were made, so that each walk is the same.
  private var inOrder: [SpyAgenda] { agendas.sorted { $0.key < $1.key }.map(\.value) }

  /// How many notifications have come.
  var cameCount: Int { agendas.values.reduce(0) { $0 + $1.came.count } }

  /// How long until something is due.
  var nearest: Int64? { agendas.values.compactMap(\.time.nearest).min() }

  /// What is to be told to the program under test.
  mutating func takeLater() -> [@Sendable () -> Void] { inOrder.flatMap { $0.takeLater() } }

  // MARK: Changes

  mutating func pass(_ milliseconds: Int64) {
    let agendas = inOrder
    for agenda in agendas { agenda.time.runDue() }
    var left = milliseconds
    while true {
      let step = min(left, agendas.compactMap(\.time.nearest).min() ?? left)
      move(agendas, by: step)
      left -= step
      for agenda in agendas { agenda.time.runDue() }
      if left == 0 { return }
    }
  }

  mutating func suspend(_ milliseconds: Int64) {
    let agendas = inOrder
    for agenda in agendas { agenda.time.runDue() }
    var left = milliseconds
    while left > 0 {
      // A request may wake the machine, which then goes to sleep again.
      let wake = agendas.compactMap(\.time.waking).map { $0 - wall }.filter { $0 > 0 && $0 <= left }.min()
      let step = wake ?? left
      move(agendas, by: step)
      left -= step
      for agenda in agendas { agenda.time.wakeUp() }
    }
  }

  mutating func switchOff(_ milliseconds: Int64) {
    let agendas = inOrder
    for agenda in agendas { agenda.end() }
    boots += 1
    wall += milliseconds
    for agenda in agendas { agenda.start(at: wall, boot: "boot \(boots)") }
  }

  mutating func set(_ date: Timestamp) {
    wall = date
    for agenda in inOrder { agenda.time.set(to: date) }
  }

  mutating func move(_ zone: String) {
    self.zone = zone
    for agenda in inOrder {
      agenda.zones.move(to: zone)
      agenda.time.runDue()
    }
  }

  mutating func update(_ zone: String, _ rules: String) {
    newer[zone] = rules
    for agenda in inOrder {
      agenda.zones.newer = newer
      agenda.zones.whenChanged()
      agenda.time.runDue()
    }
  }

  private mutating func move(_ agendas: [SpyAgenda], by step: Int64) {
    wall += step
    for agenda in agendas { agenda.time.passUnnoticed(step) }
  }
}
