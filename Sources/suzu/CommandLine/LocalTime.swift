// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Triggers
internal import Zoneinfo

/// The machine's time and zone. Made only when a time must be parsed or shown, because it reads the zone's file.
final class LocalTime {
  let now: Instant
  private let database: ZoneDatabase
  private let readMachineZone: () throws(ZoneError) -> Zone
  private var machineZone: Zone?
  /// Why the machine's zone could not be read; nil if it was not needed.
  private(set) var problem: CommandError?
  /// Zones by name, so that each is read only once.
  private var zones: [String: ZoneRules] = [:]

  init(
    now: Instant = Instant(Int64(time(nil))), zone: @autoclosure @escaping () throws(ZoneError) -> Zone,
    database: ZoneDatabase = .system
  ) {
    self.now = now
    readMachineZone = zone
    self.database = database
  }

  /// The machine's zone is read only when it is needed: a time that names its own zone does not need it.
  static func current() -> LocalTime { LocalTime(zone: try SystemZone.current.read().zone) }

  /// The machine's zone.
  func zone() throws(CommandError) -> Zone {
    do throws(ZoneError) { return try readZone() } catch {
      throw problem ?? CommandError(message: "\(error)", status: EX_CONFIG)
    }
  }

  private func readZone() throws(ZoneError) -> Zone {
    if let machineZone { return machineZone }
    do throws(ZoneError) {
      let zone = try readMachineZone()
      machineZone = zone
      return zone
    } catch {
      problem = CommandError(message: "the machine's time zone: \(error)", status: EX_CONFIG)
      throw error
    }
  }

  /// The rules of the named zone; of the machine's zone for nil.
  func rules(_ name: String?) throws(TriggerError) -> ZoneRules {
    if let name, let known = zones[name] { return known }
    do throws(ZoneError) {
      guard let name else { return try readZone().rules }
      let rules = try database.zone(named: name).rules
      zones[name] = rules
      return rules
    } catch {
      throw TriggerError(error)
    }
  }
}
