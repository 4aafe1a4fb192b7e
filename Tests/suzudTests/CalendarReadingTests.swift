// SPDX-License-Identifier: Apache-2.0
import Calendars
import EventLoop
import NotificationModel
import TestSupport
import Testing

@testable import suzud

/// Tests the process that reads calendars: files that make it crash or hang do not keep the others from being read.
@Suite struct CalendarReadingTests {
  // The loop is in a process of its own, which must not print another request when the reader has crashed.
  private static let script = """
    tr '\\0' '\\n' | while read -r path || [ -n "$path" ]; do
      case $path in
        *crash*) kill -SEGV $$; exit ;;
        *hang*) exec tail -f /dev/null ;;
        *loud*) yes | head -c 40000000 ;;
      esac
      echo "request app $(basename "$path") 1 1 {}"
      echo end
    done
    """

  private func read(_ names: String...) async throws -> [String: CalendarReport] {
    let folder = try TemporaryFolder()
    let script = try folder.write(Self.script, to: "reader")
    let calendar = try FollowedCalendar(path: "/calendar")
    return try await withLoop { loop in
      await withTaskExecutorPreference(loop) {
        let reading = CalendarReading(loop: loop, program: ["/bin/sh", script], limit: .seconds(2))
        return await reading.read(names, of: calendar)
      }
    }
  }

  @Test func `A file that crashes the reader is named, and the others are read`() async throws {
    let reports = try await read("a", "crash", "b", "c")
    #expect(reports["crash"]?.problem?.hasPrefix("/calendar/crash: the reader ") == true, "\(reports)")
    #expect(
      reports.filter { $0.value.problem == nil }.values.flatMap { $0.entries.map(\.id) }.sorted() == ["a", "b", "c"])
  }

  @Test func `A file that takes too long is named, and the others are read`() async throws {
    let reports = try await read("a", "hang", "b")
    #expect(reports["hang"]?.problem == "/calendar/hang: reading takes too long")
    #expect(reports["a"]?.entries.count == 1 && reports["b"]?.entries.count == 1)
  }

  @Test func `A file with endless output is named, and the others are read`() async throws {
    let reports = try await read("a", "b", "loud")
    #expect(reports["loud"]?.problem == "loud: has too many alarms")
    #expect(reports["a"]?.entries.count == 1 && reports["b"]?.entries.count == 1)
  }

  @Test func `Without a reader each file has the reason`() async throws {
    let calendar = try FollowedCalendar(path: "/calendar")
    let reports = try await withLoop { loop in
      await withTaskExecutorPreference(loop) {
        await CalendarReading(loop: loop, program: ["/no/such/reader"], limit: .seconds(2)).read(["a"], of: calendar)
      }
    }
    #expect(reports["a"]?.problem?.hasPrefix("/calendar/a: the reader cannot be started: ") == true)
  }
}
