// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Scheduling
import SystemFiles
import TestSupport
import Testing

@testable import suzud

/// Tests which requests of a burst are shown and which are counted.
@Suite struct BurstTests {
  /// The digests for requests at the given times, in seconds; "-" for a request that is shown by itself.
  private func verdicts(_ dates: [Double], limit: Int = 3) -> [String] {
    var burst = Burst(limit: limit)
    return dates.map { date in
      switch burst.take(due("a"), at: .seconds(date)) {
      case .show: "-"
      case .fold(let digest): digest.content.title
      }
    }
  }

  private func due(_ app: String) -> Due {
    Due(
      NotificationRequest(trusted: .init(title: "t"), app: AppID(trusted: app), id: nil, schedule: .now),
      date: Timestamp(milliseconds: 0))
  }

  @Test func `Each request is shown up to the limit, and the rest is counted`() {
    #expect(verdicts([0, 0, 0]) == ["-", "-", "-"])
    #expect(verdicts([0, 0, 0, 0, 1]) == ["-", "-", "-", "… and 1 more", "… and 2 more"])
    #expect(verdicts(Array(repeating: 0, count: 50), limit: 0) == Array(repeating: "-", count: 50))
  }

  // On a slow machine ten thousand once took longer than the span, and the count restarted in the middle.
  @Test func `A burst that lasts longer than the span is one burst`() {
    let shown = verdicts((0..<100).map { Double($0) / 4 })
    #expect(shown.prefix(3) == ["-", "-", "-"])
    #expect(shown.last == "… and 97 more")
  }

  // 500 repetitions a second looked through every folder of PATH for each of them.
  @Test func `A terminal for the history is looked for once in a burst`() {
    var lookups = 0
    var burst = Burst(limit: 3) {
      lookups += 1
      return Action(id: "default", title: "History")
    }
    for date in [0, 0, 0, 0, 1, 2] {
      guard case .fold(let digest) = burst.take(due("a"), at: .seconds(date)) else { continue }
      #expect(digest.content.actions.map(\.title) == ["History"])
    }
    #expect(lookups == 1)
    // The next burst looks again: a terminal may have been installed.
    for _ in 0..<5 { _ = burst.take(due("a"), at: .seconds(100)) }
    #expect(lookups == 2)
  }

  @Test func `After a pause, requests at a slow pace are shown one by one again`() {
    #expect(verdicts([0, 0, 0, 0, 10, 10, 10, 10]) == ["-", "-", "-", "… and 1 more", "-", "-", "-", "… and 1 more"])
    #expect(verdicts((0..<40).map { Double($0) * 4 }) == Array(repeating: "-", count: 40))
    // The request at 12 s is the third within ten seconds.
    #expect(verdicts([0, 0, 0, 5, 6, 12]) == ["-", "-", "-", "… and 1 more", "… and 2 more", "-"])
  }

  @Test func `Apps without recent requests are forgotten`() {
    var burst = Burst(limit: 3)
    for second in 0..<100 {
      for app in 0..<100 { _ = burst.take(due("\(second) \(app)"), at: .seconds(second)) }
    }
    // Apps of the span, and of the time until old ones are removed.
    #expect(burst.count <= 2 * 100 * 10)
  }

  @Test func `Without a program that opens a terminal, a digest has no button for the history`() throws {
    let folder = try TemporaryFolder()
    let programs = ProgramSearch(path: folder.path(""))
    #expect(HistoryWindow.action(programs: programs) == nil)
    try folder.write("", to: "xdg-terminal-exec", executable: true)
    #expect(HistoryWindow.action(programs: programs)?.title == "History")
  }

  // The name of an app was read as a template: the history of 'a{id}' was that of another app.
  @Test func `The history is that of the app, also if its name has braces`() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "xdg-terminal-exec", executable: true)
    let action = try #require(HistoryWindow.action(programs: ProgramSearch(path: folder.path(""))))
    guard case .run(let words) = action.effect, let last = words.last else {
      throw TestFailure("the history has no command")
    }
    let app = "a{id}{{app}}{userInfo.x}"
    let request = NotificationRequest(
      trusted: NotificationRequest.Content(title: "T"), app: AppID(trusted: app), id: Burst.digestID, schedule: .now)
    let response = Response(number: 1, app: app, id: Burst.digestID.text, action: Action.defaultID)
    #expect(try Template(last).filled(for: response, of: request) == app)
    #expect(words.dropLast().allSatisfy { !((try? Template($0))?.hasPlaces ?? true) })
  }

  @Test func `Each app has its own burst, however many apps there are`() {
    var burst = Burst(limit: 1)
    for round in 0..<2 {
      for app in 0..<200 {
        guard case .show = burst.take(due("app\(app)"), at: .seconds(round * 20)) else {
          Issue.record("app\(app) is not alone")
          continue
        }
      }
    }
    guard case .fold = burst.take(due("app0"), at: .seconds(20)) else {
      Issue.record("two at once are shown")
      return
    }
  }
}
