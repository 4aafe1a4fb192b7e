// SPDX-License-Identifier: Apache-2.0

/// The ways in which an app may notify the user.
public enum NoticeKind: String, Sendable, CaseIterable {
  /// Notifications on the screen.
  case alert
  /// A number on the app's launcher.
  case badge
  /// Sounds.
  case sound

  /// The names of the kinds, in the order of their declaration.
  public static func texts(_ kinds: Set<NoticeKind>) -> [String] { allCases.filter(kinds.contains).map(\.rawValue) }
}

/// An app's requested and allowed ways to notify the user.
public struct AppSettings: Hashable, Sendable {
  /// The app's id.
  public var app: String
  /// The kinds the app registered for.
  public var asked: Set<NoticeKind>
  /// The kinds the app may use.
  public var allowed: Set<NoticeKind>
  /// Whether the user has decided.
  public var isDecided: Bool

  /// Creates settings; by default those of an app that never asked, which may do everything.
  public init(
    app: String, asked: Set<NoticeKind> = [], allowed: Set<NoticeKind> = Set(NoticeKind.allCases),
    isDecided: Bool = false
  ) {
    self.app = app
    self.asked = asked
    self.allowed = allowed
    self.isDecided = isDecided
  }
}
