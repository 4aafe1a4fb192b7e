// SPDX-License-Identifier: Apache-2.0
import DBus
import Freedesktop
import NotificationModel
import Scheduling
import TestSupport
import Testing

@testable import suzud

private let server: BusName = ":1.7"
private func number(_ number: UInt32) -> PostedNumber { PostedNumber(server: server, number: number) }
private func key(_ id: String) -> RequestKey { RequestKey(app: "test", id: id) }
private func due(_ id: String, delivery: Int64? = nil) -> Due {
  Due(
    NotificationRequest(trusted: .init(title: id), app: "test", id: RequestID(trusted: id), schedule: .now),
    record: delivery.map { Due.Record(delivery: .init($0), revision: .init(1)) },
    date: Timestamp(milliseconds: 0))
}

extension ScreenState {
  /// Adds a request and shows it immediately.
  fileprivate mutating func post(_ id: String, as posted: UInt32, at now: Duration = .zero) {
    _ = add(due(id), as: key(id), stage: .posting)
    _ = show(
      key(id), as: number(posted), offer: OfferedActions(keys: ["default": .action("default"), "yes": .action("yes")]),
      at: now)
  }
}

/// Tests the notifications on the screen and in the history of a server.
struct ScreenStateTests {
  // MARK: Requests

  @Test func `A shown request is no longer pending`() {
    var state = ScreenState()
    _ = state.add(due("a"), as: key("a"), stage: .queued)
    _ = state.add(due("b"), as: key("b"), stage: .queued)
    #expect(state.pendingCount == 2)
    _ = state.show(key("a"), as: number(1), offer: OfferedActions(), at: .zero)
    #expect(state.pendingCount == 1)
    #expect(state.shown(number(1)) == key("a"))
  }

  @Test func `A later request with the same id replaces the shown one, any number of times`() {
    var state = ScreenState()
    state.post("a", as: 1)
    for _ in 0..<3 {
      let entry = state.add(due("a"), as: key("a"), stage: .queued)
      #expect(entry.replaces == number(1))
    }
    #expect(state.entries.count == 1)
    let leftover = state.show(key("a"), as: number(1), offer: OfferedActions(), at: .zero)
    #expect(leftover == nil && state.takeEnded().allSatisfy { $0.end == .replaced })
    #expect(state[key("a")]?.replaces == nil)
  }

  // Two copies that were postponed by ten minutes counted as two dates of one request, of which one was missed.
  @Test(arguments: [true, false])
  func `A date stands for an earlier one that waits only if it is of the same repetition`(repeats: Bool) throws {
    func due(_ delivery: Int64) throws -> Due {
      let words: [String: PlainValue] = ["title": .text("x"), "in": .text("10m"), "repeat": .flag(repeats)]
      let record = Due.Record(delivery: .init(delivery), revision: .init(delivery))
      return Due(try NotificationRequest(words), record: record, date: Timestamp(milliseconds: delivery))
    }
    let waiting = Entry(due: try due(1), stage: .queued, revision: 1)
    #expect(waiting.isEarlierDate(of: try due(2)) == repeats)
    #expect(!Entry(due: try due(1), stage: .posting, revision: 1).isEarlierDate(of: try due(2)))
  }

  @Test func `What is cancelled while the server is asked leaves the notification that it was to replace`() {
    var state = ScreenState()
    _ = state.add(due("a", delivery: 1), as: key("a"), stage: .posting)
    _ = state.show(key("a"), as: number(1), offer: OfferedActions(), at: .zero)
    _ = state.add(due("a", delivery: 2), as: key("a"), stage: .posting)
    #expect(state.waiting(key("a"), isAsked: false) == nil)
    #expect(state.waiting(key("a"), isAsked: true)?.record?.delivery == .init(2))
    state.withdraw(key("a"))
    #expect(state.takeEnded().map(\.delivery) == [.init(2)])
    #expect(state.shown(number(1)) == key("a"))
  }

