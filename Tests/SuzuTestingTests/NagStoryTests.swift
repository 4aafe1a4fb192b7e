// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Suzu
import SuzuTesting
import Testing

/// Tests of programs whose notifications are shown again until they are answered, on the virtual clock.
@Suite(.timeLimit(.minutes(1))) struct NagStoryTests {
  private let spy = SpyCenter()

  private func remind(_ nag: Nag = .every(.minutes(10)), at schedule: Schedule = .now) async throws {
    let unlocked = try Condition(.unlocked)
    try await spy.notify("Take the pill", at: schedule, id: "pill") {
      $0.nag = nag
      $0.actions = [
        Action(id: "taken", title: "I took it"),
        Action(
          id: "later", title: "Later",
          effect: .snoozeUntil([.after(.minutes(5)), .at("tomorrow 08:00"), .when(unlocked)])),
      ]
    }
  }

  private var minutes: [Int] {
    spy.delivered.map { Int($0.date.timeIntervalSince(spy.delivered[0].date) / 60) }
  }

  @Test func `It comes again until it is answered, and has one end`() async throws {
    try await remind()
    spy.clock.advance(by: .minutes(25))
    #expect(minutes == [0, 10, 20] && spy.shown.count == 1)
    try spy.user.press("taken", on: "pill")
    spy.clock.advance(by: .hours(24))
    #expect(minutes == [0, 10, 20] && spy.shown.isEmpty)
    #expect(spy.ended.map(\.reason) == [.withdrawn])
    #expect(try spy.rows(of: .history, limit: 10).map(\.shownCount) == [3])
  }

  @Test func `Overlooked it has not ended, also when the machine was off`() async throws {
    try await remind()
    try spy.user.overlook("pill")
    let row = try #require(spy.rows(of: .delivered, limit: 10).first)
    #expect(row.state == .unanswered && row.againDate == spy.clock.now + 600 && row.closed == nil)
    #expect(spy.ended.isEmpty && spy.shown.isEmpty)
    spy.clock.advance(by: .minutes(10))
    #expect(spy.shown.count == 1 && minutes == [0, 10])
    spy.clock.switchOff(for: .hours(2))
    #expect(spy.shown.count == 1 && minutes == [0, 10, 130])
    #expect(spy.acknowledge(["pill"]) == 1)
    spy.clock.advance(by: .hours(24))
    #expect(minutes == [0, 10, 130] && spy.ended.map(\.reason) == [.acknowledged])
  }

  @Test(arguments: [true, false])
  func `A dismissal, and a cancellation while it is off the screen, end it`(isDismissed: Bool) async throws {
    try await remind(.every(.minutes(10), atMost: 3))
    if isDismissed {
      try spy.user.dismiss("pill")
    } else {
      try spy.user.overlook("pill")
      #expect(spy.cancel(["pill"]) == 1)
    }
    spy.clock.advance(by: .hours(24))
    #expect(spy.delivered.count == 1 && spy.ended.map(\.reason) == [isDismissed ? .dismissed : .cancelled])
  }

  @Test func `Steps change it, and the last showing ends like any other`() async throws {
    try await remind(.escalating([Nag.Step(after: .minutes(5), level: .critical), Nag.Step(after: .minutes(9))]))
    spy.clock.advance(by: .hours(1))
    #expect(minutes == [0, 5, 9])
    #expect(spy.delivered.map(\.request.content.level) == [.active, .critical, .critical])
    try spy.user.overlook("pill")
    #expect(spy.ended.map(\.reason) == [.expired])
  }

  @Test func `The next date takes the place of the one before, and each of them comes again`() async throws {
    try await remind(.every(.minutes(25)), at: .every(.minutes(60), count: 2))
    spy.clock.advance(by: .minutes(60 + 85))
    #expect(minutes == [0, 25, 50, 60, 85] && spy.ended.map(\.reason) == [.replaced])
  }

  @Test func `The user chooses until when it is postponed`() async throws {
    for (time, minutes) in [("5m", 5.0), ("tomorrow 08:00", 23 * 60)] {
      try await remind()
      #expect(try spy.user.postpone("pill", until: time, with: "later").outcome == .done)
      let next = try #require(spy.pending("pill")?.next)
      #expect(next.timeIntervalSince(spy.clock.now) / 60 == minutes, "\(time)")
    }
    try await remind()
    #expect(throws: SuzuError.self) { try spy.user.postpone("pill", until: "2h", with: "later") }
    #expect(try spy.user.press("later", on: "pill").response.reply == "5m")
  }
}
