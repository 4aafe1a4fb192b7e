// SPDX-License-Identifier: Apache-2.0
import DBus
import Freedesktop
import NotificationModel
import Scheduling
import Testing

@testable import suzud

private let server: BusName = ":1.7"
private func number(_ number: UInt32) -> PostedNumber { PostedNumber(server: server, number: number) }
private func key(_ id: String) -> RequestKey { RequestKey(app: "test", id: id) }
private func due(_ id: String, delivery: Int64? = nil) -> Due {
  Due(NotificationRequest(app: "test", id: id, title: id), delivery: delivery, date: 0)
}

extension Ledger {
  /// Adds a request and shows it immediately.
  fileprivate mutating func post(_ id: String, as posted: UInt32, at now: Duration = .zero) {
    _ = add(due(id), as: key(id), stage: .posting)
    _ = show(
      key(id), as: number(posted), offer: Offer(keys: ["default": .action("default"), "yes": .action("yes")]), at: now)
  }
}

/// Tests the record of the notifications on the screen and in the history of a server.
struct LedgerTests {
  // MARK: Requests

  @Test func `A shown request is no longer pending`() {
    var ledger = Ledger()
    _ = ledger.add(due("a"), as: key("a"), stage: .queued)
    _ = ledger.add(due("b"), as: key("b"), stage: .queued)
    #expect(ledger.pendingCount == 2)
    _ = ledger.show(key("a"), as: number(1), offer: Offer(), at: .zero)
    #expect(ledger.pendingCount == 1)
    #expect(ledger.shown(number(1)) == key("a"))
  }

  @Test func `A later request with the same id replaces the shown one, any number of times`() {
    var ledger = Ledger()
    ledger.post("a", as: 1)
    for _ in 0..<3 {
      let entry = ledger.add(due("a"), as: key("a"), stage: .queued)
      #expect(entry.replaces == number(1))
    }
    #expect(ledger.entries.count == 1)
    let leftover = ledger.show(key("a"), as: number(1), offer: Offer(), at: .zero)
    #expect(leftover == nil && ledger.takeEnded().allSatisfy { $0.end == .replaced })
    #expect(ledger[key("a")]?.replaces == nil)
  }

  // The popup of the earlier one stayed on the screens of such servers, unknown to the center.
  @Test func `A server that gives a new number on replacement leaves the old popup to close`() {
    var ledger = Ledger()
    ledger.post("a", as: 1)
    _ = ledger.add(due("a"), as: key("a"), stage: .posting)
    let leftover = ledger.show(key("a"), as: number(2), offer: Offer(), at: .zero)
    #expect(leftover == number(1))
    #expect(ledger.shown(number(1)) == nil)
    #expect(ledger.shown(number(2)) == key("a"))
  }

  @Test func `A server that gives one number to two requests has replaced the first popup`() {
    var ledger = Ledger()
    ledger.post("a", as: 1)
    _ = ledger.add(due("b"), as: key("b"), stage: .posting)
    _ = ledger.takeEnded()
    _ = ledger.show(
      key("b"), as: number(1), offer: Offer(keys: ["default": .action("default")]), at: .zero)
    #expect(ledger.takeEnded().map(\.key) == [key("a")])
    #expect(ledger[key("a")] == nil)
    #expect(ledger.use(number(1), key: "default")?.posting.key == key("b"))
  }

  @Test func `Withdrawing a waiting request restores the one it would have replaced`() {
    var ledger = Ledger()
    ledger.post("a", as: 1)
    _ = ledger.add(due("a"), as: key("a"), stage: .queued)
    #expect(ledger.shown(number(1)) == key("a"))
    ledger.withdraw(key("a"))
    #expect(ledger[key("a")]?.isPending == false)
    #expect(ledger[key("a")]?.onScreen == number(1))
    ledger.withdraw(key("a"))  // a shown notification cannot be withdrawn
    #expect(ledger.shown(number(1)) == key("a"))
  }

  @Test func `The close of a request about to be replaced does not close its id`() {
    var ledger = Ledger()
    ledger.post("a", as: 1)
    _ = ledger.add(due("a"), as: key("a"), stage: .posting)
    #expect(ledger.isBeingReplaced(number(1)))
    #expect(ledger.shown(number(1)) == nil)
    ledger.setStage(.queued, of: key("a"))
    #expect(!ledger.isBeingReplaced(number(1)))
    #expect(ledger.shown(number(1)) == key("a"))
    ledger.leaveScreen(number(1), at: .zero)
    #expect(ledger[key("a")]?.isPending == true)
    #expect(ledger[key("a")]?.replaces == nil)
  }

  @Test func `A click belongs to the overtaken request until the newer one comes`() {
    var ledger = Ledger()
    ledger.post("a", as: 1)
    _ = ledger.add(due("a"), as: key("a"), stage: .posting)
    _ = ledger.add(due("a"), as: key("a"), stage: .queued)
    let leftover = ledger.showForNow(
      due("a"), key("a"), as: number(5), offer: Offer(keys: ["default": .action("default")]), at: .zero)
    #expect(leftover == number(1))
    #expect(ledger[key("a")]?.onScreen == number(5))
    #expect(ledger.use(number(5), key: "default") != nil)
  }

  // MARK: Clicks

  @Test func `A click counts once, and only with a key that was offered`() {
    var ledger = Ledger()
    ledger.post("a", as: 1)
    #expect(ledger.use(number(1), key: "no") == nil)
    #expect(ledger.use(number(2), key: "yes") == nil)
    #expect(ledger.use(PostedNumber(server: ":1.8", number: 1), key: "yes") == nil)
    #expect(ledger.use(number(1), key: "yes")?.choice == .action("yes"))
    #expect(ledger.use(number(1), key: "yes") == nil)
    #expect(ledger.use(number(1), key: "default") == nil)
    #expect(ledger.useUp(number(1)) == nil)
  }

