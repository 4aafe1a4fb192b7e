// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import WindowModel
import Zoneinfo

/// A Tuesday, 22:49 in UTC.
let clock = LocalClock(now: Instant(rfc3339: "2026-11-24T22:49:00Z") ?? Instant(0), rules: .utc)

/// A row of a listing.
func row(_ id: String, _ next: String?, _ words: [String: PlainValue] = [:], title: String = "Tea") -> ListedRequest {
  var all: [String: PlainValue] = [
    "app": .text("dev.suzu.Suzu"), "id": .text(id), "title": .text(title), "state": .text("pending"),
  ]
  all["next"] = next.map { .text($0) }
  return ListedRequest(all.merging(words) { $1 })
}
