// SPDX-License-Identifier: Apache-2.0
internal import Zoneinfo

/// The zones that requests name, each read once; a cache of the most recently used ones.
struct NamedZones {
  private struct Entry {
    var zone: Zone
    var lastUse: UInt64
    /// The current problem with its file; the zone keeps its last rules.
    var problem: String?
  }

  /// A zone is a table of some 10 KB.
  static let most = 64

  private let database: ZoneDatabase
  private var entries: [String: Entry] = [:]
  private var uses: UInt64 = 0

  init(database: ZoneDatabase) { self.database = database }

  /// The files that were read.
  var paths: [String] { entries.values.compactMap { $0.zone.identity?.path } }

  /// The problem with any of them.
  var problem: String? {
    let problems = entries.sorted { $0.key < $1.key }.compactMap(\.value.problem)
    return problems.isEmpty ? nil : problems.joined(separator: "; ")
  }

  mutating func known(_ name: String) -> ZoneRules? {
    uses += 1
    entries[name]?.lastUse = uses
    return entries[name]?.zone.rules
  }

  mutating func read(_ name: String) throws(ZoneError) -> ZoneRules {
    let zone = try database.zone(named: name)
    if entries.count >= Self.most, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      entries[oldest.key] = nil
    }
    entries[name] = Entry(zone: zone, lastUse: uses, problem: nil)
    return zone.rules
  }

  /// Rereads changed files; returns whether any rules differ.
  mutating func refresh() -> Bool {
    var isChanged = false
    for (name, entry) in entries {
      guard entry.problem != nil || database.identity(of: name) != entry.zone.identity else { continue }
      do throws(ZoneError) {
        let zone = try database.zone(named: name)
        if zone.rules.digest != entry.zone.rules.digest { isChanged = true }
        entries[name] = Entry(zone: zone, lastUse: entry.lastUse, problem: nil)
      } catch {
        entries[name]?.problem = "cannot read the time zone any more, using its last rules: \(error)"
      }
    }
    return isChanged
  }
}