  @Test func `A reused number belongs to the new notification, with its own click`() {
    var ledger = Ledger()
    ledger.post("a", as: 1)
    _ = ledger.use(number(1), key: "yes")
    ledger.leaveScreen(number(1), at: .seconds(1))
    ledger.post("b", as: 1, at: .seconds(2))
    #expect(ledger.use(number(1), key: "yes")?.posting.key == key("b"))
    // The date of the first one's close must not take the second one along.
    for id in 2...3 { ledger.post("c\(id)", as: UInt32(id)) }
    ledger.leaveScreen(number(2), at: .seconds(1) + Ledger.historyLimit + .seconds(1))
    #expect(ledger.postings[number(1)] != nil)
  }

  @Test func `The token that came before a click goes with it`() {
    var ledger = Ledger()
    ledger.post("a", as: 1)
    ledger.keepToken("abc", for: number(1))
    ledger.keepToken("nobody's", for: number(9))
    #expect(ledger.use(number(1), key: "default")?.posting.token == "abc")
    #expect(ledger.postings.count == 1)
  }

  // MARK: History

  @Test func `A click from the history counts for a day`() {
    var ledger = Ledger()
    ledger.post("old", as: 1)
    ledger.post("young", as: 2)
    ledger.leaveScreen(number(1), at: .seconds(10))
    ledger.leaveScreen(number(2), at: .seconds(3600))
    #expect(ledger.entries.isEmpty)
    ledger.post("last", as: 3)
    ledger.leaveScreen(number(3), at: Ledger.historyLimit + .seconds(11))
    #expect(ledger.use(number(1), key: "yes") == nil)
    #expect(ledger.use(number(2), key: "yes")?.posting.key == key("young"))
  }

  @Test func `A second close does not count, and does not prolong the time for a late click`() {
    var ledger = Ledger()
    ledger.post("a", as: 1)
    ledger.leaveScreen(number(1), at: .zero)
    ledger.leaveScreen(number(1), at: Ledger.historyLimit)
    ledger.post("b", as: 2)
    ledger.leaveScreen(number(2), at: Ledger.historyLimit + .seconds(1))
    #expect(ledger.postings[number(1)] == nil)
  }

  @Test func `The history has a limit, drops the oldest, and each step costs the same`() {
    var ledger = Ledger()
    let count = UInt32(3 * Ledger.longestHistory)
    for posted in 1...count {
      ledger.post("n", as: posted)
      ledger.leaveScreen(number(posted), at: .milliseconds(Int(posted)))
    }
    #expect(ledger.postings.count == Ledger.longestHistory)
    #expect(ledger.postings[number(count - UInt32(Ledger.longestHistory))] == nil)
    #expect(ledger.postings[number(count)] != nil)
  }

  // MARK: The server's end

  @Test func `The numbers of a server end with it, and its shown requests are returned, oldest first`() {
    var ledger = Ledger()
    for id in 1...5 { ledger.post("\(id)", as: UInt32(id)) }
    _ = ledger.add(due("2"), as: key("2"), stage: .queued)
    _ = ledger.add(due("waiting"), as: key("waiting"), stage: .queued)
    ledger.leaveScreen(number(4), at: .zero)
    #expect(ledger.forgetServer() == ["1", "3", "5", "2"].map(key))
    #expect(ledger.postings.isEmpty)
    #expect(ledger[key("2")]?.replaces == nil)
    for id in 1...5 { #expect(ledger.use(number(UInt32(id)), key: "yes") == nil) }
    #expect(ledger.forgetServer() == [key("1"), key("3"), key("5")])
  }

  // MARK: Anything

  @Test(arguments: 0..<20)
  func `Screen and entries agree after any sequence of events`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var ledger = Ledger()
    var used: Set<PostedNumber> = []
    for step in 0..<3000 {
      let key = key("\(Int.random(in: 0..<8, using: &random))")
      let posted = number(UInt32.random(in: 1...12, using: &random))
      let now = Duration.seconds(step * 60)
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1: _ = ledger.add(due(key.id), as: key, stage: .queued)
      case 2, 3: if ledger[key]?.isPending == true { ledger.setStage(.posting, of: key) }
      case 4, 5:
        guard ledger[key]?.isPosting == true else { break }
        _ = ledger.show(key, as: posted, offer: Offer(keys: ["yes": .action("yes")]), at: now)
        used.remove(posted)
      case 6: ledger.leaveScreen(posted, at: now)
      case 7 where Bool.random(using: &random): ledger.withdraw(key)
      case 7:
        guard ledger[key]?.isUnasked == true else { break }
        _ = ledger.showForNow(due(key.id), key, as: posted, offer: Offer(keys: ["yes": .action("yes")]), at: now)
        used.remove(posted)
      case 8:
        if ledger.use(posted, key: "yes") != nil { #expect(used.insert(posted).inserted, "a click counted twice") }
      default:
        if Int.random(in: 0..<50, using: &random) == 0 {
          _ = ledger.forgetServer()
          for key in ledger.entries.keys where ledger[key]?.isPending == false { ledger.reshow(key) }
          used = []
        }
      }
      for (key, entry) in ledger.entries {
        guard let number = entry.onScreen else { continue }
        let posting = ledger.postings[number]
        #expect(posting?.key == key, "\(key.id) is shown as \(number.number), which is another's")
        #expect(entry.isPosting || posting?.leftAt == nil, "\(key.id) is shown and has left")
      }
      let shown = ledger.entries.values.compactMap(\.onScreen)
      #expect(Set(shown).count == shown.count, "two are shown under one number")
    }
  }
}
