// SPDX-License-Identifier: Apache-2.0
internal import DBus

/// The ways in which an app may notify the user.
public enum NoticeKind: String, Sendable, CaseIterable {
  /// Notifications on the screen.
  case alert
  /// A number on the app's launcher.
  case badge
  /// Sounds.
  case sound
}

/// An app's requested and allowed ways to notify the user.
public struct AppSettings: Hashable, Sendable {
  /// The app's id.
  public let app: String
  /// The kinds the app registered for.
  public let asked: Set<NoticeKind>
  /// The kinds the app may use.
  public let allowed: Set<NoticeKind>
  /// Whether the user has decided.
  public let isDecided: Bool

  init(_ words: [String: Value], of app: String) {
    func kinds(_ key: String) -> Set<NoticeKind> { Set((words[key]?.strings ?? []).compactMap(NoticeKind.init)) }
    self.app = words["app"]?.string ?? app
    (asked, allowed, isDecided) = (kinds("asked"), kinds("allowed"), words["decided"]?.boolean ?? false)
  }
}

extension Center {
  /// Asks for ways in which the app may notify the user; returns the allowed ones. Unless the app is trusted the user
  /// is asked, once, and this waits for the answer.
  public func register(app: String, for kinds: Set<NoticeKind>) async throws(SuzuError) -> Set<NoticeKind> {
    let reply = try await call("Register", [.string(app), Self.value(kinds)], limit: .seconds(86_400))
    return Set((reply.first?.strings ?? []).compactMap(NoticeKind.init))
  }

  /// The app's current settings.
  public func settings(app: String) async throws(SuzuError) -> AppSettings {
    AppSettings(try await call("Settings", [.string(app)]).first?.properties ?? [:], of: app)
  }

  /// The settings of every app that asked or that the user decided about.
  public func apps() async throws(SuzuError) -> [AppSettings] {
    (try await call("Apps", []).first?.elements ?? []).compactMap { $0.properties.map { AppSettings($0, of: "") } }
  }

  /// Allows the app exactly these kinds, as the user's decision.
  public func allow(app: String, _ kinds: Set<NoticeKind>) async throws(SuzuError) {
    _ = try await call("Allow", [.string(app), Self.value(kinds)])
  }

  private static func value(_ kinds: Set<NoticeKind>) -> Value {
    .strings(NoticeKind.allCases.filter(kinds.contains).map(\.rawValue))
  }
}
