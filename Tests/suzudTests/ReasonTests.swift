// SPDX-License-Identifier: Apache-2.0
import CenterContract
import DBus
import NotificationModel
import Testing

@testable import suzud

/// Tests the sentences that say why a date came, came late or did not come.
@Suite struct ReasonTests {
  private func why(_ words: [String: Value], isBeingShown: Bool = false, isAllowed: Bool? = true) -> String {
    var all: [String: Value] = ["app": "a", "id": "x", "title": "t", "due": "2026-11-23T12:00:00+00:00"]
    all.merge(words) { $1 }
    let row = ListedRequest(all.compactMapValues { PlainValue($0) })
    return Reason(row, isAllowed: isAllowed, isBeingShown: isBeingShown).text
  }

  // Right after 'suzu notify', it said that there was no server.
  @Test func `What a server is about to accept does not wait for one`() {
    #expect(why(["state": "due"], isBeingShown: true) == "has come, and is being shown now")
    #expect(
      why(["state": "due"])
        == "has come, and waits until a notification server accepts it; see 'suzu doctor'")
    #expect(
      why(["state": "due"], isBeingShown: true, isAllowed: nil)
        == "has come, and waits until you allow its app; see 'suzu apps'")
  }

  @Test(
    arguments: [
      (["state": "delivered", "shown": "2026-11-23T12:00:01+00:00"], "came, on time; it is on the screen"),
      (
        [
          "state": "closed", "reason": "dismissed", "shown": "2026-11-23T12:10:00+00:00",
          "noticed": "2026-11-23T12:09:59+00:00", "missedDates": .int64(2),
        ],
        "came, 10m late: until then, the center did not run, or the machine slept or was off; it stands for 2 more; "
          + "then: dismissed"
      ),
      (
        ["state": "delivered", "shown": "2026-11-23T12:10:00+00:00"],
        "came, 10m late: until then, no notification server accepted it, or its app was not allowed yet; it is on the "
          + "screen"
      ),
      (
        [
          "state": "delivered", "shown": "2026-11-23T12:00:00+00:00",
          "event": .properties([
            "condition": "unit a.service failed", "edge": "enter", "late": "true", "unit": "a.service",
          ]),
        ],
        "came because of 'unit a.service failed' (unit a.service), while the center did not run; it is on the screen"
      ),
      (["state": "expired"], "did not come: it was later than its 'grace' allows"),
      (["state": "skipped"], "did not come: it was missed, and its 'missed' is 'skip'"),
      (["state": "failed", "reason": "too large"], "did not come: too large"),
      (["state": "closed", "reason": "cancelled"], "cancelled before it was shown"),
      (
        ["state": "closed", "reason": "replaced"],
        "edited before it was shown, or replaced by another request with this id"
      ),
      (
        ["state": "closed", "reason": "not allowed"],
        "did not come: you do not allow its app to notify you; see 'suzu apps'"
      ),
      (
        ["state": "closed", "reason": "not allowed", "on": "wifi Home"],
        "did not come: you do not allow its app to notify you, or to know about networks; see 'suzu apps'"
      ),
      // It said 'withdrawn', where the history named the button.
      (
        [
          "state": "closed", "reason": "withdrawn", "shown": "2026-11-23T12:00:00+00:00", "action": "later",
          "outcome": "done",
        ],
        "came, on time; then: answered: later (done)"
      ),
      (["state": "due"], "has come, and waits until a notification server accepts it; see 'suzu doctor'"),
    ] as [([String: Value], String)])
  func `A past date says why it came, came late or did not come`(_ words: [String: Value], _ sentence: String) {
    #expect(why(words) == sentence)
  }

  @Test func `A condition says what it waits for`() {
    let row: [String: Value] = ["state": "pending", "due": "-", "on": "wifi Home"]
    #expect(why(row) == "waits for 'wifi Home'; that has not happened yet")
    #expect(
      why(row.merging(["holds": true]) { $1 })
        == "waits for 'wifi Home', which is true now and must change back first; that has not happened yet")
    #expect(
      why(row.merging(["obstacle": "NetworkManager is not running"]) { $1 })
        == "waits for 'wifi Home': nothing is known, because NetworkManager is not running")
  }

  // It said 'will come then' of what the user had denied, and named both reasons of a wait at once.
  @Test func `The user's decision about the app counts`() {
    func text(_ state: String, isAllowed: Bool?) -> String {
      Reason(ListedRequest(["app": .text("a"), "id": .text("x"), "state": .text(state)]), isAllowed: isAllowed).text
    }
    #expect(
      text("pending", isAllowed: false)
        == "will not be shown: you do not allow its app to notify you; see 'suzu apps'")
    #expect(text("due", isAllowed: nil) == "has come, and waits until you allow its app; see 'suzu apps'")
  }
}
