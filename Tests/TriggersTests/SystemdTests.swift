// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Triggers
import Zoneinfo

/// Calendar expressions against `systemd-analyze calendar` (252). Where the two differ, they do so on purpose:
///
/// | expression | systemd | here |
/// |---|---|---|
/// | `*-*~18,26` | refused: each item of a list from the month's end may be three days less | as it says |
/// | `Sun *-*-9/21` | 9 January 2022 is missing: from 30 December the step leads to '51 December', the 20th | is there |
/// | `Fri..Mon` | refused | Friday, Saturday, Sunday, Monday |
/// | `*:*/20`, `*-*-1T9:00` | refused | every 20 minutes; 9:00 on the 1st |
/// | `2300-1-1` | knows years up to 2199 | years up to 9999 |
/// | `2026-2-30` | accepted, never comes | refused |
/// | `*:*:0/0.5` | every half second | refused: denser than once a second |
/// | 02:30 where clocks skip it | skipped | at the instant given by the offset before the gap |
/// | `*:30` in the hour that comes twice | once | twice: every real hour |
@Suite struct SystemdTests {
  private static func field(_ random: inout SeededNumbers, _ range: ClosedRange<Int>, any: Int, endless: Bool = true)
    -> String
  {
    if random.chance(any) { return "*" }
    return (0..<(random.chance(70) ? 1 : 2)).map { _ in
      let start = random.number(range)
      switch random.number(1...6) {
      case 1 where start < range.upperBound: return "\(start)..\(random.number(start + 1...range.upperBound))"
      case 2 where start < range.upperBound && endless: return "\(start)/\(random.number(1...range.upperBound - start))"
      case 3 where start < range.upperBound - 1:
        let stop = random.number(start + 1...range.upperBound)
        return "\(start)..\(stop)/\(random.number(1...stop - start))"
      default: return "\(start)"
      }
    }.joined(separator: ",")
  }

  static func expression(_ random: inout SeededNumbers) -> String {
    let names = ["Mon", "tue", "Wednesday", "Thu", "FRI", "Sat", "Sun"]
    var words: [String] = []
    if random.chance(35) {
      let first = random.number(0...5)
      words.append(
        random.chance(40)
          ? "\(names[first])..\(names[random.number(first + 1...6)])"
          : (0..<random.number(1...3)).map { _ in names[random.number(0...6)] }.joined(separator: ","))
    }
    if random.chance(65) {
      let isFromEnd = random.chance(20)
      let days = field(&random, 1...(isFromEnd ? 28 : 31), any: isFromEnd ? 0 : 40, endless: false)
      let year =
        random.chance(75)
        ? "*-"
        : random.chance(50)
          ? "\(random.number(2024...2040))-"
          : "\(random.number(2000...2030))/\(random.number(1...9))-"
      words.append(
        "\(random.chance(15) && !isFromEnd ? "" : year)\(field(&random, 1...12, any: 60))\(isFromEnd ? "~" : "-")\(days)"
      )
    }
    if words.isEmpty || random.chance(75) {
      var time = "\(field(&random, 0...23, any: 25)):\(field(&random, 0...59, any: 20))"
      if random.chance(40) { time += ":\(field(&random, 0...59, any: 10))" }
      words.append(time)
    }
    return words.joined(separator: " ")
  }

  @Test func `Thousands of random expressions have the dates of systemd`() throws {
    var random = SeededNumbers(seed: 20_261_121)
    var (compared, dates, never, refusedByBoth, refusedBySystemd) = (0, 0, 0, 0, 0)
    var wrong: [String] = []
    for _ in 0..<10 {
      let base = try #require(
        CivilDateTime(clock: random.number(CivilDateTime.seconds(2019)...CivilDateTime.seconds(2035))))
      let expressions = (0..<300).map { _ in Self.expression(&random) }
      let answers = try SystemdAnalyze.calendar(expressions, after: base, iterations: 5)
      for (text, answer) in zip(expressions, answers) {
        guard let ours = try? CalendarExpression.parse(text) else {
          // What never comes is refused here, and has no date there.
          if answer.dates.isEmpty { refusedByBoth += 1 } else { wrong.append("'\(text)' refused: \(answer)") }
          continue
        }
        let found = ours.dates(from: base.adding(seconds: 1) ?? base).prefix(5).map(\.description)
          .filter { $0 < "2200" }
        if answer.normalized == nil, text.contains("~"), text.contains(",") {
          refusedBySystemd += 1
          continue
        }
        compared += 1
        dates += found.count
        never += found.isEmpty ? 1 : 0
        if Array(found) != answer.dates || ours.description != answer.normalized {
          wrong.append("'\(text)' after \(base): \(found) \(ours.description), systemd: \(answer)")
        }
      }
    }
    print(
      "calendar: \(compared) expressions, \(dates) dates as systemd's, \(never) over, \(refusedByBoth) refused by both, \(refusedBySystemd) by it alone"
    )
    #expect(compared > 2500)
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(8).joined(separator: "\n"))")
  }

  /// The table above, row by row; a newer systemd may have mended its rows.
  @Test func `Known differences from systemd are as documented`() throws {
    func dates(_ text: String, after base: String, _ count: Int = 3) throws -> [String] {
      Array(try CalendarExpression.parse(text).dates(from: wall(base)).prefix(count)).map {
        String($0.description.prefix(16))
      }
    }
    #expect(
      try dates("*-*~18,26", after: "2026-11-20T10:00") == ["2026-12-06T00:00", "2026-12-14T00:00", "2027-01-06T00:00"])
    #expect(
      try dates("Sun *-*-9/21", after: "2021-11-01T00:00") == [
        "2022-01-09T00:00", "2022-01-30T00:00", "2022-10-09T00:00",
      ])
    #expect(
      try dates("Fri..Mon 10:00", after: "2026-11-19T00:00", 5)
        == ["2026-11-20T10:00", "2026-11-21T10:00", "2026-11-22T10:00", "2026-11-23T10:00", "2026-11-27T10:00"])
    #expect(
      try dates("*:*/20", after: "2026-11-19T00:01") == ["2026-11-19T00:20", "2026-11-19T00:40", "2026-11-19T01:00"])
    #expect(try dates("*-*-1T9:00", after: "2026-11-19T00:01", 1) == ["2026-12-01T09:00"])
    #expect(try dates("2300-1-1", after: "2026-11-19T00:01") == ["2300-01-01T00:00"])
    #expect(throws: TriggerError.self) { try CalendarExpression.parse("2026-2-30") }
    #expect(throws: TriggerError.self) { try CalendarExpression.parse("*:*:0/0.5") }
  }
}

extension CivilDateTime {
  init?(clock: Int) {
    guard let civil = Instant(Int64(clock)).civil(at: .utc) else { return nil }
    self = civil
  }

  static func seconds(_ year: Int) -> Int {
    CivilDateTime(year: year, month: 1, day: 1).map { Int(Instant($0, at: .utc).seconds) } ?? 0
  }
}
