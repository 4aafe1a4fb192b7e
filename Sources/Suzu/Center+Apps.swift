// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
public import NotificationModel

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
    .strings(NoticeKind.texts(kinds))
  }
}
