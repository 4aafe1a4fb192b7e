// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Zoneinfo

/// Tests the digests of zones and the fingerprint of the database.
@Suite struct DigestTests {
  @Test func `Two zones have equal digests exactly if their clocks always agree`() throws {
    var zones: [UInt64: [(name: String, changes: [Transition])]] = [:]
    for name in AllZones.names {
      let rules = try AllZones.database.zone(named: name).rules
      zones[rules.digest, default: []].append((name, changes(of: rules)))
    }
    // Check that there are enough aliases and zones.
    #expect(zones.count > 250 && zones.values.contains { $0.count > 3 })
    var seen: [[Transition]: String] = [:]
    for group in zones.values {
      for zone in group { #expect(same(zone.changes, group[0].changes), "\(zone.name) \(group[0].name)") }
      let changes = group[0].changes
      // Zones without a change can have different offsets.
      if changes.isEmpty { continue }
      #expect(seen.updateValue(group[0].name, forKey: changes.map(plain)) == nil, "\(group[0].name)")
    }
  }

  /// The digest is stored on disk and must not depend on the process, as Swift's own hashes do.
  @Test func `A digest is the same in every process`() throws {
    // Computed in Python from the beginning of time, two zeros and the end of time.
    #expect(ZoneRules.utc.digest == 3078586806542419485)
  }

  @Test func `The fingerprint of a database changes with its content`() throws {
    let folder = try TemporaryFolder()
    let database = ZoneDatabase(folder: folder.path("zoneinfo"))
    var seen: [String] = []
    func changed(_ what: String) {
      #expect(database.fingerprint == database.fingerprint)
      #expect(!seen.contains(database.fingerprint), "\(what)")
      seen.append(database.fingerprint)
    }
    changed("nothing there")
    #expect(database.version == nil)
    try folder.write("# version 2025b\nL a b\n", to: "zoneinfo/tzdata.zi")
    changed("a release")
    #expect(database.version == "2025b" && seen.last?.hasPrefix("2025b-") == true)
    // Overwriting the file leaves the folder unchanged.
    let file = try FileHandle(forWritingTo: folder.url.appending(path: "zoneinfo/tzdata.zi"))
    try file.write(contentsOf: Data("# version 2025b\nL a c\n".utf8))
    changed("its content is another")
    try file.write(contentsOf: Data(repeating: 10, count: 10))
    try file.close()
    changed("its content is longer")
    try folder.write("x", to: "zoneinfo/America/Argentina/Ushuaia")
    changed("a zone far below")
    try folder.write("y", to: "zoneinfo/America/Argentina/Ushuaia")
    changed("replaced")
    try folder.write("who knows\n", to: "zoneinfo/tzdata.zi")
    changed("a list without a version")
    #expect(database.version == nil && seen.last?.hasPrefix("unknown-") == true)
  }

  private func changes(of rules: ZoneRules) -> [Transition] {
    var changes: [Transition] = []
    var instant = Instant(-10_000_000_000)
    while changes.count < 400, let next = rules.nextTransition(after: instant) {
      changes.append(next)
      instant = next.instant
    }
    return changes
  }

  /// Without abbreviations, which clocks do not show.
  private func plain(_ change: Transition) -> Transition {
    func plain(_ type: LocalTimeType) -> LocalTimeType {
      LocalTimeType(offset: type.offset, isDaylight: type.isDaylight, abbreviation: "")
    }
    return Transition(instant: change.instant, before: plain(change.before), after: plain(change.after))
  }

  private func same(_ a: [Transition], _ b: [Transition]) -> Bool { a.map(plain) == b.map(plain) }
}
