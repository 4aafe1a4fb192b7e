// SPDX-License-Identifier: Apache-2.0
import CenterClient
import NotificationModel
import Testing

@testable import suzu

/// Tests which pending requests count as snoozed.
@Suite struct SnoozedRequestsTests {
  private static func pressed(_ action: PlainValue?, id: PlainValue = "x") -> ListedRequest {
    var words: [String: PlainValue] = [
      "app": "a", "id": id, "state": "closed",
      "actions": .list([.dictionary(["id": "later", "snooze": "10m"]), .dictionary(["id": "ok"])]),
    ]
    words["action"] = action
    return ListedRequest(words)
  }

  private static func pending(_ id: PlainValue, _ delay: PlainValue, app: PlainValue = "a") -> ListedRequest {
    ListedRequest(["app": app, "id": id, "in": delay, "state": "pending"])
  }

  @Test func `A request is snoozed if its latest date ended so`() {
    let snoozed = SnoozedRequests([Self.pressed("later"), Self.pressed("ok")])
    #expect(snoozed.contains(Self.pending("x", "10m")) && snoozed.contains(Self.pending("x", "600s")))
    #expect(snoozed.contains(Self.pending("x.snoozed", "10m")))
    for row in [Self.pending("x", "11m"), Self.pending("y", "10m"), Self.pending("x", "10m", app: "b")] {
      #expect(!snoozed.contains(row))
    }
    let marked = snoozed.marked(Self.pending("x", "10m"))
    #expect(SnoozedRequests.isMarked(marked) && !SnoozedRequests.isMarked(snoozed.marked(Self.pending("y", "10m"))))
    // It is read back as a request without the mark.
    #expect(ListingKey.request(in: marked.words) == ["app": "a", "id": "x", "in": "10m"])
    #expect(!SnoozedRequests([Self.pressed("ok"), Self.pressed("later")]).contains(Self.pending("x", "10m")))
    #expect(!SnoozedRequests([Self.pressed(nil)]).contains(Self.pending("x", "10m")))
  }
}