  // Once, the popup of the earlier one stayed on the screen of such servers, unknown to the center.
  @Test func `A server that gives a new number on replacement leaves the old popup to close`() {
    var state = ScreenState()
    state.post("a", as: 1)
    _ = state.add(due("a"), as: key("a"), stage: .posting)
    let leftover = state.show(key("a"), as: number(2), offer: OfferedActions(), at: .zero)
    #expect(leftover == number(1))
    #expect(state.shown(number(1)) == nil)
    #expect(state.shown(number(2)) == key("a"))
  }

  @Test func `A server that gives one number to two requests has replaced the first popup`() {
    var state = ScreenState()
    state.post("a", as: 1)
    _ = state.add(due("b"), as: key("b"), stage: .posting)
    _ = state.takeEnded()
    _ = state.show(
      key("b"), as: number(1), offer: OfferedActions(keys: ["default": .action("default")]), at: .zero)
    #expect(state.takeEnded().map(\.key) == [key("a")])
    #expect(state[key("a")] == nil)
    #expect(state.use(number(1), key: "default", at: .zero)?.posting.key == key("b"))
  }

  @Test func `Withdrawing a waiting request restores the one it would have replaced`() {
    var state = ScreenState()
    state.post("a", as: 1)
    _ = state.add(due("a"), as: key("a"), stage: .queued)
    #expect(state.shown(number(1)) == key("a"))
    state.withdraw(key("a"))
    #expect(state[key("a")]?.isPending == false)
    #expect(state[key("a")]?.onScreen == number(1))
    state.withdraw(key("a"))  // what is shown cannot be withdrawn
    #expect(state.shown(number(1)) == key("a"))
  }

  @Test func `The close of a request about to be replaced does not close its id`() {
    var state = ScreenState()
    state.post("a", as: 1)
    _ = state.add(due("a"), as: key("a"), stage: .posting)
    #expect(state.isBeingReplaced(number(1)))
    #expect(state.shown(number(1)) == nil)
    state.setStage(.queued, of: key("a"))
    #expect(!state.isBeingReplaced(number(1)))
    #expect(state.shown(number(1)) == key("a"))
    state.leaveScreen(number(1), at: .zero)
    #expect(state[key("a")]?.isPending == true)
    #expect(state[key("a")]?.replaces == nil)
  }

  @Test func `A click belongs to the overtaken request until the newer one comes`() {
    var state = ScreenState()
    state.post("a", as: 1)
    _ = state.add(due("a"), as: key("a"), stage: .posting)
    _ = state.add(due("a"), as: key("a"), stage: .queued)
    let leftover = state.showForNow(
      due("a"), key("a"), as: number(5), offer: OfferedActions(keys: ["default": .action("default")]), at: .zero)
    #expect(leftover == number(1))
    #expect(state[key("a")]?.onScreen == number(5))
    #expect(state.use(number(5), key: "default", at: .zero) != nil)
  }

  // MARK: Clicks

  @Test func `A click counts once, and only with a key that was offered`() {
    var state = ScreenState()
    state.post("a", as: 1)
    #expect(state.use(number(1), key: "no", at: .zero) == nil)
    #expect(state.use(number(2), key: "yes", at: .zero) == nil)
    #expect(state.use(PostedNumber(server: ":1.8", number: 1), key: "yes", at: .zero) == nil)
    #expect(state.use(number(1), key: "yes", at: .zero)?.choice == .action("yes"))
    #expect(state.use(number(1), key: "yes", at: .zero) == nil)
    #expect(state.use(number(1), key: "default", at: .zero) == nil)
    #expect(state.useUp(number(1)) == nil)
  }

