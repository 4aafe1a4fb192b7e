// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// How many dates a repetition with `--count` has left.
struct RemainingDates {
  let time: LocalTime

  /// Returns nil for a request without a count, and if its dates cannot be computed here.
  func count(of row: ListedRequest) -> Int? {
    guard case .integer(let count)? = row.words["count"], let next = row.next.flatMap({ Instant(rfc3339: $0) }),
      let schedule = try? row.request().schedule
    else { return nil }
    var search = DateSearch()
    guard let trigger = try? schedule.storedTrigger(made: time.now, rules: time.rules, &search),
      let rules = try? time.rules(trigger.zone)
    else { return nil }
    search.renew()
    // No request is older.
    let before = try? trigger.count(after: Instant(0), through: next.adding(seconds: -1), in: rules, &search)
    return before.map { max(1, Int(count) - $0) }
  }
}
