// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

extension CenterHealth {
  /// The current state of the center.
  init(of agenda: Agenda, _ categories: Categories) {
    let wakeAbility = WakeAbility.current
    self.init()
    folder = agenda.store.folder
    store = agenda.store.health.word
    storeWarnings = agenda.store.warnings
    categoryProblems = categories.problems
    zone = agenda.zones.name
    zoneProblem = agenda.zones.problem
    isClockSynchronized = agenda.time.isSynchronised
    canWake = wakeAbility.isAble
    wakeObstacle = wakeAbility.obstacle
    hasDisplay = Display.isKnown
    setAside = agenda.scheduler.setAside
    conditionProblems = agenda.scheduler.obstacles.map { "\($0.subject.text): \($0.reason)" }
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
