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
  /// Its state in the store.
  package var state: DeliveryRecord.State {
    switch self {
    case .expired, .dismissed, .withdrawn, .vanished, .unknown, .replaced, .cancelled, .notAllowed, .muted, .presented:
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
