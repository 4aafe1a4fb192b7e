// SPDX-License-Identifier: Apache-2.0
internal import Scheduling
package import Triggers
package import Zoneinfo

/// The zones of a machine that a test moves from zone to zone.
package final class VirtualZones: ZoneSource {
  package var whenChanged: () -> Void = {}
  /// The zone of the machine.
  package var name: String
  package var problem: String?
  /// Other rules than those of the files, as POSIX texts: a later `tzdata`.
  package var newer: [String: String] = [:]

  private let database: ZoneDatabase
  private var known: [String: ZoneRules] = [:]

  /// A machine in a zone, with the zone files of a folder, or else with those of the system.
  package init(_ name: String, folder: String? = nil) throws(ZoneError) {
    self.name = name
    database = folder.map { ZoneDatabase(folder: $0) } ?? .system
    _ = try read(name)
  }

  package var fingerprint: String { name + newer.description }

  package func rules(_ name: String?) throws(TriggerError) -> ZoneRules {
    do throws(ZoneError) { return try read(name ?? self.name) } catch { throw TriggerError(error) }
  }

  private func read(_ name: String) throws(ZoneError) -> ZoneRules {
    if let posix = newer[name] { return try ZoneRules(posix: posix) }
    if let rules = known[name] { return rules }
    // No file is needed for it.
    let rules = name == Zone.utc.name ? Zone.utc.rules : try database.zone(named: name).rules
    known[name] = rules
    return rules
  }

  package func check() {}

  /// Moves the machine.
  package func move(to name: String) {
    self.name = name
    whenChanged()
  }
}

extension VirtualZones {
  /// A machine in UTC, which needs no files.
  static var utc: VirtualZones {
    do throws(ZoneError) { return try VirtualZones(Zone.utc.name) } catch { fatalError("UTC needs no file: \(error)") }
  }
}
