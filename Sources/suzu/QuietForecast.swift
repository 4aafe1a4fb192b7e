// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// Whether quiet hours will hold a request at one of its dates, as far as that is known before.
struct QuietForecast {
  private let general: QuietReport
  private let own: QuietReport
  private let time: LocalTime

  /// Nil if the center does not tell.
  init?(_ center: Center, app: String, time: LocalTime = .current()) async {
    guard let general = try? await center.quiet(), let own = try? await center.quiet(app: app) else { return nil }
    self.init(general, own, time: time)
  }

  init(_ general: QuietReport, _ own: QuietReport, time: LocalTime) {
    (self.general, self.own, self.time) = (general, own, time)
  }

  /// What the request waits for if it is due at a moment; nil if it comes then.
  func wait(of request: NotificationRequest, at moment: Instant) -> QuietEnd? {
    func causes(_ hours: QuietHours) -> QuietCauses {
      hours.causes(
        at: moment.seconds, hoursUntil: QuietSpans(hours.hours).end(of: moment, rules: time.rules)?.seconds)
    }
    return QuietRule(
      request.content.level, isAlarm: request.isOwnAlarm, limit: general.limit, appLimit: own.hours.limit,
      causes: causes(general.hours).union(causes(own.hours))
    ).wait
  }

  /// A line about a pending request that will be held at its next date; nil if it will not.
  func line(about row: ListedRequest) -> String? {
    guard let request = try? row.request(), let next = row.next.flatMap({ Instant(rfc3339: $0) }),
      let end = wait(of: request, at: next)
    else { return nil }
    return "held from then \(QuietText(time: time).until(end)) by quiet hours; see 'suzu quiet'"
  }
}
