// SPDX-License-Identifier: Apache-2.0
import Glibc
import Triggers
import Zoneinfo

/// The Swift counterpart of `Benchmarks/rules.c`: reads lines `START RULE` from standard input, such as
/// `2026-01-05T09:00:00 FREQ=WEEKLY;BYDAY=MO,TH`, and then parses each rule and finds its first DATES dates.
///
///     rule-bench DATES             prints `rule_us 12.3`, the microseconds for each rule
///     rule-bench DATES dates       prints the dates of each rule in a line instead
@main struct RuleBench {
  static func main() {
    let words = CommandLine.arguments
    guard words.count >= 2, let most = Int(words[1]), most > 0, words.count == 2 || words[2] == "dates" else {
      fail("usage", "rule-bench DATES [dates]")
    }
    var lines: [(start: CivilDateTime, rule: String)] = []
    while let line = readLine() {
      let parts = line.split(separator: " ")
      guard parts.count == 2, let start = CivilDateTime(String(parts[0])) else { fail("not a start and a rule", line) }
      lines.append((start, String(parts[1])))
    }
    if words.count == 3 {
      for (start, rule) in lines {
        print(dates(of: rule, from: start, most).map(\.description).joined(separator: " "))
      }
      return
    }
    guard !lines.isEmpty else { fail("no rules", "standard input is empty") }
    var found = 0
    let began = ContinuousClock.now
    for (start, rule) in lines { found += dates(of: rule, from: start, most).count }
    let took = ContinuousClock.now - began
    guard found > 0 else { fail("no dates", "of \(lines.count) rules") }
    print("rule_us \(Double(Int(took / .microseconds(1) / Double(lines.count) * 10)) / 10)")
  }

  private static func dates(of text: String, from start: CivilDateTime, _ most: Int) -> [CivilDateTime] {
    var (found, next, search) = ([CivilDateTime](), Optional(start), DateSearch())
    do {
      let recurrence = try Recurrence(RecurrenceRule.parse(text), from: start)
      while found.count < most, let from = next, let date = try recurrence.first(from: from, &search) {
        found.append(date)
        next = date.adding(seconds: 1)
        search.renew()
      }
      return found
    } catch { fail(text, "\(error)") }
  }
}

func fail(_ what: String, _ why: String) -> Never {
  let line = "rule-bench: \(what): \(why)\n"
  _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
  exit(EXIT_FAILURE)
}
