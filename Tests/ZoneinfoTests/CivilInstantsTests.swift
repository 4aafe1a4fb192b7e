// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Zoneinfo

/// Tests well-known gaps and overlaps; ``FoldTests`` covers all others.
@Suite struct CivilInstantsTests {
  private static func zones() throws -> ZoneDatabase { ZoneDatabase(folder: try FixedZones.folder) }

  private func resolved(_ zone: String, _ civil: String) throws -> String {
    let rules = try Self.zones().zone(named: zone).rules
    let instant = rules.resolve(try #require(CivilDateTime(civil)))
    return try #require(rules.civil(at: instant)).description
  }

  @Test(arguments: [
    ("Europe/Paris", "2026-03-29T02:30", "2026-03-29T03:30:00"),
    ("Europe/London", "2026-03-29T01:30", "2026-03-29T02:30:00"),
    ("Europe/Paris", "2026-03-29T02:00", "2026-03-29T03:00:00"),
    ("Europe/Paris", "2026-03-29T03:00", "2026-03-29T03:00:00"),
    ("Australia/Lord_Howe", "2026-10-04T02:15", "2026-10-04T02:45:00"),
    ("Antarctica/Troll", "2026-03-29T02:15", "2026-03-29T04:15:00"),
    ("Africa/Cairo", "2026-04-24T00:30", "2026-04-24T01:30:00"),
    ("America/Havana", "2026-03-08T00:00", "2026-03-08T01:00:00"),
    ("Pacific/Apia", "2011-12-30T10:00", "2011-12-31T10:00:00"),
    ("Pacific/Apia", "2011-12-30T00:00", "2011-12-31T00:00:00"),
    ("Pacific/Apia", "2011-12-30T23:59:59", "2011-12-31T23:59:59"),
    ("Europe/Paris", "2126-03-31T02:30", "2126-03-31T03:30:00"),
  ])
  func `A skipped time is moved by the length of the gap`(zone: String, civil: String, shown: String) throws {
    #expect(try resolved(zone, civil) == shown)
  }

  @Test func `A gap reports its offsets and transition`() throws {
    let apia = try Self.zones().zone(named: "Pacific/Apia").rules
    guard
      case .gap(let before, let after, let transition) = apia.instants(
        of: try #require(CivilDateTime("2011-12-30T10:00")))
    else { throw TestProblem("no gap") }
    #expect(before.description == "-10:00" && after.description == "+14:00")
    #expect(transition.description == "2011-12-30T10:00:00Z")
  }

  @Test func `The first of two instants is chosen`() throws {
    let paris = try Self.zones().zone(named: "Europe/Paris").rules
    let civil = try #require(CivilDateTime("2026-10-25T02:30"))
    #expect(
      paris.instants(of: civil)
        == .overlap(first: Instant(2026, 10, 25, 0, 30), second: Instant(2026, 10, 25, 1, 30)))
    #expect(paris.resolve(civil) == Instant(2026, 10, 25, 0, 30))
    #expect(paris.instants(of: try #require(CivilDateTime("2026-10-25T03:00"))) == .once(Instant(2026, 10, 25, 2)))
    let manila = try AllZones.database.zone(named: "Asia/Manila").rules
    // A day that occurred twice: Manila crossed the date line to the east.
    let day = manila.nextTransition(after: Instant(1840, 1, 1))
    #expect(day.map { $0.after.offset.seconds - $0.before.offset.seconds } == 86_400)
  }

  /// Clocks set every few minutes by hours; every answer is checked against a scan of all seconds.
  @Test func `Changes close together are all found`() throws {
    var generator = SeededNumbers(seed: 11)
    for _ in 0..<60 {
      var bytes = ZoneFileBytes(types: [], letters: "XXX\0", footer: "\n\n")
      let unit = Int32([60, 600, 3600].randomElement(using: &generator) ?? 60)
      bytes.types = (0..<5).map { _ in (unit * Int32.random(in: -3...3, using: &generator), 0, 0) }
      var time: Int64 = 0
      for _ in 0..<8 {
        time += Int64(unit) * Int64.random(in: 1...3, using: &generator) / 2
        bytes.changes.append((time, UInt8.random(in: 0...4, using: &generator)))
      }
      let rules = try ZoneRules(try TimeZoneFile(bytes.bytes))
      var shown: [Int64: [Int64]] = [:]
      let step = Int64(unit) / 4
      for seconds in stride(from: -8 * Int64(unit), to: time + 8 * Int64(unit), by: Int(step)) {
        shown[seconds + Int64(rules.offset(at: Instant(seconds)).seconds), default: []].append(seconds)
      }
      for clock in stride(from: -4 * Int64(unit), to: time + 4 * Int64(unit), by: Int(step)) {
        let civil = try #require(CivilDateTime(clockSeconds: clock))
        let expected = (shown[clock] ?? []).map { Instant($0) }
        switch rules.instants(of: civil) {
        case .once(let instant): #expect(expected == [instant])
        case .overlap(let first, let second): #expect(Array(expected.prefix(2)) == [first, second])
        case .gap(let before, let after, let transition):
          #expect(expected.isEmpty)
          #expect(
            transition.seconds + Int64(before.seconds) <= clock && clock < transition.seconds + Int64(after.seconds))
          #expect(rules.offset(at: transition) == after && rules.offset(at: transition.adding(seconds: -1)) == before)
        }
      }
    }
  }

  @Test func `The ends of the calendar are resolved`() throws {
    for zone in AllZones.distinct {
      for civil in [CivilDateTime.first, .last] {
        let instant = zone.rules.resolve(civil)
        #expect(zone.rules.civil(at: instant) == civil, "\(zone.name)")
      }
    }
  }
}

struct TestProblem: Error {
  let text: String
  init(_ text: String) { self.text = text }
}
