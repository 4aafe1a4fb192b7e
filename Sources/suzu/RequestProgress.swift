// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// Which of the events about an id are about the request that was made last, and not about an earlier one of that id that
/// may still be on the screen.
struct RequestProgress {
  private var isDelivered = false
  /// How it ended after it was delivered.
  private var ended: RequestEnd?
  /// Ends by replacement before it was delivered itself: of the earlier one if a delivery in its place follows.
  private(set) var unclear = 0

  /// Returns whether the request has ended, as far as is known; `replaced` may turn out to be the earlier one's end until
  /// a moment has passed: ``unclear`` is 0 then.
  mutating func closed(_ end: RequestEnd) -> RequestEnd? {
    if isDelivered {
      ended = end
      return end
    }
    switch end {
    // What was never delivered cannot leave the screen.
    case .expired, .dismissed, .withdrawn, .vanished, .unknown: return nil
    case .replaced:
      unclear += 1
      return end
    case .cancelled, .folded, .notAllowed, .presented, .skipped, .late, .failed: return end
    }
  }

  /// - Parameter replaces: it took the place of an earlier one on the screen, whose end was told just before.
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
  /// What a person is told who waits for an answer; nil: that it was put away, or that its time is over, goes without
  /// saying.
  var remark: String? {
    switch self {
    case .expired, .dismissed: nil
    case .withdrawn: "a program took the notification from the screen"
    case .vanished: "the notification server ended, and the notification with it"
    case .unknown: "the notification left the screen; the server did not say why"
    case .replaced: "a newer notification with the same id took its place"
    case .cancelled: "the notification was cancelled"
    case .folded: "too many notifications came at once; a digest stands for this one, see 'suzu history'"
    case .notAllowed: "the app is not allowed to show notifications; see 'suzu apps'"
    case .presented: "the app was in front, and presented the notification by itself"
    case .skipped: "the date was missed, and 'missed' is 'skip'"
    case .late: "the date was missed by more than 'grace'"
    case .failed: "the notification could not be shown; see 'suzu history'"
    }
  }
}
