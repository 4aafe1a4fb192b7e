// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Zoneinfo

/// Why a date of a request was shown, late or not shown, in a sentence.
struct Reason {
  private let row: ListedRequest
  private let request: NotificationRequest?
  private let isAllowed: Bool?
  private let isBeingShown: Bool

  private var occasions: Schedule.Occasions? { request?.schedule.occasions }

  /// Less than this is not called late.
  private static let punctual = 60

  /// - Parameters:
  ///   - isAllowed: whether the user lets the app show notifications; nil if there is a question about it.
  ///   - isBeingShown: whether nothing keeps the notification server from showing what is due.
  init(_ row: ListedRequest, isAllowed: Bool? = true, isBeingShown: Bool = false) {
    self.row = row
    self.isAllowed = isAllowed
    self.isBeingShown = isBeingShown
    request = try? row.request()
  }

  /// The sentence, without its date.
  var text: String {
    switch row.state {
    case .pending: pending
    case .due where row.held != nil: "has come" + cause + ", and is \(row.ending)"
    case .due where isAllowed != nil && isBeingShown: "has come" + cause + ", and is being shown now"
    case .due:
      "has come" + cause + ", and waits until "
        + (isAllowed == nil
          ? "you allow its app; see 'suzu apps'" : "a notification server accepts it; see 'suzu doctor'")
    case .expired: "did not come: it was later than its 'grace' allows" + noticed
    case .skipped: "did not come: it was missed, and its 'missed' is 'skip'" + noticed
    case .folded:
      "came as a part of a digest: "
        + (holder.map { "\($0) held it" } ?? "too many notifications of its app came at once, or it was held")
    case .failed: "did not come: " + (row.reason ?? "the notification server rejected it")
    case .unanswered where row.shown == nil: "came, but too many of its app came at once" + comesAgain
    default: row.shown == nil ? unseen : seen
    }
  }

  private var pending: String {
    if isAllowed == false { return "will not be shown: " + notAllowed }
    guard let occasions else { return row.next == nil ? "waits: its next date is not known" : "will come then" }
    if let obstacle = row.obstacle {
      return "waits for '\(occasions.condition.text)': nothing is known, because \(obstacle)"
    }
    let state = row.holds.map { $0 ? ", which is true now" : ", which is false now" } ?? ""
    let isPast =
      row.holds == true && occasions.condition.edge == .enter
      || row.holds == false && occasions.condition.edge == .leave
    let must = isPast && occasions.condition.hold == nil ? " and must change back first" : ""
    let never = row.met == nil ? "; that has not happened yet" : ""
    return "waits for '\(occasions.condition.text)'" + state + must + never
  }

  private var seen: String {
    var text = "came" + cause
    if let late, late >= Self.punctual {
      let why = holder.map { ": \($0) held it" } ?? (noticed.isEmpty ? Self.whileServer : noticed)
      text += ", \(Duration.seconds(late).text) late" + why
    } else if let holder, row.shownCount < 2 {
      text += ", as soon as \(holder) let it"
    } else if row.event["late"] == nil {
      text += ", on time"
    }
    if row.missed > 0 { text += "; it stands for \(row.missed) more" }
    if row.shownCount > 1 {
      text += "; shown \(row.shownCount) times" + (holder.map { ", and \($0) held one of them" } ?? "")
    }
    if let step = row.showings.last?.step, step > 0 { text += ", the last time with step \(step) of its escalation" }
    for push in row.pushes { text += "; step \(push.step): \(push.words)" }
    if row.state == .delivered { return text + "; it is on the screen" + comesAgain }
    if row.state == .unanswered { return text + "; it was not answered" + comesAgain }
    return text + "; then: " + row.shownReason + (row.outcome.map { " (\($0.description))" } ?? "")
  }

  /// What has held it.
  private var holder: String? {
    switch row.heldBy {
    case .quiet: "quiet hours"
    case .delivery: "the times of delivery of its app"
    case .away: "your absence"
    default: nil
    }
  }

  private var comesAgain: String { row.again == nil ? "" : ", and is shown again" }

  private var unseen: String {
    switch row.reason.flatMap(RequestEnd.init(rawValue:)) {
    // Perhaps long before its date.
    case .cancelled: "cancelled before it was shown"
    case .replaced: "edited before it was shown, or replaced by another request with this id"
    case .notAllowed: "did not come: " + notAllowed
    case .muted: "did not come: you have muted it; see 'suzu mute --list'"
    case .presented: "came: its app was in front, and showed it itself"
    case .silent: "was a silent push: it was handed to its app, and not shown"
    case .lapsed: "did not come: it was a push, and expired before it could be shown"
    default: "did not come: " + (row.reason ?? "the reason is not known")
    }
  }

  private var notAllowed: String {
    // Only if the app is allowed, it can be what the app would have learned.
    let sense = isAllowed == false ? nil : request?.sense.map { ", or to know about \($0.rawValue)" }
    return "you do not allow its app to notify you\(sense ?? ""); see 'suzu apps'"
  }

  /// What it came for.
  private var cause: String {
    guard case .text(let condition)? = row.event["condition"] else { return "" }
    let details = row.event.filter { !["condition", "edge", "late"].contains($0.key) }.sorted { $0.key < $1.key }
      .prefix(4).map { key, value in
        if case .text(let text) = value { "\(key) \(text)" } else { key }
      }
    let late = row.event["late"] == nil ? "" : ", while the center did not run"
    return " because of '\(condition)'" + (details.isEmpty ? "" : " (\(details.joined(separator: ", ")))") + late
  }

  private static let whileServer = ": until then, no notification server accepted it, or its app was not allowed yet"

  private var noticed: String {
    row.noticed == nil ? "" : ": until then, the center did not run, or the machine slept or was off"
  }

  /// How late it was shown, in seconds; nil if it was not shown.
  var late: Int? {
    guard let due = row.due.flatMap({ Instant(rfc3339: $0) }), let shown = row.shown.flatMap({ Instant(rfc3339: $0) })
    else { return nil }
    return Int(max(0, shown.seconds - due.seconds))
  }
}
