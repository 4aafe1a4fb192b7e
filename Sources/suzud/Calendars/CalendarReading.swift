// SPDX-License-Identifier: Apache-2.0
internal import Calendars
internal import EventLoop
internal import NotificationModel

/// Reads the files of calendars, in a process of its own: `suzud --read-calendars`.
struct CalendarReading {
  let loop: EventLoop
  /// The program that reads, and its first arguments.
  let program: [String]
  /// How long it may read some files.
  let limit: Duration

  /// This program, also after an update has replaced its file.
  static let ourselves = ["/proc/self/exe", "--read-calendars"]
  static let usualLimit: Duration = .seconds(60)
  /// How many files one process reads.
  private static let mostFiles = 500
  /// The longest output of one process, in bytes.
  private static let longestOutput = 24 << 20

  /// The reports about files, by name.
  func read(_ names: [String], of calendar: FollowedCalendar) async -> [String: CalendarReport] {
    var reports: [String: CalendarReport] = [:]
    var (rest, size) = (names[...], Self.mostFiles)
    while !rest.isEmpty {
      let part = rest.prefix(size)
      guard let (answers, ending) = await ask(part.map { CalendarFiles.path(of: $0, in: calendar.path) }, calendar)
      else {
        // The reader refuses a file that says too much, so the files are too many.
        size = max(part.count / 2, 1)
        if part.count == 1, let name = rest.popFirst() {
          reports[name] = CalendarReport(problem: "\(name): has too many alarms")
        }
        continue
      }
      for (name, report) in zip(part, answers) { reports[name] = report }
      rest = rest.dropFirst(answers.count)
      guard answers.count < part.count, let culprit = rest.popFirst() else { continue }
      // The file that it was reading is at fault; the others are read by the next process.
      let path = CalendarFiles.path(of: culprit, in: calendar.path)
      reports[culprit] = CalendarReport(problem: "\(path): \(ending)")
    }
    return reports
  }

  private func ask(
    _ paths: [String], _ calendar: FollowedCalendar
  ) async -> (reports: [CalendarReport], ending: String)? {
    var words = program + ["--app", calendar.app]
    if calendar.skips { words.append("--skip") }
    if calendar.trusts { words.append("--trust") }
    // No path contains a null character.
    var command = ChildProcess.Command(words, input: paths.joined(separator: "\0"))
    command.limit = limit
    command.grace = .seconds(1)
    let answer = await ChildProcess.ask(command, longest: Self.longestOutput, on: loop)
    guard let output = answer.output else { return nil }
    var reading = CalendarReport.Reading()
    var reports: [CalendarReport] = []
    var (rest, slices) = (output[...], loop.slices)
    while let end = rest.utf8.firstIndex(of: UInt8(ascii: "\n")) {
      if let report = reading.take(rest[..<end]) { reports.append(report) }
      rest = rest[rest.utf8.index(after: end)...]
      await slices.pause()
    }
    return (Array(reports.prefix(paths.count)), Self.text(answer.ending))
  }

  private static func text(_ ending: ChildProcess.Ending) -> String {
    switch ending {
    case .exited(let status, _): "the reader ended with status \(status)"
    case .signalled(let signal): "the reader was ended by signal \(signal)"
    case .timedOut: "reading takes too long"
    case .running: "the end of the reader cannot be observed"
    case .notStarted(let reason): "the reader cannot be started: \(reason)"
    }
  }
}
