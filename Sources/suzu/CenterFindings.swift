// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import CenterContract
internal import DBus
internal import Freedesktop
internal import NotificationModel

/// The health of a running center as findings of `suzu doctor`.
struct CenterFindings {
  private let pending: UInt32
  private let health: CenterHealth?

  /// Reads the properties of the center.
  init(_ properties: [String: Value]) {
    pending = properties["PendingCount"]?.uint32 ?? 0
    health = CenterHealth(properties["Health"]?.properties ?? [:])
  }

  /// Why the bus could not start a notification server; nil if it could, or was not asked.
  var serverFailure: String? { health?.serverFailure }

  /// Why the center cannot open dialogs; nil if it can, as far as it knows.
  var dialogProblem: String? {
    guard let health else { return nil }
    if !health.hasDisplay {
      return "the center has no display, so neither lists of actions nor text inputs open; on the desktop, run "
        + "'dbus-update-activation-environment --systemd \(Display.variables.joined(separator: " "))', then "
        + "'systemctl --user restart suzud'"
    }
    return health.dialogFailure.map { "the last one did not open: \($0)" }
  }

  var findings: [Finding] {
    guard let health else { return [] }
    return [store(health)] + categoryFiles(health) + conditions(health) + calendars(health) + pushes(health)
      + outbox(health) + [
        zone(health), clock(health), wake(health),
      ]
  }

  private func store(_ health: CenterHealth) -> Finding {
    let place = health.folder ?? "?"
    let count = "\(pending) pending in \(place)" + (health.next.map { ", the next at \($0)" } ?? "")
    switch health.store {
    case "good":
      if health.setAside > 0 {
        return Finding(
          what: "store", state: .degraded,
          text: count
            + "; \(health.setAside) set aside because their next date takes too many steps to find; see 'suzu list'")
      }
      if !health.storeWarnings.isEmpty {
        return Finding(what: "store", state: .degraded, text: health.storeWarnings.joined(separator: "; "))
      }
      return Finding(what: "store", state: .good, text: count)
    case "full":
      return Finding(
        what: "store", state: .degraded,
        text: "the disk is full, and new requests are refused; free space for '\(place)'")
    case let state:
      return Finding(
        what: "store", state: .missing,
        text: "'\(place)' is \(state ?? "in an unknown state"), and new requests are refused; see the center's log")
    }
  }

  /// The center ignores such a file, and reads the others.
  private func categoryFiles(_ health: CenterHealth) -> [Finding] {
    health.categoryProblems.map { Finding(what: "category file", state: .degraded, text: $0) }
  }

  /// Requests that wait for such a condition come as soon as its source is there.
  private func conditions(_ health: CenterHealth) -> [Finding] {
    health.conditionProblems.map { Finding(what: "condition", state: .degraded, text: $0) }
  }

  /// What such a calendar said before stays pending.
  private func calendars(_ health: CenterHealth) -> [Finding] {
    health.calendarProblems.map { Finding(what: "calendar", state: .degraded, text: $0) }
  }

  /// Such a push is shown without buttons.
  private func pushes(_ health: CenterHealth) -> [Finding] {
    health.pushProblems.map { Finding(what: "push", state: .degraded, text: "shown without buttons: \($0)") }
  }

  /// They wait for a day at most.
  private func outbox(_ health: CenterHealth) -> [Finding] {
    health.outboxProblems.map { Finding(what: "outbox", state: .degraded, text: $0) }
  }

  /// The user's own decision, which is easily forgotten: nothing of these apps is shown.
  static func denied(_ apps: [AppSettings]) -> Finding? {
    let denied = apps.filter { $0.isDecided && !$0.allowed.contains(.alert) }.map(\.app)
    guard !denied.isEmpty else { return nil }
    let names = denied.prefix(5).map { "'\(PrintableText.line($0, atMost: 60))'" }.joined(separator: ", ")
    let own = denied.contains(NotificationRequest.defaultApp) ? ", and so nothing that 'suzu notify' sends" : ""
    return Finding(
      what: "denied apps", state: .degraded,
      text:
        "notifications of \(names)\(denied.count > 5 ? " and others" : "") are not shown\(own); to change that, run "
        + "'suzu apps allow APP'")
  }

  /// Quiet hours, which explain why nothing is shown; nil if the user has none.
  static func quiet(_ report: QuietReport, time: LocalTime = .current()) -> Finding? {
    guard let end = report.end else {
      if report.hours.isUnset { return nil }
      let hours = report.hours.hours.map { PrintableText.line($0, atMost: 60) }.prefix(3).joined(separator: ", ")
      return Finding(what: "quiet hours", state: .good, text: hours.isEmpty ? "not now" : "not now; they are \(hours)")
    }
    return Finding(
      what: "quiet hours", state: .degraded,
      text: "\(QuietText(time: time).until(end)); held: \(report.held); still shown: "
        + "\(QuietText.passing(report.limit)); 'suzu quiet off' ends them")
  }

  /// - Parameter wanted: how many of the next requests are to be spoken.
  static func speech(_ wanted: Int, isInstalled: Bool) -> Finding? {
    guard wanted > 0 else { return nil }
    let requests = wanted == 1 ? "1 pending request" : "\(wanted) pending requests"
    return isInstalled
      ? Finding(what: "speech", state: .good, text: "Speech Dispatcher speaks \(requests)")
      : Finding(
        what: "speech", state: .degraded,
        text: "\(requests) will not be spoken; install speech-dispatcher, and a voice such as espeak-ng")
  }

  private func zone(_ health: CenterHealth) -> Finding {
    if let problem = health.zoneProblem { return Finding(what: "time zone", state: .degraded, text: problem) }
    return Finding(what: "time zone", state: .good, text: health.zone ?? "?")
  }

  private func clock(_ health: CenterHealth) -> Finding {
    let isKept = health.isClockSynchronized
    return Finding(
      what: "clock", state: isKept ? .good : .degraded,
      text: isKept
        ? "synchronized" : "not synchronized; run 'timedatectl set-ntp true'")
  }

  private func wake(_ health: CenterHealth) -> Finding {
    let obstacle = health.wakeObstacle
    return Finding(
      what: "waking the machine", state: obstacle == nil ? .good : .degraded,
      text: obstacle.map { $0 + "; notifications due during sleep are shown on waking" } ?? "yes")
  }
}
