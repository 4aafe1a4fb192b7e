// SPDX-License-Identifier: Apache-2.0

/// The ways in which an app may notify the user, and what it may learn by the conditions of its requests.
public enum NoticeKind: String, Sendable, CaseIterable {
  /// Notifications on the screen.
  case alert
  /// A number on the app's launcher.
  case badge
  /// Sounds.
  case sound
  /// Whether the machine is at a place.
  case places
  /// Whether a network is connected.
  case networks

  /// The ways to notify the user. They are decided on together.
  public static let ways: Set<NoticeKind> = [.alert, .badge, .sound]
  /// What an app may learn by conditions. The user decides on each, if the app is sandboxed; other apps can find it out
  /// by themselves.
  public static let senses: Set<NoticeKind> = [.places, .networks]

  /// The names of the kinds, in the order of their declaration.
  public static func texts(_ kinds: Set<NoticeKind>) -> [String] { allCases.filter(kinds.contains).map(\.rawValue) }
}

/// What an app's banners do while the user is away: the session is locked, or there was no input for a while.
public enum AwayRule: String, Sendable, CaseIterable {
  /// They come, and expire as always.
  case show
  /// They come, and none expires before the user is back.
  case keep
  /// None expires before the user is back, and those that come wait for that, except `timeSensitive` and `critical`
  /// ones.
  case hold
}

/// An app's requested and allowed ways to notify the user.
public struct AppSettings: Hashable, Sendable {
  /// The app's id.
  public var app: String
  /// The kinds the app registered for.
  public var asked: Set<NoticeKind>
  /// The kinds the app may use.
  public var allowed: Set<NoticeKind>
  /// The kinds that the user has denied, out of ``NoticeKind/senses``; the user is asked about the rest.
  public var denied: Set<NoticeKind> = []
  /// Whether the user has decided on the ways to notify.
  public var isDecided: Bool
  /// The times of day at which its `passive` notifications come together; nil if each comes at once.
  public var delivery: DeliveryTimes?
  /// What its banners do while the user is away.
  public var away = AwayRule.show
  /// When the texts of its notifications are shown.
  public var previews = Previews.always

  /// Creates settings; by default those of an app that never asked, which may notify in every way.
  public init(
    app: String, asked: Set<NoticeKind> = [], allowed: Set<NoticeKind> = NoticeKind.ways,
    isDecided: Bool = false
  ) {
    self.app = app
    self.asked = asked
    self.allowed = allowed
    self.isDecided = isDecided
  }
}
