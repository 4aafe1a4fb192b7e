// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Zoneinfo

/// Tests random instants against the C library's `localtime_r`, called from Python with `TZ` set.
@Suite struct LocaltimeTests {
  /// The offset, daylight saving and abbreviation for each value of `TZ` and each instant.
  static func ask(_ variables: [String], _ instants: [Int64]) throws -> [Int64] {
    try Python.numbers(
      """
      import os, time
      os.environ["TZDIR"] = "\(AllZones.database.folder)"
      instants = \(instants)
      for name in \(AllZones.pythonList(variables)):
        os.environ["TZ"] = name
        time.tzset()
        for instant in instants:
          local = time.localtime(instant)
          out.extend((local.tm_gmtoff, local.tm_isdst, int.from_bytes(local.tm_zone.encode(), "big")))
      """)
  }

  static func instants(_ count: Int, from: Int, to: Int, seed: UInt64) -> [Int64] {
    var generator = SeededNumbers(seed: seed)
    let range = Instant(from, 1, 1).seconds..<Instant(to, 1, 1).seconds
    return (0..<count).map { _ in Int64.random(in: range, using: &generator) }
  }

  static func differences(_ rules: ZoneRules, _ instants: [Int64], _ answers: ArraySlice<Int64>) -> [String] {
    var differences: [String] = []
    var place = answers.startIndex
    for seconds in instants {
      let type = rules.type(at: Instant(seconds))
      if Int64(type.offset.seconds) != answers[place] || type.isDaylight != (answers[place + 1] == 1)
        || AllZones.number(type.abbreviation) != answers[place + 2]
      {
        differences.append("\(Instant(seconds)): \(type), but the C library has \(answers[place..<place + 3])")
      }
      place += 3
    }
    return differences
  }

  @Test func `Every zone matches the C library at random instants`() throws {
    let zones = AllZones.distinct
    let instants = Self.instants(200, from: 1900, to: 2200, seed: 1)
    let answers = try Self.ask(zones.map { ":" + $0.name }, instants)
    try #require(answers.count == zones.count * instants.count * 3)
    for (index, zone) in zones.enumerated() {
      let size = instants.count * 3
      let differences = Self.differences(zone.rules, instants, answers[index * size..<(index + 1) * size])
      #expect(differences.isEmpty, "\(zone.name): \(differences.prefix(3))")
    }
    print("localtime: \(zones.count) zones at \(instants.count) moments")
  }

  /// Random rules, always with dates: without dates, the C library takes not only the days of `posixrules`, but also
  /// its offsets and names.
  @Test func `Random rules match the C library`() throws {
    var generator = SeededNumbers(seed: 2)
    let rules = (0..<400).map { _ in Self.randomRule(&generator) }
    let instants = Self.instants(150, from: 1970, to: 2200, seed: 3)
    let answers = try Self.ask(rules, instants)
    try #require(answers.count == rules.count * instants.count * 3)
    for (index, text) in rules.enumerated() {
      let size = instants.count * 3
      let differences = Self.differences(
        try ZoneRules(posix: text), instants, answers[index * size..<(index + 1) * size])
      #expect(differences.isEmpty, "\(text): \(differences.count): \(differences.prefix(2))")
    }
  }

  private static func randomRule(_ generator: inout SeededNumbers) -> String {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    func name() -> String { ["CET", "Abcde", "<+05>", "<-0330>", "<A1b>"][number(0...4)] }
    func time(_ hours: ClosedRange<Int>) -> String {
      [
        "\(number(hours))", "\(number(hours)):\(number(0...59))",
        "\(number(hours)):\(number(10...59)):\(number(10...59))",
      ][
        number(0...2)]
    }
    // Far from New Year, because the C library errs where changes of different years overlap.
    func day(_ months: ClosedRange<Int>) -> String {
      switch number(0...3) {
      case 0: "J\(months.lowerBound * 30 + number(0...50))"
      case 1: "\(months.lowerBound * 30 + number(0...50))"
      default: "M\(number(months)).\(number(1...5)).\(number(0...6))"
      }
    }
    var rule = name() + time(-12...12)
    if number(0...4) == 0 { return rule }
    rule += name()
    if Bool.random(using: &generator) { rule += time(-12...12) }
    let changes = [day(2...4), day(8...10)].map { number(0...2) == 0 ? $0 : $0 + "/" + time(-167...167) }
    return rule + "," + (Bool.random(using: &generator) ? changes : changes.reversed()).joined(separator: ",")
  }
}
