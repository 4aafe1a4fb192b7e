// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Zoneinfo

/// Tests all changes against the C library's `zdump`, which searches for every change.
@Suite struct ZdumpTests {
  /// An instant and the local time at it: `zdump` prints a line for the last second before a change, and one for the
  /// first after it.
  struct Line {
    let instant: Instant
    let offset, isDaylight, abbreviation: Int64

    func matches(_ type: LocalTimeType) -> Bool {
      type.offset.seconds == offset && type.isDaylight == (isDaylight == 1)
        && AllZones.number(type.abbreviation) == abbreviation
    }
  }

  struct Job {
    let years: Range<Int>
    let zones: [AllZones.Distinct]
  }

  /// Every zone to the end of its table; beyond, up to 2200, one zone for each distinct footer. With SUZU_LONG_TESTS=1
  /// every zone up to 2200, which takes a minute or two.
  @Test func `Every change from 1900 to 2200 matches zdump`() throws {
    let zones = AllZones.distinct
    #expect(zones.count > 300)
    var jobs = [Job(years: 1900..<2200, zones: zones)]
    if ProcessInfo.processInfo.environment["SUZU_LONG_TESTS"] == nil {
      var footers: Set<String?> = []
      let end = Instant(2039, 1, 1).seconds
      let future = zones.filter { footers.insert($0.file.footer).inserted || $0.file.changes.last?.seconds ?? 0 > end }
      #expect(future.count > 50)
      jobs = [Job(years: 1900..<2039, zones: zones), Job(years: 2038..<2200, zones: future)]
    }
    var changes = 0
    for (job, dumps) in zip(jobs, try Self.dump(jobs)) {
      for (zone, lines) in zip(job.zones, dumps) {
        check(zone, lines, job.years)
        changes += lines.count / 2
      }
    }
    #expect(changes > 30_000)
    print("zdump: \(jobs.map { "\($0.zones.count) zones \($0.years)" }.joined(separator: ", ")): \(changes) changes")
  }

  /// Checks that exactly these changes exist, in this order, and the local time within a second of each in both
  /// directions.
  private func check(_ zone: AllZones.Distinct, _ lines: [Line], _ years: Range<Int>) {
    let end = Instant(years.upperBound, 1, 1)
    var wrong: [String] = []
    var place = Instant(Instant(years.lowerBound, 1, 1).seconds - 1)
    var index = 0
    while let next = zone.rules.nextTransition(after: place), next.instant < end {
      guard index + 1 < lines.count else {
        wrong.append("\(next.instant) is none of zdump's")
        break
      }
      let (before, after) = (lines[index], lines[index + 1])
      if next.instant != after.instant || next.instant.adding(seconds: -1) != before.instant
        || !before.matches(next.before) || !after.matches(next.after)
      {
        wrong.append("\(next.instant) \(next.before) \(next.after), but zdump has \(before) \(after)")
      }
      for seconds in -1...1 as ClosedRange<Int64> {
        let instant = next.instant.adding(seconds: seconds)
        let line = seconds < 0 ? before : after
        if !line.matches(zone.rules.type(at: instant)) { wrong.append("\(instant) is \(zone.rules.type(at: instant))") }
        if !isFoundAgain(instant, zone.rules) { wrong.append("\(instant) is not found by what its clocks show") }
      }
      place = next.instant
      index += 2
    }
    if index != lines.count { wrong.append("zdump has \(lines.count / 2) changes, not \(index / 2)") }
    #expect(wrong.isEmpty, "\(zone.name) \(years): \(wrong.count) wrong: \(wrong.prefix(3))")
  }

  private func isFoundAgain(_ instant: Instant, _ rules: ZoneRules) -> Bool {
    guard let civil = rules.civil(at: instant) else { return false }
    switch rules.instants(of: civil) {
    case .once(let once): return once == instant
    case .overlap(let first, let second): return first < second && (first == instant || second == instant)
    case .gap: return false
    }
  }

  /// Runs all jobs in parallel; returns the lines of each job's zones. Python only parses the output of `zdump`.
  private static func dump(_ jobs: [Job]) throws -> [[[Line]]] {
    let list = jobs.map { job in
      let years = "\(job.years.lowerBound),\(job.years.upperBound)"
      return "('\(years)', \(AllZones.pythonList(job.zones.map(\.name))))"
    }
    let numbers = try Python.numbers(
      """
      import calendar, concurrent.futures, os, subprocess
      jobs = [\(list.joined(separator: ","))]
      environment = dict(os.environ, TZDIR="\(AllZones.database.folder)", LC_ALL="C")
      months = {name: number for number, name in enumerate(calendar.month_abbr)}
      def run(part):
        job, years, first, names = part
        return subprocess.run(
          ["zdump", "-V", "-c", years] + names, env=environment, check=True, capture_output=True, text=True).stdout
      parts = [(job, years, first, names[first:first + 20])
        for job, (years, names) in enumerate(jobs) for first in range(0, len(names), 20)]
      with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (job, years, first, names), text in zip(parts, pool.map(run, parts)):
          index = {name: first + place for place, name in enumerate(names)}
          for line in text.splitlines():
            name, _, month, day, clock, year, ut, _, _, _, _, _, _, letters, daylight, offset = line.split()
            assert ut == "UT", line
            hour, minute, second = map(int, clock.split(":"))
            out.extend((job, index[name], calendar.timegm((int(year), months[month], int(day), hour, minute, second)),
              int(offset[7:]), int(daylight[6:]), int.from_bytes(letters.encode(), "big")))
      """, within: 600)
    var lines = jobs.map { $0.zones.map { _ in [Line]() } }
    for row in stride(from: 0, to: numbers.count, by: 6) {
      lines[Int(numbers[row])][Int(numbers[row + 1])].append(
        Line(
          instant: Instant(numbers[row + 2]), offset: numbers[row + 3], isDaylight: numbers[row + 4],
          abbreviation: numbers[row + 5]))
    }
    return lines
  }
}
