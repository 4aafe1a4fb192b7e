// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Scheduling

/// The state of the center itself, as `suzu doctor` shows it.
struct Health {
  let folder: String
  let store: String
  let storeWarnings: [String]
  let categoryProblems: [String]
  let zone: String
  let zoneProblem: String?
  let isClockSynchronized: Bool
  let canWake: Bool
  let wakeObstacle: String?
  /// How many requests have no next date because the search for it was too long.
  let setAside: Int
  /// The next date, as RFC 3339.
  let next: String?

  init(of agenda: Agenda, _ categories: Categories) {
    let wakeAbility = WakeAbility.current
    folder = agenda.store.folder
    store = agenda.store.health.word
    storeWarnings = agenda.store.warnings
    categoryProblems = categories.problems
    zone = agenda.zones.name
    zoneProblem = agenda.zones.problem
    isClockSynchronized = agenda.time.isSynchronised
    canWake = wakeAbility.isAble
    wakeObstacle = wakeAbility.obstacle
    setAside = agenda.scheduler.setAside
    next = (try? agenda.store.nextDate()).map { agenda.dates.text($0, zone: nil) }
  }
}

extension Store.Health {
  fileprivate var word: String {
    switch self {
    case .good: "good"
    case .full: "full"
    case .readOnly: "read-only"
    case .degraded: "degraded"
    }
  }
}

extension WakeAbility {
  /// Why the machine cannot be woken; nil if it can.
  fileprivate var obstacle: String? {
    if !hasAlarmClock { return "this machine has no clock that can wake it" }
    if !isPermitted {
      return "the center lacks the capability CAP_WAKE_ALARM, which systemd 254 and later give sessions"
    }
    return nil
  }
}
