// SPDX-License-Identifier: Apache-2.0
import Scheduling
import Testing

@testable import suzud

/// Tests the order in which a batch is stored.
@Suite struct StoringOrderTests {
  private func request(_ id: String, due: Int64?) -> NewRequest {
    NewRequest(
      app: "a", id: id, payload: "{}",
      start: due.map { .at(PlannedDate(due: Timestamp(milliseconds: $0))) } ?? .now)
  }

  private func order(_ requests: [NewRequest]) -> [String] {
    StoringOrder.sorted(requests.indices, of: requests).map { requests[$0].id }
  }

  @Test func `A batch is stored by date, and those with one date in the order of the call`() {
    let requests = [
      request("late", due: 30), request("first", due: 20), request("second", due: 20), request("early", due: 10),
      request("now", due: nil), request("third", due: 20), request("too", due: nil),
    ]
    #expect(order(requests) == ["now", "too", "early", "first", "second", "third", "late"])
  }

  @Test func `The later of two requests with one id stays the later`() {
    let requests = [request("twin", due: 30), request("other", due: 5), request("twin", due: 10)]
    #expect(order(requests) == ["twin", "other", "twin"])
  }
}
