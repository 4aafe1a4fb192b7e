// SPDX-License-Identifier: Apache-2.0

/// The words for why a request was shown or not, and how it ended: `suzu history` and `suzu why` use the same ones.
extension ListedRequest {
  /// The word for a notification that has not ended.
  package static let onScreen = "on the screen"
  /// Why nothing is known about a condition until its source has answered for the first time.
  package static let unreadCondition = "its state has not been read yet"
  /// What a held request waits for, if that is no date.
  public static let back = "back"
  /// What a request waits for that quiet hours hold until the user turns them off.
  public static let quietOff = "quiet off"
  /// What a request waits for that is held while *Do not disturb* of the desktop is on.
  public static let desktop = "desktop"
  /// The word for a request whose date has come.
  package static let waits = "waits to be shown"

  /// Why a notification was shown or not, and how it ended, with the button that was pressed.
  package var shownReason: String { answered ?? ending }

  /// The button that ended the notification; nil if none did. The center closes a notification after its answer, so the
  /// reason alone would be that of `suzu dismiss`.
  private var answered: String? {
    guard state == .closed, reason == RequestEnd.withdrawn.rawValue, let action else { return nil }
    return action == Action.defaultID ? "answered" : "answered: \(action)"
  }

  /// `held until 2026-11-24 17:00`; nil if it is not held.
  private var heldText: String? {
    guard let held else { return nil }
    switch held {
    case Self.back: return "held until you are back"
    case Self.quietOff: return "held until you turn quiet hours off"
    case Self.desktop: return "held until 'Do not disturb' of the desktop is off"
    default: return "held until " + held.prefix(16).replacing("T", with: " ")
    }
  }

  /// Why a request was shown or not, and why it ended, in words that are not also the name of another state.
  package var ending: String {
    switch state {
    case .due: heldText ?? Self.waits
    case .delivered: Self.onScreen
    case .unanswered: state.rawValue
    case .expired: "too late"
    case .closed where reason == RequestEnd.expired.rawValue: RequestEnd.expired.listedText
    // 'replaced' alone would mean that another notification was on the screen.
    case .closed where reason == RequestEnd.replaced.rawValue && shown == nil: "edited"
    case .closed: reason ?? state.rawValue
    // The error of the server, or of reading it.
    case .failed: reason.map { $0 == state.rawValue ? $0 : "\(state.rawValue): \($0)" } ?? state.rawValue
    default: state.rawValue
    }
  }
}

extension RequestEnd {
  /// The reason as a listing shows it: the state `expired` means that a date came too late.
  package var listedText: String { self == .expired ? "expired on screen" : rawValue }
}
