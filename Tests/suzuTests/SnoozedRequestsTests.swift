// SPDX-License-Identifier: Apache-2.0
import CenterClient
import NotificationModel
import Testing
import Zoneinfo

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

  /// A press on a button with several times, at 22:00 UTC.
  private static func chosen(_ time: PlainValue) -> ListedRequest {
    let later: [String: PlainValue] = ["id": "later", "snooze": .list(["10m", "tomorrow 08:00", "unlocked"])]
    return ListedRequest([
      "app": "a", "id": "x", "state": "closed", "closed": "2026-11-25T22:00:00+00:00", "action": "later", "reply": time,
      "actions": .list([.dictionary(later)]),
    ])
  }

  // Only a chosen duration was recognized.
  @Test func `The chosen one of several times counts`() throws {
    let utc = LocalTime(zone: Zone(name: "Etc/UTC", rules: .utc))
    func isSnoozed(_ time: PlainValue, _ words: [String: PlainValue]) -> Bool {
      let row: [String: PlainValue] = ["app": "a", "id": "x", "state": "pending"]
      return SnoozedRequests([Self.chosen(time)], time: utc).contains(ListedRequest(row.merging(words) { $1 }))
    }
    #expect(isSnoozed("10m", ["in": "10m"]) && !isSnoozed("10m", ["in": "11m"]))
    #expect(isSnoozed("unlocked", ["on": "unlocked"]) && !isSnoozed("unlocked", ["on": "idle 5m"]))
    #expect(!isSnoozed("unlocked", ["on": "unlocked", "repeat": .flag(true)]))
    let date: PlainValue = "2026-11-26 08:00:00"
    #expect(isSnoozed("tomorrow 08:00", ["at": date, "next": "2026-11-26T09:00:00+01:00"]))
    // A later edit of the request.
    #expect(!isSnoozed("tomorrow 08:00", ["at": date, "next": "2026-11-26T08:00:00+01:00"]))
    #expect(!isSnoozed("tomorrow 08:00", ["in": "10m", "next": "2026-11-26T08:00:00+00:00"]))
  }
}
