// SPDX-License-Identifier: Apache-2.0
package import NotificationModel
internal import Zoneinfo

/// Quiet hours of an app, or of all apps together, at a moment.
package struct QuietFacts: Hashable, Sendable {
  /// What the user has decided.
  package var hours = QuietHours()
  /// The lowest level that is shown during quiet hours.
  package var limit = QuietLimit.usual
  /// When it is no longer quiet; nil if it is not quiet.
  package var end: QuietEnd?
  /// How many requests wait for the end.
  package var held = 0

  package init() {}

  package init(_ hours: QuietHours, limit: QuietLimit, end: QuietEnd?, held: Int) {
    (self.hours, self.limit, self.end, self.held) = (hours, limit, end, held)
  }

  package var isQuiet: Bool { end != nil }

  /// `Quiet until Tomorrow 07:00, in 8 h 41 min; 3 are held`
  package func state(_ clock: LocalClock) -> String {
    let count = held == 0 ? "" : held == 1 ? "; 1 is held" : "; \(held) are held"
    guard let end else { return "Not quiet now" + count }
    switch end {
    case .at(let seconds): return "Quiet until \(clock.words(Instant(seconds)))\(count)"
    case .whenTurnedOff: return "Quiet until you turn it off\(count)"
    case .whenDesktopAllows: return "Quiet while the desktop does not want to be disturbed\(count)"
    }
  }

  /// The same in a row: `quiet until 07:00`; nil if it is not quiet.
  package func remark(_ clock: LocalClock) -> String? {
    switch end {
    case .at(let seconds): "quiet until \(clock.minute(Instant(seconds)))"
    case .whenTurnedOff: "quiet until you turn it off"
    case .whenDesktopAllows: "quiet with the desktop"
    case nil: nil
    }
  }
}

extension QuietLimit {
  /// What comes during quiet hours.
  package var label: String {
    switch self {
    case .all: "Everything"
    case .active: "Everything but passive ones"
    case .timeSensitive: "Time-sensitive and critical ones"
    case .critical: "Critical ones"
    case .nothing: "Nothing"
    }
  }
}
