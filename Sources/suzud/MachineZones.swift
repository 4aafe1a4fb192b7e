// SPDX-License-Identifier: Apache-2.0
internal import Scheduling
internal import Triggers
internal import Zoneinfo

final class MachineZones: ZoneSource {
  var whenChanged: () -> Void = {}
  private let zone: Zone = (try? SystemZone.current.read().zone) ?? .utc
  func rules(_ name: String?) throws(TriggerError) -> ZoneRules {
    guard let name else { return zone.rules }
    do throws(ZoneError) { return try ZoneDatabase.system.zone(named: name).rules } catch { return .utc }
  }
  var fingerprint: String { zone.name }
}
