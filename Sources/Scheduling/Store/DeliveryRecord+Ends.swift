// SPDX-License-Identifier: Apache-2.0
package import NotificationModel

extension DeliveryRecord.State {
  /// The state in a listing.
  package var listed: ListedRequest.State {
    switch self {
    case .intent: .due
    case .shown: .delivered
    case .closed: .closed
    case .expired: .expired
    case .skipped: .skipped
    case .folded: .folded
    case .failed: .failed
    }
  }
}

extension RequestEnd {
  /// Whether the user has not answered, so that a notification that is shown again until then goes on.
  package var leavesUnanswered: Bool {
    switch self {
    case .expired, .vanished, .unknown, .folded, .muted, .failed: true
    // An answer, or the end of the request itself.
    case .dismissed, .acknowledged, .withdrawn, .replaced, .cancelled, .notAllowed, .presented, .skipped, .late,
      .silent, .lapsed:
      false
    }
  }

  /// Its state in the store.
  package var state: DeliveryRecord.State {
    switch self {
    case .expired, .dismissed, .acknowledged, .withdrawn, .vanished, .unknown, .replaced, .cancelled, .notAllowed,
      .muted, .presented, .silent, .lapsed:
      .closed
    case .folded: .folded
    case .skipped: .skipped
    case .late: .expired
    case .failed: .failed
    }
  }

  /// The end behind a state that the store sets by itself; nil for other states.
  package init?(_ state: DeliveryRecord.State) {
    switch state {
    case .skipped: self = .skipped
    case .expired: self = .late
    case .failed: self = .failed
    case .intent, .shown, .closed, .folded: return nil
    }
  }
}
