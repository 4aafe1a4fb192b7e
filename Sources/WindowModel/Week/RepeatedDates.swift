// SPDX-License-Identifier: Apache-2.0
package import NotificationModel
internal import Triggers
package import Zoneinfo

/// The dates of a request that repeats, behind its next one, as far as they are known without the center.
package enum RepeatedDates {
  /// The most dates of one request at a time: what repeats more often is shown with its next date only.
  package static let most = 50

  /// Those behind `next` that are from `start` on. Returns none for a request whose dates are counted, and for one in
  /// another zone.
  package static func after(
    _ next: Instant, of request: ListedRequest, from start: Instant, before end: Instant?, _ clock: LocalClock
  ) -> [Instant] {
    let isRepeating =
      request.words["every"] != nil || request.words["rule"] != nil || request.words["repeat"] == .flag(true)
    guard let end, isRepeating, request.words["count"] == nil, request.words["zone"] == nil else { return [] }
    guard let schedule = try? Schedule(request.words.filter { Schedule.keys.contains($0.key) }) else { return [] }
    var search = DateSearch(altogether: DateSearch.mostSteps)
    var dates: [Instant] = []
    do throws(TriggerError) {
      // A repetition without a start begins with its creation; these dates are those behind the next one.
      let trigger = try schedule.storedTrigger(made: next, rules: { _ throws(TriggerError) in clock.rules }, &search)
      // Its expression may name a zone as well.
      guard let trigger, trigger.zone == nil else { return [] }
      var last = max(next, start.adding(seconds: -1))
      while let date = try trigger.next(after: last, in: clock.rules, &search), date.instant < end {
        if dates.count + 1 >= most { return [] }
        dates.append(date.instant)
        last = date.instant
        search.renew()
      }
    } catch {
      return []
    }
    return dates
  }
}
