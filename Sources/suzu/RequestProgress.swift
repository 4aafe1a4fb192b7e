// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// Tells the events of a request from those of an earlier request with the same id that may still be on the screen.
struct RequestProgress {
  private var isDelivered: Bool
  /// How the request ended after it was delivered.
  private var ended: RequestEnd?
  /// The number of replacements reported before the delivery: each is the end of an earlier request if a delivery in
  /// its place follows.
  private(set) var unclear = 0

  /// - Parameter isDelivered: whether the request is on the screen already.
  init(isDelivered: Bool = false) { self.isDelivered = isDelivered }

  /// Returns how the request has ended, as far as known. `replaced` may turn out to be the end of an earlier request;
  /// ``unclear`` is 0 then.
  mutating func closed(_ end: RequestEnd) -> RequestEnd? {
    if isDelivered {
      ended = end
      return end
    }
    switch end {
    // A request that was never delivered cannot leave the screen.
    case .expired, .dismissed, .acknowledged, .withdrawn, .vanished, .unknown: return nil
    case .replaced:
      unclear += 1
      return end
    case .cancelled, .folded, .notAllowed, .muted, .presented, .silent, .lapsed, .skipped, .late, .failed:
      return end
    }
  }

  /// - Parameter replaces: whether it replaced an earlier request on the screen, whose end was reported just before.
  mutating func delivered(replacing replaces: Bool) -> RequestEnd? {
    if isDelivered { return nil }
    if replaces && unclear > 0 { unclear -= 1 }
    if unclear > 0 { return .replaced }
    isDelivered = true
    return nil
  }

  /// Whether an end that was returned a moment ago still stands.
  func stands(_ end: RequestEnd) -> Bool { end != .replaced || ended == .replaced || unclear > 0 }
}

extension RequestEnd {
  /// The explanation for a user who waits for an answer; nil if the user dismissed it or it expired.
  func remark(of app: String) -> String? {
    switch self {
    case .expired, .dismissed: nil
    case .acknowledged: "the notification was acknowledged with 'suzu ack'"
    case .withdrawn: "a program removed the notification from the screen"
    case .vanished: "the notification server ended, and the notification with it"
    case .unknown: "the notification left the screen for an unknown reason"
    case .replaced: "a newer notification with the same id replaced it"
    case .cancelled: "the notification was cancelled"
    case .folded: "too many notifications came at once; this one is part of a digest, see 'suzu history'"
    case .notAllowed:
      "'\(PrintableText.line(app, atMost: 60))' may not show notifications; to allow it, run 'suzu apps allow "
        + "\(PrintableText.line(app, atMost: 60))'"
    case .muted: "the notification is muted; 'suzu mute --list' says until when"
    case .presented: "the app was in front and presented the notification itself"
    case .silent: "it was a silent push, which is handed to its app and not shown"
    case .lapsed: "the push expired before it could be shown"
    case .skipped: "the date was missed, and 'missed' is 'skip'"
    case .late: "the date was missed by more than 'grace'"
    case .failed: "the notification could not be shown; see 'suzu history'"
    }
  }
}