  // Found by fuzzing: a second click that was on its way ran the action again.
  @Test func `A click counts once for a notification that is shown again with a new number`() {
    for clicked: UInt32 in 1...2 {
      var state = ScreenState()
      state.post("a", as: 1)
      state.reshow(key("a"), replacing: number(1))
      state.setStage(.posting, of: key("a"))
      let offer = OfferedActions(keys: ["yes": .action("yes")])
      #expect(state.show(key("a"), as: number(2), offer: offer, at: .zero) == number(1))
      #expect(state.use(number(clicked), key: "yes", at: .zero)?.choice == .action("yes"))
      #expect(state.use(number(3 - clicked), key: "yes", at: .zero) == nil && state.useUp(number(3 - clicked)) == nil)
    }
  }

  // Found by fuzzing: the other notification hid that the first had been answered.
  @Test func `A click counts once even if the server gives the number to another one meanwhile`() {
    let offer = OfferedActions(keys: ["yes": .action("yes")])
    var state = ScreenState()
    state.post("a", as: 1)
    state.reshow(key("a"), replacing: number(1))
    state.setStage(.posting, of: key("a"))
    #expect(state.use(number(1), key: "yes", at: .zero)?.posting.key == key("a"))
    state.post("b", as: 1)
    _ = state.show(key("a"), as: number(2), offer: offer, at: .zero)
    #expect(state.postings[number(2)]?.isUsedUp == true && state.use(number(2), key: "yes", at: .zero) == nil)
    #expect(state.use(number(1), key: "yes", at: .zero)?.posting.key == key("b"))
  }

