// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Triggers
import Zoneinfo

extension SeededNumbers {
  mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }
  mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }

  /// One to `most` different ones, written with commas.
  mutating func list(_ range: ClosedRange<Int>, most: Int) -> String {
    var numbers: Set<Int> = []
    for _ in 0..<number(1...most) { numbers.insert(number(range)) }
    return numbers.subtracting(range.lowerBound < 0 ? [0] : []).sorted().map(String.init).joined(separator: ",")
  }
}

/// What systemd makes of calendar expressions.
struct SystemdAnalyze {
  struct Answer {
    /// Nil where it refuses the expression.
    var normalized: String?
    /// As the wall clock shows them.
    var dates: [String] = []
  }

  /// Asks for several at once; the process costs more than the answer.
  static func calendar(
    _ expressions: [String], after base: CivilDateTime, iterations: Int, zone: String = "UTC"
  ) throws -> [Answer] {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let result = try RunningProgram.run(
      "systemd-analyze",
      ["calendar", "--iterations=\(iterations)", "--base-time=\(base.description.replacing("T", with: " "))"]
        + expressions,
      environment: ["PATH": path, "TZ": zone, "LC_ALL": "C.UTF-8"], within: 60)
    let refused = Set(
      result.errors.split(separator: "\n").compactMap { $0.after("calendar specification '")?.before("': ") })
    var blocks: [Answer] = []
    for line in result.output.split(separator: "\n") {
      if let form = line.after("Normalized form: ") { blocks.append(Answer(normalized: String(form))) }
      // Systemd 252 writes 'Iter. #2', 257 'Iteration #2'.
      guard line.contains("Next elapse: ") || line.contains(/Iter(\.|ation) #/), !blocks.isEmpty,
        let words = line.after(": ")?.split(separator: " "), words.count > 2
      else { continue }
      blocks[blocks.count - 1].dates.append("\(words[1])T\(words[2])")
    }
    guard blocks.count == expressions.count(where: { !refused.contains($0[...]) }) else {
      throw TestFailure(
        "systemd-analyze: \(blocks.count) answers to \(expressions.count) questions\n\(result.errors.prefix(500))")
    }
    var rest = blocks[...]
    return expressions.map { refused.contains($0[...]) ? Answer() : rest.removeFirst() }
  }
}

/// What Python's dateutil makes of recurrence rules.
struct Dateutil {
  private static let program = """
    import datetime, itertools, signal, sys
    from dateutil.rrule import rrulestr
    class Late(Exception): pass
    def late(*_): raise Late()
    signal.pthread_sigmask(signal.SIG_SETMASK, [])  # a test's thread has blocked them all
    signal.signal(signal.SIGPROF, late)
    for line in sys.stdin:
      start, rule, after, number = line.rstrip("\\n").split("|")
      try:
        signal.setitimer(signal.ITIMER_PROF, 0.005)
        dates = rrulestr(rule, dtstart=datetime.datetime.fromisoformat(start))
        after = datetime.datetime.fromisoformat(after)
        found = list(itertools.islice((date for date in dates if date >= after), int(number)))
        signal.setitimer(signal.ITIMER_PROF, 0)
        print(" ".join(date.isoformat() for date in found))
      except Late:
        print("late")
      except Exception as error:
        signal.setitimer(signal.ITIMER_PROF, 0)
        print("refused:", str(error).replace("\\n", " "))
    """

  struct Question {
    var start: CivilDateTime
    var rule: String
    var after: CivilDateTime
    var count: Int
  }

  /// One answer to each: the dates; nil where it was still searching after 5 ms, or refused the rule.
  static func dates(_ questions: [Question]) throws -> [[String]?] {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let input = questions.map { "\($0.start)|\($0.rule)|\($0.after)|\($0.count)\n" }.joined()
    let result = try RunningProgram.run(
      FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/dateutil")
        ? "/usr/bin/python3" : "python3",
      ["-c", program], environment: ["PATH": path], input: input, within: 120)
    guard result.status == 0 else { throw TestFailure("python3: \(result.errors)") }
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    guard lines.count == questions.count else {
      throw TestFailure("\(lines.count) answers to \(questions.count) questions")
    }
    return lines.map { line in
      line == "late" || line.hasPrefix("refused") ? nil : line.split(separator: " ").map(String.init)
    }
  }
}

func wall(_ text: String) -> CivilDateTime {
  guard let wall = CivilDateTime(text) else { preconditionFailure("'\(text)' in a test is no date and time") }
  return wall
}

extension Substring {
  fileprivate func after(_ text: String) -> Substring? { firstRange(of: text).map { self[$0.upperBound...] } }
  fileprivate func before(_ text: String) -> Substring? { firstRange(of: text).map { self[..<$0.lowerBound] } }
}
