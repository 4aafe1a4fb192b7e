// SPDX-License-Identifier: Apache-2.0
internal import DBus

/// In which ways an app may be noticed.
public enum NoticeKind: String, Sendable, CaseIterable {
  /// Notifications on the screen.
  case alert
  /// A number on its launcher.
  case badge
  /// Sounds.
  case sound
}

/// What an app asked to be allowed, and what the user allows it.
public struct AppSettings: Hashable, Sendable {
  /// Whose.
  public let app: String
  /// What it registered for.
  public let asked: Set<NoticeKind>
  /// What it may do.
  public let allowed: Set<NoticeKind>
  /// Whether the user has said so.
  public let isDecided: Bool

  init(_ words: [String: Value], of app: String) {
    func kinds(_ key: String) -> Set<NoticeKind> { Set((words[key]?.strings ?? []).compactMap(NoticeKind.init)) }
    self.app = words["app"]?.string ?? app
    (asked, allowed, isDecided) = (kinds("asked"), kinds("allowed"), words["decided"]?.boolean ?? false)
  }
}

extension Center {
  /// Asks for ways in which the app may be noticed; returns those that it may. Where nobody vouches for the app the user
  /// is asked, once, and this waits for the answer.
  public func register(app: String, for kinds: Set<NoticeKind>) async throws(SuzuError) -> Set<NoticeKind> {
    let reply = try await call("Register", [.string(app), Self.value(kinds)], limit: .seconds(86_400))
    return Set((reply.first?.strings ?? []).compactMap(NoticeKind.init))
  }

  /// What the app may do.
  public func settings(app: String) async throws(SuzuError) -> AppSettings {
    AppSettings(try await call("Settings", [.string(app)]).first?.properties ?? [:], of: app)
  }

  /// The settings of every app that asked, or that was decided about.
  public func apps() async throws(SuzuError) -> [AppSettings] {
    (try await call("Apps", []).first?.elements ?? []).compactMap { $0.properties.map { AppSettings($0, of: "") } }
  }

  /// The user's word: the app may be noticed in these ways, and no others.
  public func allow(app: String, _ kinds: Set<NoticeKind>) async throws(SuzuError) {
    _ = try await call("Allow", [.string(app), Self.value(kinds)])
  }

  private static func value(_ kinds: Set<NoticeKind>) -> Value {
    .strings(NoticeKind.allCases.filter(kinds.contains).map(\.rawValue))
  }
}