  @Test func `Those that leave the screen together are used up, under every number that they had`() {
    var state = ScreenState()
    for (index, id) in ["a", "b", "c"].enumerated() { state.post(id, as: UInt32(index + 1)) }
    state.reshow(key("a"), replacing: number(1))
    state.setStage(.posting, of: key("a"))
    let offer = OfferedActions(keys: ["yes": .action("yes")])
    #expect(state.show(key("a"), as: number(9), offer: offer, at: .zero) == number(1))
    state.useUp([number(9), number(2), number(77)])
    for used: UInt32 in [1, 2, 9] { #expect(state.use(number(used), key: "yes", at: .zero) == nil) }
    #expect(state.use(number(3), key: "yes", at: .zero)?.choice == .action("yes"))
  }

  @Test func `A notification that is answered while it is shown again does not come on the next server`() {
    var state = ScreenState()
    state.post("a", as: 1)
    state.reshow(key("a"), replacing: number(1))
    state.setStage(.posting, of: key("a"))
    #expect(state.use(number(1), key: "yes", at: .zero) != nil)
    #expect(state.forgetServer().filter { state[$0] != nil }.isEmpty && state[key("a")] == nil)
    #expect(state.takeEnded().map(\.end) == [.withdrawn])
  }

  @Test func `A reused number belongs to the new notification, with its own click`() {
    var state = ScreenState()
    state.post("a", as: 1)
    _ = state.use(number(1), key: "yes", at: .zero)
    state.leaveScreen(number(1), at: .seconds(1))
    state.post("b", as: 1, at: .seconds(2))
    #expect(state.use(number(1), key: "yes", at: .zero)?.posting.key == key("b"))
    // When the first one expires from the history, the second one must stay.
    for id in 2...3 { state.post("c\(id)", as: UInt32(id)) }
    state.leaveScreen(number(2), at: .seconds(1) + Departures.longest + .seconds(1))
    #expect(state.postings[number(1)] != nil)
  }

  @Test func `The token that came before a click goes with it`() {
    var state = ScreenState()
    state.post("a", as: 1)
    state.keepToken("abc", for: number(1))
    state.keepToken("unknown", for: number(9))
    #expect(state.use(number(1), key: "default", at: .zero)?.posting.token == "abc")
    #expect(state.postings.count == 1)
  }

  // MARK: History

  @Test func `A click from the history counts for a day`() {
    var state = ScreenState()
    state.post("old", as: 1)
    state.post("young", as: 2)
    state.leaveScreen(number(1), at: .seconds(10))
    state.leaveScreen(number(2), at: .seconds(3600))
    #expect(state.entries.isEmpty)
    state.post("last", as: 3)
    state.leaveScreen(number(3), at: Departures.longest + .seconds(11))
    #expect(state.use(number(1), key: "yes", at: .zero) == nil)
    #expect(state.use(number(2), key: "yes", at: .zero)?.posting.key == key("young"))
  }

  @Test func `A second close does not count, and does not prolong the time for a late click`() {
    var state = ScreenState()
    state.post("a", as: 1)
    state.leaveScreen(number(1), at: .zero)
    state.leaveScreen(number(1), at: Departures.longest)
    state.post("b", as: 2)
    state.leaveScreen(number(2), at: Departures.longest + .seconds(1))
    #expect(state.postings[number(1)] == nil)
  }

  @Test func `The history has a limit, drops the oldest, and each step costs the same`() {
    var state = ScreenState()
    let count = UInt32(3 * Departures.most)
    for posted in 1...count {
      state.post("n", as: posted)
      state.leaveScreen(number(posted), at: .milliseconds(Int(posted)))
    }
    #expect(state.postings.count == Departures.most)
    #expect(state.postings[number(count - UInt32(Departures.most))] == nil)
    #expect(state.postings[number(count)] != nil)
  }

  // MARK: The server's end

  @Test func `The numbers of a server end with it, and its shown requests are returned, oldest first`() {
    var state = ScreenState()
    for id in 1...5 { state.post("\(id)", as: UInt32(id)) }
    _ = state.add(due("2"), as: key("2"), stage: .queued)
    _ = state.add(due("waiting"), as: key("waiting"), stage: .queued)
    state.leaveScreen(number(4), at: .zero)
    #expect(state.forgetServer() == ["1", "3", "5", "2"].map(key))
    #expect(state.postings.isEmpty)
    #expect(state[key("2")]?.replaces == nil)
    for id in 1...5 { #expect(state.use(number(UInt32(id)), key: "yes", at: .zero) == nil) }
    #expect(state.forgetServer() == [key("1"), key("3"), key("5")])
  }

  // MARK: Anything

  @Test(arguments: 0..<20)
  func `Screen and entries agree after any sequence of events`(seed: Int) {
    var random = SeededNumbers(seed: UInt64(seed))
    var state = ScreenState()
    var used: Set<PostedNumber> = []
    for step in 0..<3000 {
      let key = key("\(Int.random(in: 0..<8, using: &random))")
      let posted = number(UInt32.random(in: 1...12, using: &random))
      let now = Duration.seconds(step * 60)
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1: _ = state.add(due(key.id), as: key, stage: .queued)
      case 2, 3: if state[key]?.isPending == true { state.setStage(.posting, of: key) }
      case 4, 5:
        guard state[key]?.isPosting == true else { break }
        _ = state.show(key, as: posted, offer: OfferedActions(keys: ["yes": .action("yes")]), at: now)
        used.remove(posted)
      case 6: state.leaveScreen(posted, at: now)
      case 7 where Bool.random(using: &random): state.withdraw(key)
      case 7:
        guard state[key]?.isUnasked == true else { break }
        _ = state.showForNow(
          due(key.id), key, as: posted, offer: OfferedActions(keys: ["yes": .action("yes")]), at: now)
        used.remove(posted)
      case 8:
        if state.use(posted, key: "yes", at: .zero) != nil {
          #expect(used.insert(posted).inserted, "a click counted twice")
        }
      default:
        if Int.random(in: 0..<50, using: &random) == 0 {
          _ = state.forgetServer()
          for key in state.entries.keys where state[key]?.isPending == false { state.reshow(key) }
          used = []
        }
      }
      for (key, entry) in state.entries {
        guard let number = entry.onScreen else { continue }
        let posting = state.postings[number]
        #expect(posting?.key == key, "\(key.id) is shown as \(number.number), which is another's")
        #expect(entry.isPosting || posting?.leftAt == nil, "\(key.id) is shown and has left")
      }
      let shown = state.entries.values.compactMap(\.onScreen)
      #expect(Set(shown).count == shown.count, "two are shown under one number")
    }
  }
}
