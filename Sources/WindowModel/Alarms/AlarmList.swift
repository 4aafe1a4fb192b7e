// SPDX-License-Identifier: Apache-2.0
package import NotificationModel
internal import Zoneinfo

/// The page *Alarms*: all weekly alarms, the earliest time of day first.
package struct AlarmList: Hashable, Sendable {
  package private(set) var alarms: [WeeklyAlarm] = []
  private var all: [WeeklyAlarm] = []
  private var hidden: Set<RequestName> = []

  package init() {}

  package mutating func show(_ rows: [ListedRequest], muted: Set<RequestName>) {
    all = rows.compactMap { WeeklyAlarm($0, muted: muted) }
      .sorted { ($0.time, $0.title, $0.id ?? "") < ($1.time, $1.title, $1.id ?? "") }
    arrange()
  }

  /// Hides an alarm that the user has deleted, as long as that can be undone.
  package mutating func hide(_ name: RequestName) {
    hidden.insert(name)
    arrange()
  }

  package mutating func unhide(_ name: RequestName) {
    hidden.remove(name)
    arrange()
  }

  private mutating func arrange() {
    alarms = all.filter { !hidden.contains(RequestName(app: NotificationRequest.defaultApp, id: $0.id ?? "")) }
  }

  /// The line above the list: `next: in 8 h 41 min`; nil if no alarm is on.
  package func next(_ clock: LocalClock) -> String? {
    guard let next = alarms.filter(\.isOn).compactMap(\.next).min() else { return nil }
    return "Next alarm: \(clock.words(next))"
  }
}
