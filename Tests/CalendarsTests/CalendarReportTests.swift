// SPDX-License-Identifier: Apache-2.0
import Calendars
import TestSupport
import Testing

/// Tests what a calendar file says: the text of a report, and the marks that tell what has changed.
@Suite(.enabled(if: (try? ICalLibrary()) != nil, "libical is not installed")) struct CalendarReportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func report(
    _ lines: String..., name: String = "a.ics", skips: Bool = false, trusts: Bool = false
  ) throws -> CalendarReport {
    let text = """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:tea % time
      \(lines.joined(separator: "\n"))
      BEGIN:VALARM
      ACTION:DISPLAY
      TRIGGER:-PT15M
      END:VALARM
      END:VEVENT
      END:VCALENDAR
      """
    let path = try folder.write(text, to: name)
    return CalendarReporter(app: "org.example.Tea", skips: skips, trusts: trusts, now: 1_800_000_000).report(on: path)
  }

  private func mark(_ lines: String...) throws -> CalendarMark {
    try #require(try report(lines.joined(separator: "\n")).entries.first).mark
  }

  @Test func `A report is read back from its lines`() throws {
    let reports = [
      try report("DTSTART:20990702T090000", "SUMMARY:Tea\\nwith milk"), try report("DTSTART:20200702T090000"),
      try report("DTSTART:soon"), try report("DTSTART;TZID=Nowhere:20990702T090000", skips: true),
    ]
    #expect(reports[0].entries.map(\.id) == ["tea % time"] && reports[0].entries.map(\.app) == ["org.example.Tea"])
    #expect(reports.map { $0.entries.map(\.isPast) } == [[false], [true], [], []])
    #expect(reports[2].problem?.hasPrefix("\(folder.path("a.ics")), line 4, column 9: invalid date") == true)
    #expect(reports[3].warnings.count == 1 && reports[3].problem == nil)
    var reading = CalendarReport.Reading()
    let lines = reports.map(\.text).joined().split(separator: "\n")
    #expect(lines.compactMap { reading.take($0) } == reports)
  }

  @Test func `A mark tells whether the times or the texts of a request have changed`() throws {
    let mark = try mark("DTSTART:20990702T090000", "SUMMARY:Tea")
    #expect(try self.mark("SUMMARY:Tea", "DTSTART:20990702T090000", "DTSTAMP:20260101T000000Z") == mark)
    let renamed = try self.mark("DTSTART:20990702T090000", "SUMMARY:Coffee")
    #expect(renamed.when == mark.when && renamed.what != mark.what)
    let moved = try self.mark("DTSTART:20990702T100000", "SUMMARY:Tea")
    #expect(moved.when != mark.when)
    #expect(try self.mark("DTSTART:20990702T090000", "SUMMARY:Tea", "RRULE:FREQ=DAILY").when != mark.when)
  }

  @Test func `A file that Suzu wrote names another app only if it is trusted`() throws {
    let kept =
      "X-SUZU-REQUEST;X-SUZU-START=20990702T090000:%7B%22app%22%3A%22other%22%2C%22id%22%3A%22x%22%2C"
      + "%22title%22%3A%22X%22%2C%22at%22%3A%222099-07-02%2009%3A00%3A00%22%7D"
    #expect(try report("DTSTART:20990702T090000", kept).entries.map(\.app) == ["org.example.Tea"])
    #expect(try report("DTSTART:20990702T090000", kept, trusts: true).entries.map(\.app) == ["other"])
  }

  @Test func `What is not a calendar is a problem`() throws {
    let reporter = CalendarReporter(app: "a", skips: true, trusts: true, now: 0)
    let empty = try folder.write("", to: "empty.ics")
    #expect(reporter.report(on: empty).problem == "\(empty): the file is empty")
    #expect(reporter.report(on: folder.path("none")).problem?.hasSuffix("No such file or directory") == true)
    #expect(reporter.report(on: folder.path("")).problem?.hasSuffix(": not a regular file") == true)
    var reading = CalendarReport.Reading()
    #expect(reading.take("request a b") == nil && reading.take("nonsense") == nil)
    #expect(reading.take("end")?.entries == [])
  }
}
