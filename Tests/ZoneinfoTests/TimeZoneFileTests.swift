// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Zoneinfo

/// Tests parsing of time zone files, valid and damaged.
@Suite struct TimeZoneFileTests {
  /// A short version of Paris from 1911 on: daylight saving in 2020, followed by a rule.
  static let sample = ZoneFileBytes(
    changes: [(-1_855_958_961, 1), (1_585_443_600, 2), (1_603_587_600, 1)],
    types: [(561, 0, 0), (3600, 0, 4), (7200, 1, 8)], letters: "PMT\0CET\0CEST\0",
    footer: "\nCET-1CEST,M3.5.0,M10.5.0/3\n")

  /// Compares with Python's `zoneinfo` on the same bytes.
  @Test(arguments: ["1", "2", "3", "4", "5"] as [Character])
  func `Files of every version are parsed as in Python`(version: Character) throws {
    var sample = Self.sample
    sample.version = version
    if version > "2" { sample.footer = "\nXXX-2<+01>-1,M10.5.0/-1,M3.4.4/50\n" }
    let folder = try TemporaryFolder()
    try Data(sample.bytes).write(to: folder.url.appending(path: "zone"))
    let file = try TimeZoneFile(sample.bytes)
    let rules = try ZoneRules(file)
    #expect(file.version == (version == "5" ? 4 : version.wholeNumberValue))
    #expect(file.footer == (version == "1" ? nil : String(sample.footer.dropFirst().dropLast())))
    var generator = SeededNumbers(seed: 5)
    let range = Instant(1905, 1, 1).seconds..<Instant(2100, 1, 1).seconds
    let instants = (0..<2000).map { _ in Int64.random(in: range, using: &generator) }
    let offsets = try Python.numbers(
      """
      import datetime, zoneinfo
      zone = zoneinfo.ZoneInfo.from_file(open("\(folder.path("zone"))", "rb"))
      epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
      for instant in \(instants):
        offset = (epoch + datetime.timedelta(seconds=instant)).astimezone(zone).utcoffset()
        out.append(offset // datetime.timedelta(seconds=1))
      """)
    #expect(instants.map { Int64(rules.offset(at: Instant($0)).seconds) } == offsets)
  }

  /// The zones under `right/` match the others except for leap seconds. They have no footer, and end with the list of
  /// leap seconds.
  @Test func `Leap seconds are subtracted from every change`() throws {
    let instants = LocaltimeTests.instants(60, from: 1900, to: 2024, seed: 6)
    var compared = 0
    for zone in AllZones.distinct {
      let file = try TimeZoneFile(AllZones.content(of: "right/" + zone.name))
      #expect(file.leapSeconds.count >= 27)
      let rules = try ZoneRules(file)
      #expect(instants.allSatisfy { rules.type(at: Instant($0)) == zone.rules.type(at: Instant($0)) }, "\(zone.name)")
      let end = Instant(file.changes.last?.seconds ?? 0)
      var place = Instant(1900, 1, 1)
      while let next = zone.rules.nextTransition(after: place), next.instant < end {
        if rules.nextTransition(after: place) != next { Issue.record("\(zone.name) \(next)") }
        place = next.instant
        compared += 1
      }
    }
    #expect(compared > 20_000)
  }

  @Test func `Leap seconds match the published bulletins`() throws {
    let file = try TimeZoneFile(AllZones.content(of: "right/UTC"))
    #expect(file.leapSeconds.first == LeapSecond(instant: Instant(1972, 7, 1), sum: 1))
    #expect(file.leapSeconds.dropFirst().first == LeapSecond(instant: Instant(1973, 1, 1), sum: 2))
    #expect(file.leapSeconds.dropFirst(26).first == LeapSecond(instant: Instant(2017, 1, 1), sum: 27))
    #expect(file.leapSecondsExpire == nil)
  }

