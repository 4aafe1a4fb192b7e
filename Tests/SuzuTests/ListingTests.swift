// SPDX-License-Identifier: Apache-2.0
import Foundation
import Suzu
import Synchronization
import TestSupport
import Testing

/// Tests listings as sequences.
@Suite(.timeLimit(.minutes(2))) struct ListingTests {
  @Test(.onOwnThread) func `Pending requests come in the order of their dates, over several pages`() async throws {
    try await AppStand.run { stand in
      let start = Date(timeIntervalSince1970: (Date.now.timeIntervalSince1970 + 3600).rounded())
      let requests = try (0..<450).map { index in
        try stand.app.request(
          NotificationRequest.Content(title: "\(index)"), at: .at(start + Double(index)),
          id: RequestID(trusted: "\(index)"))
      }
      #expect(try await stand.app.notify(requests).count == 450)
      var dates: [Date] = []
      for try await row in stand.app.pendingRequests() { dates.append(try #require(row.nextDate)) }
      #expect(dates == (0..<450).map { start + Double($0) })
      #expect(try await stand.app.cancel(["7", "8", "none"]) == 2)
      #expect(try await stand.app.cancel([]) == 0)
      #expect(try await stand.center.app("org.example.Other").cancelAll() == 0)
      #expect(try await stand.app.cancelAll() == 448)
      for try await row in stand.app.pendingRequests() { Issue.record("still there: \(row.id)") }
      #expect(try await stand.app.nextDate(of: .at(start)) == start)
      #expect(try await stand.app.nextDate(of: .on("battery < 20%")) == nil)
    }
  }

  @Test(arguments: [2, 7, 100, 1000])
  func `Rows that leave or come between two pages hide no others`(_ most: Int) async throws {
    let source = ChangingList(Array(0..<300), most: most)
    var seen: [String] = []
    for try await row in source.pendingRequests() { seen.append(row.id) }
    #expect(seen.count == Set(seen).count)
    // The list loses its first row with each page, and the pages have no rows in between; the last ones are all seen.
    #expect(seen.suffix(100) == (200..<300).map { "\($0)" })
    #expect(Set((0..<300).map { "\($0)" }).subtracting(seen).isEmpty)
  }
}

/// A list that loses its first row with each page that is read.
private final class ChangingList: Notifying {
  let app: AppID = "org.example.Tea"
  private let ids: Mutex<[Int]>
  private let most: Int

  init(_ ids: [Int], most: Int) {
    self.ids = Mutex(ids)
    self.most = most
  }

  func rows(
    of listing: Listing, _ filter: ListingFilter, after cursor: ListingCursor?, limit: Int
  ) async throws(SuzuError) -> ListedPage {
    ids.withLock { ids in
      defer { if ids.count > 200 { ids.removeFirst() } }
      let last = cursor.flatMap { Int($0.text.drop { $0 == "+" }) } ?? -1
      // An answer without rows that has found nothing so far.
      if cursor?.text.hasPrefix("+") == false { return ListedPage([], next: ListingCursor("+\(last)")) }
      let rows = ids.filter { $0 > last }.prefix(min(limit, most))
      return ListedPage(
        rows.map { ListedRequest(["id": .text("\($0)")]) },
        next: rows.last == ids.last ? nil : rows.last.map { ListingCursor("\($0)") })
    }
  }

  func notify(_ request: NotificationRequest) async throws(SuzuError) -> RequestID { "" }
  func notify(_ requests: [NotificationRequest]) async throws(SuzuError) -> [RequestID] { [] }
  func cancel(_ ids: [RequestID]) async throws(SuzuError) -> Int { 0 }
  func cancelAll() async throws(SuzuError) -> Int { 0 }
  func dismiss(_ ids: [RequestID]) async throws(SuzuError) -> Int { 0 }
  func dismissAll() async throws(SuzuError) -> Int { 0 }
  func acknowledge(_ ids: [RequestID]) async throws(SuzuError) -> Int { 0 }
  func nextDates(of request: NotificationRequest, count: Int) async throws(SuzuError) -> [Date] { [] }
  func setCategories(_ categories: [Category]) async throws(SuzuError) {}
  func usableCategories() async throws(SuzuError) -> [RegisteredCategory] { [] }
  func register(for kinds: Set<NoticeKind>) async throws(SuzuError) -> Set<NoticeKind> { [] }
  func settings() async throws(SuzuError) -> AppSettings { AppSettings(app: app.text) }
  func respond(to id: RequestID, with action: String, reply: String?) async throws(SuzuError) {}
}
