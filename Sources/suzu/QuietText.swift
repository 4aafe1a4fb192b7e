// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import Glibc
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

/// Quiet hours in words.
struct QuietText {
  let time: LocalTime

  private var rules: ZoneRules { (try? time.rules(nil)) ?? .utc }

  /// `until Wed 2026-11-25 07:00`.
  func until(_ end: QuietEnd) -> String {
    switch end {
    case .at(let seconds): "until \(rules.shortText(Instant(seconds)))"
    case .whenTurnedOff: "until you turn quiet hours off"
    case .whenDesktopAllows: "until 'Do not disturb' of the desktop is off"
    }
  }

  /// What is said about turning them off.
  func remark(off report: QuietReport) -> String {
    if let end = report.end {
      return report.app == nil
        ? "still quiet \(until(end))"
        : "still quiet \(until(end)), like all apps; 'suzu quiet pass all --app APP' lets an app through"
    }
    if let skipped = report.hours.skippedUntil, skipped > time.now.seconds {
      return "not quiet; the hours that end at \(rules.shortText(Instant(skipped))) are skipped"
    }
    return "not quiet"
  }

  /// What is shown during quiet hours, in words.
  static func passing(_ limit: QuietLimit) -> String {
    switch limit {
    case .all: "everything"
    case .active: "active, timeSensitive and critical"
    case .timeSensitive: "timeSensitive and critical"
    case .critical: "critical only"
    case .nothing: "nothing"
    }
  }

  /// The lines of `suzu quiet show`.
  func lines(_ report: QuietReport, _ apps: [QuietReport]) -> [String] {
    var lines = [state(report), "shown anyway: \(Self.passing(report.limit))"]
    lines += report.hours.hours.map { "hours: \(PrintableText.line($0, atMost: QuietHours.longestText))" }
    if let skipped = report.hours.skippedUntil, skipped > time.now.seconds {
      lines.append("skipped: until \(rules.shortText(Instant(skipped)))")
    }
    if report.app == nil {
      if report.hours.followsDesktop { lines.append("also quiet: while 'Do not disturb' of the desktop is on") }
      lines.append("afterwards: \(report.hours.comesOneByOne ? "each by itself" : "one notification for all")")
    }
    for app in apps {
      let own = app.hours.limit.map { ["\(Self.passing($0)) comes"] } ?? []
      let parts = [app.end.map { "quiet \(until($0))" }].compactMap(\.self) + own + app.hours.hours
      lines.append("\(PrintableText.line(app.app ?? "", atMost: 200)): \(parts.joined(separator: "; "))")
    }
    return lines
  }

  /// `quiet: until Wed 2026-11-25 07:00, in 8 h 41 min; 3 held`.
  private func state(_ report: QuietReport) -> String {
    guard let end = report.end else { return "quiet: no" + held(report) }
    var distance = ""
    if case .at(let seconds) = end { distance = ", \(Distance.text(seconds - time.now.seconds))" }
    return "quiet: \(until(end))\(distance)\(held(report))"
  }

  private func held(_ report: QuietReport) -> String { report.held == 0 ? "" : "; \(report.held) held" }

  // MARK: JSON

  func json(_ report: QuietReport, _ apps: [QuietReport]) -> String {
    var words = words(report)
    if report.app == nil {
      words["desktop"] = .flag(report.hours.followsDesktop)
      words["after"] = .text(report.hours.comesOneByOne ? "each" : "digest")
      words["apps"] = .list(apps.map { .dictionary(self.words($0)) })
    }
    return PlainValue.dictionary(words).json
  }

  private func words(_ report: QuietReport) -> [String: PlainValue] {
    var words: [String: PlainValue] = [
      "quiet": .flag(report.end != nil), "hours": .list(report.hours.hours.map { .text($0) }),
      "pass": .text(report.limit.rawValue), "held": .integer(Int64(report.held)),
    ]
    words["app"] = report.app.map { .text($0) }
    words["skipped"] = report.hours.skippedUntil.map { .text(Timestamp.text(time_t($0))) }
    switch report.end {
    case .at(let seconds): words["until"] = .text(Timestamp.text(time_t(seconds)))
    case .whenTurnedOff: words["until"] = .text(ListedRequest.quietOff)
    case .whenDesktopAllows: words["until"] = .text(ListedRequest.desktop)
    case nil: break
    }
    return words
  }
}
