// SPDX-License-Identifier: Apache-2.0
import Scheduling
import TestSupport
import Testing

/// Tests listings, which are read in pages of limited size.
@Suite struct StoreListingTests {
  let fixture: StoreFixture
  let now = StoreFixture.now

  init() throws { fixture = try StoreFixture() }

  private func all<Row>(
    _ walk: ListingWalk, _ limit: PageLimit,
    _ read: (inout ListingWalk, PageLimit) throws -> [Row]
  ) throws -> (rows: [Row], calls: Int, longest: Int) {
    var walk = walk
    var (rows, calls, longest) = ([Row](), 0, 0)
    while !walk.isAtEnd {
      let page = try read(&walk, limit)
      rows += page
      calls += 1
      longest = max(longest, page.count)
    }
    return (rows, calls, longest)
  }

  @Test(arguments: [nil, "a", "b", "none"] as [String?])
  func `A listing finds every row once, in order, however small its pages are`(app: String?) throws {
    let store = try fixture.open()
    for number in 0..<60 {
      var request = StoreFixture.request("\(number)", app: number % 3 == 0 ? "a" : "b", in: Int64(number % 20))
      // Some have no date: their zone is gone.
      if number % 10 == 0 { request.start = .armed }
      try store.put([request], now: now)
      let shown = try store.putDue([StoreFixture.request("s\(number)", app: request.app)], now: now)[0]
      if number % 2 == 0 { try store.recordClosed(shown.number, reason: "expired", now: now) }
      if number % 4 == 1 { try store.recordShown(shown.number, server: ":1.1", serverNumber: 1, keys: nil, now: now) }
    }
    let limits = [
      PageLimit(rows: 4, bytes: .max), PageLimit(rows: 1000, bytes: 400), PageLimit(rows: 1000, bytes: .max, steps: 5),
    ]
    for limit in limits {
      let start = ListingWalk(app: app)
      let pending = try all(start, limit, store.pending)
      #expect(try pending.rows == store.pending(app: app))
      #expect(pending.longest <= 20)
      #expect(try all(start, limit, store.history).rows == store.history(app: app))
      #expect(try all(start, limit, store.delivered).rows == store.delivered(app: app))
    }
  }

  @Test func `A listing goes on behind any of its rows, from the text of that row's position`() throws {
    let store = try fixture.open()
    for number in 0..<12 {
      var request = StoreFixture.request("\(number)", in: Int64(number % 5))
      if number % 4 == 0 { request.start = .armed }
      try store.put([request], now: now)
      _ = try store.putDue([StoreFixture.request("s\(number)")], now: now)
    }
    func ids<Row>(
      _ read: (inout ListingWalk, PageLimit) throws -> [Row], behind place: ListingPlace?
    ) throws -> [Row] {
      var walk = ListingWalk(app: nil, behind: place)
      return try read(&walk, PageLimit(rows: 1000, bytes: .max))
    }
    let (pending, history) = (try store.pending(), try store.history())
    #expect(pending.count == 12 && history.count == 12)
    for index in 0..<12 {
      let (waits, came) = (ListingPlace(behind: pending[index]), ListingPlace(behind: history[index]))
      #expect(ListingPlace(waits.description) == waits && ListingPlace(came.description) == came)
      #expect(try ids(store.pending, behind: ListingPlace(waits.description)) == Array(pending[(index + 1)...]))
      #expect(try ids(store.history, behind: ListingPlace(came.description)) == Array(history[(index + 1)...]))
    }
    for text in ["", ".", "1.", ".1", "1.2.3", "x", "1.x", "99999999999999999999"] {
      #expect(ListingPlace(text) == nil, "\(text)")
    }
  }

  @Test func `A page has a limit of bytes, and holds at least one row`() throws {
    let store = try fixture.open()
    for number in 0..<10 {
      try store.put([StoreFixture.request("\(number)", body: String(repeating: "x", count: 50_000))], now: now)
    }
    var walk = ListingWalk(app: nil)
    #expect(try store.pending(&walk, PageLimit(rows: 1000, bytes: 120_000)).count == 2)
    #expect(try store.pending(&walk, PageLimit(rows: 1000, bytes: 1)).map(\.id) == ["2"])
  }

  @Test func `Ids of pending requests are found in slices, without those that came later`() throws {
    let store = try fixture.open()
    for number in 0..<30 { try store.put([StoreFixture.request("\(number)", app: "a")], now: now) }
    for number in 0..<10 { _ = try store.putDue([StoreFixture.request("f\(number)", app: "a")], now: now) }
    let last = store.lastRevision
    try store.put([StoreFixture.request("later", app: "a")], now: now)
    var (ids, place, calls) = ([String](), "" as String?, 0)
    while let from = place {
      let page = try store.pendingIDs(app: "a", after: from, through: last, steps: 7)
      ids += page.ids
      place = page.last
      calls += 1
    }
    #expect(ids == (0..<30).map { "\($0)" }.sorted() && calls == 6)
  }
}
