// SPDX-License-Identifier: Apache-2.0
import Calendars
import EventLoop
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests what has to be done after a calendar has changed.
@Suite struct KnownAlarmsTests {
  /// A report of requests `ID WHEN WHAT`, with `past` if their dates have passed.
  private func report(_ requests: String...) -> CalendarReport {
    var reading = CalendarReport.Reading()
    for request in requests {
      let parts = request.split(separator: " ")
      _ = reading.take("\(parts.count > 3 ? "past" : "request") app \(parts[0]) \(parts[1]) \(parts[2]) {}")
    }
    return reading.take("end") ?? CalendarReport(problem: "no report")
  }

  /// What is done: `+a` stored, `~a` stored if it is pending, `-a` cancelled, `<a` cancelled because it
  /// has passed.
  private func changes(
    _ known: KnownAlarms, _ read: [String: CalendarReport], gone: Set<String> = []
  ) async throws -> Set<String> {
    try await withLoop { loop in
      await withTaskExecutorPreference(loop) {
        var slices = loop.slices
        let changes = await known.changes(read: read, gone: gone, &slices)
        return Set(changes.past.keys.map { "<" + $0.id.text }).union(
          changes.wanted.map { ($0.mustBePending ? "~" : "+") + $0.entry.id }
        )
        .union(changes.gone.keys.map { "-" + $0.id.text })
      }
    }
  }

  @Test func `New and moved alarms are stored, renamed ones if they are pending, and lost ones are cancelled`()
    async throws
  {
    var known = KnownAlarms()
    let first = report("same 1 1", "moved 1 1", "renamed 1 1", "lost 1 1")
    #expect(try await changes(known, ["a": first]) == ["+same", "+moved", "+renamed", "+lost"])
    known.take("a", first, stamp: "1")
    #expect(try await changes(known, ["a": first]) == [])
    let second = report("same 1 1", "moved 2 1", "renamed 1 2", "new 1 1")
    #expect(try await changes(known, ["a": second]) == ["+moved", "~renamed", "-lost", "+new"])
    #expect(try await changes(known, [:], gone: ["a"]) == ["-same", "-moved", "-renamed", "-lost"])
  }

  @Test func `An alarm that is moved into the past is cancelled`() async throws {
    var known = KnownAlarms()
    known.take("a", report("moved 1 1", "same 1 1 past"), stamp: "1")
    #expect(try await changes(known, ["a": report("moved 2 1 past", "same 1 2 past", "new 1 1 past")]) == ["<moved"])
  }

  @Test func `An alarm that another file has as well is left to that file`() async throws {
    var known = KnownAlarms()
    known.take("a", report("x 1 1"), stamp: "1")
    known.take("b", report("x 1 1", "y 1 1"), stamp: "1")
    #expect(try await changes(known, [:], gone: ["a"]) == [])
    #expect(try await changes(known, ["b": report("x 2 2")]) == ["-y"])
    // A file that gets another name.
    #expect(try await changes(known, ["c": report("x 1 1", "y 1 1")], gone: ["a", "b"]) == [])
  }

  @Test func `An alarm that was not pending when it was lost does not come back`() async throws {
    var known = KnownAlarms()
    known.absent[KnownAlarms.Key(app: "app", id: "x")] = CalendarMark(when: 1, what: 1)
    #expect(try await changes(known, ["a": report("x 1 1")]) == [])
    #expect(try await changes(known, ["a": report("x 2 1")]) == ["+x"])
    known.take("a", report("x 1 1"), stamp: "1")
    #expect(known.absent.isEmpty)
  }

  @Test func `A file is read back from its text`() async throws {
    var known = KnownAlarms()
    known.take("a", report("x%20y ff ffffffffffffffff", "z 0 1"), stamp: "1.2")
    let file = try #require(known.files["a"])
    let text = try await withLoop { loop in
      await withTaskExecutorPreference(loop) {
        var slices = loop.slices
        return await KnownAlarms.text(file, &slices)
      }
    }
    let lines = text.split(separator: "\n")
    #expect(lines.first == "1.2" && lines.count == 3)
    #expect(Dictionary(uniqueKeysWithValues: lines.dropFirst().compactMap(KnownAlarms.alarm)) == file.alarms)
    #expect(KnownAlarms.alarm("a b 1") == nil && KnownAlarms.alarm("a b x 1") == nil)
  }
}
