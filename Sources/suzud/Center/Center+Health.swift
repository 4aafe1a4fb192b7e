// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import Scheduling

/// What a person should know of the center's own state; `suzu doctor` shows it.
extension Center {
  var health: [String: Value] {
    var health: [String: Value] = [
      "store": .string(store.folder), "storeHealth": .string(store.health.word), "zone": .string(zones.name),
      "clockSynchronized": .boolean(time.isSynchronised), "canWake": .boolean(WakeAbility.current.isAble),
    ]
    if !store.warnings.isEmpty { health["storeWarnings"] = .strings(store.warnings) }
    if !categories.problems.isEmpty { health["categoryProblems"] = .strings(categories.problems) }
    if let problem = zones.problem { health["zoneProblem"] = .string(problem) }
    if scheduler.setAside > 0 { health["setAside"] = .uint32(UInt32(clamping: scheduler.setAside)) }
    if let obstacle = WakeAbility.current.obstacle { health["wakeObstacle"] = .string(obstacle) }
    if let next = try? store.nextDate() { health["next"] = .string(text(next, zone: nil)) }
    return health
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
  /// Why the machine cannot be woken; nil: it can.
  fileprivate var obstacle: String? {
    if !hasAlarmClock { return "this machine has no clock that rings while it sleeps" }
    if !isPermitted {
      return "the center lacks the capability CAP_WAKE_ALARM, which systemd 254 and later give sessions"
    }
    return nil
  }
}
