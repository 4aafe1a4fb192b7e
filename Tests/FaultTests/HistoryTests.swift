// SPDX-License-Identifier: Apache-2.0
import Testing

/// The checker finds what is planted, and nothing else.
@Suite struct HistoryTests {
  private func verdict(_ events: [History.Event], _ outcomes: [String: History.Outcome] = [:]) -> History.Verdict {
    History(events: events, outcomes: outcomes).verdict()
  }

  private func asked(_ id: String, due: Int64 = 0) -> [History.Event] { [.tried(id), .accepted(id, due: due)] }

  private func post(_ id: String, by poster: String = ":1.1", replaces: UInt32 = 0, at: Int64 = 10) -> History.Event {
    .posted(id, replaces: replaces, poster: poster, at: at)
  }

  @Test func `what was asked for, posted and answered once is clean`() {
    let found = verdict(asked("a") + [post("a"), .noted("a", by: ":1.1"), .acted("a")], ["a": .done])
    #expect(found.isClean && found.accepted == 1 && found.posts == 1 && found.acted == 1 && found.excused == 0)
  }

  @Test func `what was accepted and never posted is lost`() {
    #expect(verdict(asked("a") + asked("b") + [post("b")]).lost == ["a"])
    #expect(verdict(asked("a") + [.killed(":1.1")]).lost == ["a"])
  }

  @Test func `what nobody was promised is not lost, and may be posted all the same`() {
    #expect(verdict([.tried("a")]).isClean)
    #expect(verdict([.tried("a"), post("a")]).isClean)
    #expect(verdict([post("a")]).unasked == ["a"])
  }

  @Test func `a second post is a double, whoever makes it, where no kill excuses it`() {
    #expect(verdict(asked("a") + [post("a"), post("a")]).doubled == ["a"])
    #expect(verdict(asked("a") + [post("a"), .killed(":1.1"), post("a")]).doubled == ["a"])
    #expect(verdict(asked("a") + [.killed(":1.0"), post("a"), post("a", by: ":1.2")]).doubled == ["a"])
    let noted = verdict(asked("a") + [post("a"), .noted("a", by: ":1.1"), .killed(":1.1"), post("a", by: ":1.2")])
    #expect(noted.doubled == ["a"] && noted.excused == 0)
  }

  @Test func `a kill between the post and its note excuses one double`() {
    let once = asked("a") + [post("a"), .killed(":1.1"), post("a", by: ":1.2")]
    #expect(verdict(once).isClean && verdict(once).excused == 1)
    #expect(verdict(once + [post("a", by: ":1.3")]).doubled == ["a"])
    let twice = verdict(once + [.killed(":1.2"), post("a", by: ":1.3")])
    #expect(twice.isClean && twice.excused == 2)
  }

  @Test func `a post in the place of an earlier one is no double`() {
    let found = verdict(asked("a") + [post("a"), post("a", replaces: 1)])
    #expect(found.isClean && found.excused == 0 && found.posts == 2)
  }

  @Test func `what was taken back may have been posted before, and not after`() {
    #expect(verdict(asked("a") + [.cancelTried("a"), .cancelled("a")]).isClean)
    #expect(verdict(asked("a") + [.cancelTried("a"), post("a"), .cancelled("a")]).isClean)
    #expect(verdict(asked("a") + [.cancelTried("a"), .killed(":1.1"), post("a")]).isClean)
    #expect(verdict(asked("a") + [.cancelTried("a"), .cancelled("a"), post("a")]).undead == ["a"])
  }

  @Test func `what is posted before its time is early`() {
    #expect(verdict(asked("a", due: 11) + [post("a", at: 10)]).early == ["a"])
    #expect(verdict(asked("a", due: 10) + [post("a", at: 10)]).isClean)
  }

  @Test func `a click is done once, and only where there was one`() {
    let posted = asked("a") + [post("a")]
    #expect(verdict(posted + [.acted("a"), .acted("a")], ["a": .done]).actedTwice == ["a"])
    #expect(verdict(posted, ["a": .done]).notActed == ["a"])
    #expect(verdict(posted, ["a": .other("failed: exit 1")]).notActed == ["a"])
    #expect(verdict(posted + [.acted("a")]).actedUnasked == ["a"])
  }

  @Test func `a click that was cut short may have been done or not, and not twice`() {
    let posted = asked("a") + [post("a")]
    #expect(verdict(posted, ["a": .interrupted]).isClean)
    #expect(verdict(posted + [.acted("a")], ["a": .interrupted]).isClean)
    #expect(verdict(posted + [.acted("a")], ["a": .interrupted]).interrupted == 1)
    #expect(verdict(posted + [.acted("a"), .acted("a")], ["a": .interrupted]).actedTwice == ["a"])
  }
}
