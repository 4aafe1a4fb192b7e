// SPDX-License-Identifier: Apache-2.0
import Testing

/// Tests that the history checker finds planted mistakes, and no others.
@Suite struct HistoryTests {
  private func verdict(_ events: [History.Event], _ outcomes: [String: History.Outcome] = [:]) -> History.Verdict {
    History(events: events, outcomes: outcomes).verdict()
  }

  private func asked(_ id: String, due: Int64 = 0) -> [History.Event] { [.tried(id), .accepted(id, due: due)] }

  private func post(_ id: String, by poster: String = ":1.1", replaces: UInt32 = 0, at: Int64 = 10) -> History.Event {
    .posted(id, replaces: replaces, poster: poster, at: at)
  }

  @Test func `A request that is accepted, posted and answered once is clean`() {
    let found = verdict(asked("a") + [post("a"), .noted("a", by: ":1.1"), .acted("a")], ["a": .done])
    #expect(found.isClean && found.accepted == 1 && found.posts == 1 && found.acted == 1 && found.excused == 0)
  }

  @Test func `An accepted request that is never posted is lost`() {
    #expect(verdict(asked("a") + asked("b") + [post("b")]).lost == ["a"])
    #expect(verdict(asked("a") + [.killed(":1.1")]).lost == ["a"])
  }

  @Test func `An unacknowledged request is not lost, and may be posted`() {
    #expect(verdict([.tried("a")]).isClean)
    #expect(verdict([.tried("a"), post("a")]).isClean)
    #expect(verdict([post("a")]).unasked == ["a"])
  }

  @Test func `A second post without a kill is a double`() {
    #expect(verdict(asked("a") + [post("a"), post("a")]).doubled == ["a"])
    #expect(verdict(asked("a") + [post("a"), .killed(":1.1"), post("a")]).doubled == ["a"])
    #expect(verdict(asked("a") + [.killed(":1.0"), post("a"), post("a", by: ":1.2")]).doubled == ["a"])
    let noted = verdict(asked("a") + [post("a"), .noted("a", by: ":1.1"), .killed(":1.1"), post("a", by: ":1.2")])
    #expect(noted.doubled == ["a"] && noted.excused == 0)
  }

  @Test func `A kill between the post and its record excuses one double`() {
    let once = asked("a") + [post("a"), .killed(":1.1"), post("a", by: ":1.2")]
    #expect(verdict(once).isClean && verdict(once).excused == 1)
    #expect(verdict(once + [post("a", by: ":1.3")]).doubled == ["a"])
    let twice = verdict(once + [.killed(":1.2"), post("a", by: ":1.3")])
    #expect(twice.isClean && twice.excused == 2)
  }

  @Test func `A post that replaces an earlier one is no double`() {
    let found = verdict(asked("a") + [post("a"), post("a", replaces: 1)])
    #expect(found.isClean && found.excused == 0 && found.posts == 2)
  }

  @Test func `A cancelled request may have been posted before, and not after`() {
    #expect(verdict(asked("a") + [.cancelTried("a"), .cancelled("a")]).isClean)
    #expect(verdict(asked("a") + [.cancelTried("a"), post("a"), .cancelled("a")]).isClean)
    #expect(verdict(asked("a") + [.cancelTried("a"), .killed(":1.1"), post("a")]).isClean)
    #expect(verdict(asked("a") + [.cancelTried("a"), .cancelled("a"), post("a")]).undead == ["a"])
  }

  @Test func `A post before its time is early`() {
    #expect(verdict(asked("a", due: 11) + [post("a", at: 10)]).early == ["a"])
    #expect(verdict(asked("a", due: 10) + [post("a", at: 10)]).isClean)
  }

  @Test func `An action runs once per click, and only after a click`() {
    let posted = asked("a") + [post("a")]
    #expect(verdict(posted + [.acted("a"), .acted("a")], ["a": .done]).actedTwice == ["a"])
    #expect(verdict(posted, ["a": .done]).notActed == ["a"])
    #expect(verdict(posted, ["a": .other("failed: exit 1")]).notActed == ["a"])
    #expect(verdict(posted + [.acted("a")]).actedUnasked == ["a"])
  }

  @Test func `An interrupted action ran at most once`() {
    let posted = asked("a") + [post("a")]
    #expect(verdict(posted, ["a": .interrupted]).isClean)
    #expect(verdict(posted + [.acted("a")], ["a": .interrupted]).isClean)
    #expect(verdict(posted + [.acted("a")], ["a": .interrupted]).interrupted == 1)
    #expect(verdict(posted + [.acted("a"), .acted("a")], ["a": .interrupted]).actedTwice == ["a"])
  }
}
