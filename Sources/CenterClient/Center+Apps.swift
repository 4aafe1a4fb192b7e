// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
public import NotificationModel

extension Center {
  /// Asks for ways in which the app may notify the user; returns the allowed ones. Unless the app is trusted the user
  /// is asked, once, and this waits for the answer.
  public func register(app: String, for kinds: Set<NoticeKind>) async throws(SuzuError) -> Set<NoticeKind> {
    let allowed = try await call(CenterMethods.register, app, NoticeKind.texts(kinds), limit: .seconds(86_400))
    return Set(allowed.compactMap(NoticeKind.init))
  }

  /// The app's current settings.
  public func settings(app: String) async throws(SuzuError) -> AppSettings {
    AppSettings(try await call(CenterMethods.settings, app), of: app)
  }

  /// Whether the user has decided not to see the app's notifications. Reads only that of its settings: `suzu notify`
  /// asks beside each request.
  package func deniesAlerts(app: String) async throws(SuzuError) -> Bool {
    let settings = try await call(CenterMethods.settings, app)
    return settings["decided"]?.boolean == true
      && settings["allowed"]?.strings?.contains(NoticeKind.alert.rawValue) != true
  }

  /// The settings of every app that asked or that the user decided about.
  public func apps() async throws(SuzuError) -> [AppSettings] {
    try await call(CenterMethods.apps).map { AppSettings($0, of: "") }
  }

  /// Allows the app exactly these kinds, as the user's decision.
  public func allow(app: String, _ kinds: Set<NoticeKind>) async throws(SuzuError) {
    try await call(CenterMethods.allow, app, NoticeKind.texts(kinds))
  }

  /// Changes when the app's notifications come: its `passive` ones together at times of day, or nil for at once; and
  /// what its banners do while the user is away.
  public func configure(app: String, delivery: DeliveryTimes?, away: AwayRule) async throws(SuzuError) {
    try await call(
      CenterMethods.configure, app,
      ["deliver": .strings(delivery?.texts ?? []), "away": .string(away.rawValue)])
  }

  /// Changes when the texts of the app's notifications are shown.
  public func configure(app: String, previews: Previews) async throws(SuzuError) {
    try await call(CenterMethods.configure, app, ["previews": .string(previews.rawValue)])
  }

  /// Forgets the user's decision about the app.
  public func reset(app: String) async throws(SuzuError) { try await call(CenterMethods.reset, app) }

  /// Shows a number on the app's launcher; 0 removes it. It stays after the program has ended.
  public func setBadge(_ number: Int, app: String) async throws(SuzuError) {
    try await call(CenterMethods.setBadge, app, UInt32(clamping: number))
  }

  /// The number on the app's launcher; 0 for none.
  public func badge(app: String) async throws(SuzuError) -> Int { Int(try await call(CenterMethods.badge, app)) }
}
