// SPDX-License-Identifier: Apache-2.0

/// Which notifications come during quiet hours: those with at least this level.
public enum QuietLimit: String, Sendable, CaseIterable {
  /// Everything comes, as if there were no quiet hours.
  case all
  /// Everything but `passive` comes.
  case active
  /// `timeSensitive` and `critical` come.
  case timeSensitive
  /// Only `critical` comes.
  case critical
  /// Nothing comes.
  case nothing

  /// What comes unless the user has chosen something else.
  public static let usual = QuietLimit.timeSensitive

  /// Whether notifications of a level come.
  public func lets(_ level: NotificationRequest.Level) -> Bool {
    switch self {
    case .all: true
    case .active: level != .passive
    case .timeSensitive: level == .timeSensitive || level == .critical
    case .critical: level == .critical
    case .nothing: false
    }
  }
}

/// What makes it quiet for an app at a moment.
package struct QuietCauses: Hashable, Sendable {
  /// Quiet hours are on until the user turns them off.
  package var isOn = false
  /// They are on until a moment, in seconds since 1970; nil if they are not.
  package var onUntil: Int64?
  /// It is one of the times of day that the user has chosen, and this is its end; nil if it is not.
  package var hoursUntil: Int64?
  /// *Do not disturb* of the desktop is on, and counts.
  package var isDesktopQuiet = false

  /// No cause.
  package init() {}

  /// Whether it is quiet.
  package var areAny: Bool { self != QuietCauses() }

  /// The causes of both: those for all apps, and those for one.
  package func union(_ other: QuietCauses) -> QuietCauses {
    func later(_ one: Int64?, _ other: Int64?) -> Int64? { [one, other].compactMap(\.self).max() }
    var both = self
    both.isOn = isOn || other.isOn
    both.onUntil = later(onUntil, other.onUntil)
    both.hoursUntil = later(hoursUntil, other.hoursUntil)
    both.isDesktopQuiet = isDesktopQuiet || other.isDesktopQuiet
    return both
  }

  /// When it is no longer quiet; nil if it is not quiet.
  package var end: QuietEnd? {
    if isOn { return .whenTurnedOff }
    if isDesktopQuiet { return .whenDesktopAllows }
    return [onUntil, hoursUntil].compactMap(\.self).max().map { .at($0) }
  }
}

/// When it is no longer quiet.
public enum QuietEnd: Hashable, Sendable {
  /// At a moment, in seconds since 1970.
  case at(Int64)
  /// When the user turns quiet hours off.
  case whenTurnedOff
  /// When *Do not disturb* of the desktop is off.
  case whenDesktopAllows
}

/// The rules of quiet hours: whether a notification comes now, or waits, and until when. A pure function of its values.
package struct QuietRule: Hashable, Sendable {
  /// The level of the notification.
  package var level: NotificationRequest.Level
  /// Whether the user has set it as an alarm: ``NotificationRequest/isOwnAlarm``.
  package var isAlarm: Bool
  /// What the user lets come during quiet hours.
  package var limit: QuietLimit
  /// The choice for its app; nil if the user has made none.
  package var appLimit: QuietLimit?
  /// What makes it quiet.
  package var causes: QuietCauses

  /// Creates a rule from its values.
  package init(
    _ level: NotificationRequest.Level, isAlarm: Bool = false, limit: QuietLimit = .usual, appLimit: QuietLimit? = nil,
    causes: QuietCauses
  ) {
    self.level = level
    self.isAlarm = isAlarm
    self.limit = limit
    self.appLimit = appLimit
    self.causes = causes
  }

  /// The level that counts: an alarm that the user has set needs attention then, unless it says that it does not.
  package var countedLevel: NotificationRequest.Level { isAlarm && level == .active ? .timeSensitive : level }

  /// Whether its level comes, whatever makes it quiet.
  package var passes: Bool { (appLimit ?? limit).lets(countedLevel) }

  /// What the notification waits for; nil if it comes now.
  package var wait: QuietEnd? { passes ? nil : causes.end }
}

extension NotificationRequest {
  /// Whether it is an alarm that the user has set: a request of `suzu notify` for a time, that rings, wakes the machine
  /// or stays on the screen.
  package var isOwnAlarm: Bool {
    guard app == .suzu, !schedule.isNow, schedule.occasions == nil else { return false }
    return content.style == .alert || schedule.wake || content.sound.map { $0 != .silent } ?? false
  }
}