  @Test func `Version 4 may begin in the middle of history and expire`() throws {
    var bytes = ZoneFileBytes(version: "4")
    bytes.leapSeconds = [(1_435_708_825, 26), (1_483_228_826, 27), (1_719_532_827, 27)]
    let file = try TimeZoneFile(bytes.bytes)
    #expect(
      file.leapSeconds == [
        LeapSecond(instant: Instant(2015, 7, 1), sum: 26), LeapSecond(instant: Instant(2017, 1, 1), sum: 27),
      ])
    #expect(file.leapSecondsExpire == Instant(2024, 6, 28))
    bytes.version = "3"
    #expect(throws: ZoneError.self) { try TimeZoneFile(bytes.bytes) }
    bytes.leapSeconds = [(78_796_800, 1), (94_694_401, 0)]
    #expect(
      try TimeZoneFile(bytes.bytes).leapSeconds == [
        LeapSecond(instant: Instant(1972, 7, 1), sum: 1),
        LeapSecond(instant: Instant(1973, 1, 1).adding(seconds: 1), sum: 0),
      ])
  }

  /// Damages and the expected reasons.
  private static let damages: [(reason: String, damage: @Sendable (inout ZoneFileBytes) -> Void)] = [
    ("has 0 local time types", { $0.types = [] }),
    ("has 257 local time types", { $0.types = .init(repeating: (0, 0, 0), count: 257) }),
    ("has no abbreviations", { $0.letters = "" }),
    ("an unterminated abbreviation", { $0.letters = "UTC" }),
    ("an unterminated abbreviation", { $0.types[0].letters = 200 }),
    ("an abbreviation that is not text", { $0.letters = "PMT\0C\u{1B}[\0CEST\0" }),
    ("out of range", { $0.types[1].offset = .min }),
    ("out of range", { $0.types[1].offset = 93_600 }),
    ("has 2 for daylight saving", { $0.types[1].isDaylight = 2 }),
    ("transition 1 is not later", { $0.changes[1].time = $0.changes[0].time }),
    ("transition 2 is not later", { $0.changes[2].time = .min }),
    ("transition 2 is to local time 3", { $0.changes[2].type = 3 }),
    ("2 UT indicators for 3", { $0.universal = [0, 0] }),
    ("1 standard indicators for 3", { $0.standard = [0] }),
    ("neither 0 nor 1", { $0.standard = [0, 2, 0] }),
    (
      "local time 1 is UT but not standard",
      {
        $0.standard = [1, 0, 0]; $0.universal = [1, 1, 0]
      }
    ),
    ("local time 0 is UT but not standard", { $0.universal = [1, 0, 0] }),
    ("its first leap second is out of range", { $0.leapSeconds = [(0, 2)] }),
    ("its first leap second is out of range", { $0.leapSeconds = [(-1, 1)] }),
    ("leap second 1 follows the previous one too soon", { $0.leapSeconds = [(0, 1), (2_419_198, 2)] }),
    ("leap second 1 follows the previous one too soon", { $0.leapSeconds = [(0, 1), (.min, 2)] }),
    ("leap second 1 does not change the count by one", { $0.leapSeconds = [(0, 1), (9_999_999, 3)] }),
    ("leap second 1 does not change the count by one", { $0.leapSeconds = [(0, 1), (9_999_999, 1)] }),
    (
      "outside the supported time",
      {
        $0.leapSeconds = [(0, -1)]; $0.changes[2].time = .max
      }
    ),
    ("missing or cut short", { $0.footer = "" }),
    ("missing or cut short", { $0.footer = "\n" }),
    ("missing or cut short", { $0.footer = "\nUTC0" }),
    ("missing or cut short", { $0.footer = "UTC0\n" }),
    ("is not text", { $0.footer = "\nUTC0\n\n" }),
    ("is not text", { $0.footer = "\nUTC\0\n" }),
    ("'CET', cannot be read: a number of hours up to 24 is expected at character 4", { $0.footer = "\nCET\n" }),
    ("its version is 1, which is not a digit", { $0.version = "\u{1}" }),
    ("its version is 65", { $0.version = "A" }),
  ]

  @Test(arguments: damages.indices)
  func `A damaged file is an error with a reason`(index: Int) throws {
    var bytes = Self.sample
    Self.damages[index].damage(&bytes)
    let error = #expect(throws: ZoneError.self) { try ZoneRules(try TimeZoneFile(bytes.bytes)) }
    #expect(error?.code == .damaged)
    #expect(error?.reason.contains(Self.damages[index].reason) == true, "\(error?.reason ?? "")")
  }

  @Test func `A truncated file is an error`() throws {
    for version in ["1", "2", "4"] as [Character] {
      var sample = Self.sample
      sample.version = version
      sample.leapSeconds = [(78_796_800, 1)]
      let bytes = sample.bytes
      _ = try TimeZoneFile(bytes)
      for length in 0..<bytes.count {
        #expect(throws: ZoneError.self, "\(length) of \(bytes.count)") { try TimeZoneFile(Array(bytes[..<length])) }
      }
      #expect(throws: ZoneError.self) { try TimeZoneFile(bytes + [0]) }
    }
    #expect(throws: ZoneError.self) { try TimeZoneFile(.init(repeating: 0, count: TimeZoneFile.sizeLimit + 1)) }
  }

  /// Flipped bits, replaced bytes, deleted, doubled and moved pieces: the result is an error or a usable zone, quickly.
  @Test func `Mutated files neither crash nor hang`() throws {
    let originals =
      try stride(from: 0, to: AllZones.distinct.count, by: 9).map {
        try AllZones.content(of: AllZones.distinct[$0].name)
      } + [Self.sample.bytes]
    var generator = SeededNumbers(seed: 7)
    var (survivors, slowest) = (0, Int64(0))
    for _ in 0..<20_000 {
      var bytes = originals[Int.random(in: 0..<originals.count, using: &generator)]
      for _ in 0...Int.random(in: 0...3, using: &generator) { Self.mutate(&bytes, &generator) }
      let start = Self.processorTime
      if let rules = try? ZoneRules(try TimeZoneFile(bytes)) {
        survivors += 1
        Self.question(rules)
      }
      slowest = max(slowest, Self.processorTime - start)
    }
    print("fuzz: 20000 files, \(survivors) of them still zones, the slowest \(slowest / 1000) µs")
    #expect(survivors > 500 && survivors < 15_000)
    #expect(slowest < 500_000_000)
  }

  private static func mutate(_ bytes: inout [UInt8], _ generator: inout SeededNumbers) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: 0..<bytes.count, using: &generator)
    let end = min(bytes.count, place + Int.random(in: 1...40, using: &generator))
    switch Int.random(in: 0...6, using: &generator) {
    case 0: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
    case 1: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
    case 2: bytes[min(place, 99) % bytes.count] = UInt8.random(in: 0...255, using: &generator)
    case 3: bytes[bytes.count - 1 - place % min(bytes.count, 30)] = UInt8.random(in: 0x20...0x7E, using: &generator)
    case 4: bytes.removeSubrange(place..<(Bool.random(using: &generator) ? end : bytes.count))
    case 5: bytes.insert(contentsOf: bytes[place..<end], at: place)
    default: for index in place..<end { bytes[index] = UInt8.random(in: 0...255, using: &generator) }
    }
  }

  private static func question(_ rules: ZoneRules) {
    var place = Instant(.min)
    for _ in 0..<3 { place = rules.nextTransition(after: place)?.instant ?? place }
    for seconds in [Int64.min, -1 << 40, 0, 4_000_000_000, 1 << 45, 1 << 62, .max] {
      _ = rules.nextTransition(after: Instant(seconds))
      _ = rules.civil(at: Instant(seconds)).map { rules.instants(of: $0) }
    }
    for civil in [CivilDateTime.first, .last] { _ = rules.resolve(civil) }
  }

  /// The CPU time of this thread in nanoseconds, independent of other load.
  private static var processorTime: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
