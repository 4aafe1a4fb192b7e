// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Triggers
import Zoneinfo

/// Recurrence rules against Python's dateutil. Known differences, none of which is generated here:
///
/// | rule | dateutil | here |
/// |---|---|---|
/// | `BYWEEKNO` without `BYDAY` | all seven days | the start's weekday: RFC 5545 takes from the start what is not said |
/// | `WEEKLY` with `BYSETPOS`, the start within a week | counts that week from the start | counts whole weeks, as it does whole months |
/// | `UNTIL` with a date only | that midnight | that day |
/// | `BYDAY=2MO,MO` | the second Monday: both must hold | every Monday: each of a list adds its days |
/// | `BYSECOND=60` | refused | 59 (RFC 5545, 3.3.12) |
@Suite struct DateutilTests {
  static func rule(_ random: inout SeededNumbers) -> String {
    let frequencies = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"]
    let frequency = frequencies[random.number(0...6)]
    let isShort = ["HOURLY", "MINUTELY", "SECONDLY"].contains(frequency)
    var parts = ["FREQ=\(frequency)"]
    if random.chance(50) {
      parts.append("INTERVAL=\(random.chance(80) ? random.number(1...12) : random.number(1...100))")
    }
    if random.chance(30) { parts.append("WKST=\(["MO", "SU", "TH"][random.number(0...2)])") }
    if random.chance(25) { parts.append("BYMONTH=\(random.list(1...12, most: 4))") }
    let weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
    func days(_ random: inout SeededNumbers, ordinals: ClosedRange<Int>?) -> String {
      let isOrdinal = random.chance(60)
      return Set(
        (0..<random.number(1...3)).map { _ in
          let ordinal = ordinals.map { random.number($0) } ?? 0
          return
            "\(isOrdinal && ordinals != nil ? String(ordinal == 0 ? 1 : ordinal) : "")\(weekdays[random.number(0...6)])"
        }
      ).sorted().joined(separator: ",")
    }
    switch frequency {
    case "YEARLY":
      switch random.number(1...5) {
      case 1:
        parts.append(
          "BYWEEKNO=\(random.chance(50) ? random.list(1...53, most: 3) : random.list(-53 ... -1, most: 3));BYDAY=\(days(&random, ordinals: nil))"
        )
      case 2:
        parts.append(
          "BYYEARDAY=\(random.chance(50) ? random.list(1...366, most: 5) : random.list(-366 ... -1, most: 5))")
      case 3:
        parts.append(
          "BYMONTHDAY=\(random.chance(70) ? random.list(1...31, most: 4) : random.list(-31 ... -1, most: 4))")
      case 4: parts.append("BYDAY=\(days(&random, ordinals: -5...5))")
      default: break
      }
    case "MONTHLY":
      if random.chance(40) {
        parts.append(
          "BYMONTHDAY=\(random.chance(70) ? random.list(1...31, most: 4) : random.list(-31 ... -1, most: 4))")
      }
      if random.chance(50) { parts.append("BYDAY=\(days(&random, ordinals: -5...5))") }
    case "WEEKLY", "DAILY":
      if random.chance(60) { parts.append("BYDAY=\(days(&random, ordinals: nil))") }
      if frequency == "DAILY", random.chance(25) { parts.append("BYMONTHDAY=\(random.list(1...31, most: 8))") }
    default:
      if random.chance(25) { parts.append("BYDAY=\(days(&random, ordinals: nil))") }
      if random.chance(10) { parts.append("BYMONTHDAY=\(random.list(1...31, most: 8))") }
      if random.chance(5) { parts.append("BYYEARDAY=\(random.list(1...366, most: 20))") }
    }
    if random.chance(isShort ? 35 : 25) { parts.append("BYHOUR=\(random.list(0...23, most: 4))") }
    if random.chance(isShort ? 35 : 25) { parts.append("BYMINUTE=\(random.list(0...59, most: 4))") }
    if random.chance(isShort ? 35 : 15) { parts.append("BYSECOND=\(random.list(0...59, most: 3))") }
    if random.chance(25), parts.contains(where: { $0.hasPrefix("BY") }) {
      parts.append("BYSETPOS=\(random.chance(60) ? random.list(1...4, most: 2) : random.list(-3 ... -1, most: 2))")
    }
    if random.chance(20) { parts.append("COUNT=\(random.number(1...40))") }
    return parts.joined(separator: ";")
  }

  @Test func `Thousands of random rules have the dates of dateutil`() throws {
    var random = SeededNumbers(seed: 5545)
    var questions: [Dateutil.Question] = []
    for _ in 0..<2000 {
      let rule = Self.rule(&random)
      var start = try #require(
        CivilDateTime(clock: random.number(CivilDateTime.seconds(1995)...CivilDateTime.seconds(2035))))
      if rule.contains("WEEKLY"), rule.contains("BYSETPOS"), let parsed = try? RecurrenceRule.parse(rule) {
        let days = parsed.weekStart.days(until: start.date.weekday)
        start = CivilDateTime(start.date.adding(days: -days) ?? start.date, start.time)
      }
      let isFar =
        random.chance(30) && !rule.contains("SECONDLY") && !rule.contains("MINUTELY") && !rule.contains("HOURLY")
      let after = isFar ? start.adding(seconds: random.number(0...300_000_000)) ?? start : start
      questions.append(Dateutil.Question(start: start, rule: rule, after: after, count: 6))
    }
    let answers = try Dateutil.dates(questions)
    var (compared, dates, unknown, impossible) = (0, 0, 0, 0)
    var wrong: [String] = []
    for (question, answer) in zip(questions, answers) {
      guard let answer else {
        unknown += 1
        continue
      }
      let rule = try RecurrenceRule.parse(question.rule)
      #expect(try RecurrenceRule.parse(rule.description) == rule)
      guard let recurrence = try? Recurrence(rule, from: question.start) else {
        impossible += 1
        if !answer.isEmpty { wrong.append("\(question.rule) from \(question.start): impossible, dateutil \(answer)") }
        continue
      }
      let found = Array(recurrence.dates(from: question.after).prefix(6))
      compared += 1
      dates += found.count
      if found.map(\.description) != answer {
        wrong.append("\(question.rule) from \(question.start) after \(question.after):\n  \(found)\n  \(answer)")
        continue
      }
      // Counting, which never steps, must agree with stepping.
      for (index, date) in found.enumerated() {
        if recurrence.count(from: question.after, before: date) != index
          || recurrence.number(of: date).flatMap(recurrence.date) != date
        {
          wrong.append("\(question.rule) from \(question.start): \(date) is not counted right")
        }
      }
    }
    print(
      "rules: \(compared) rules, \(dates) dates as dateutil's, \(impossible) that never come, \(unknown) beyond dateutil"
    )
    #expect(compared > 1500)
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(8).joined(separator: "\n"))")
  }
}
