// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Zoneinfo

/// Dates in the form that callers get.
package struct DateText {
  private let zones: any ZoneSource

  package init(zones: any ZoneSource) { self.zones = zones }

  /// The date at which it was due; nil if it was to be shown immediately.
  package func text(of due: Due) -> String? {
    due.request.schedule.isNow ? nil : text(due.date, zone: due.request.schedule.zone)
  }

  /// RFC 3339, in the offset of the zone.
  package func text(_ time: Timestamp, zone: String?) -> String {
    let instant = Instant(time.milliseconds / 1000)
    let rules = (try? zones.rules(zone)) ?? .utc
    return instant.rfc3339(at: rules.offset(at: instant)) ?? instant.description
  }
}
