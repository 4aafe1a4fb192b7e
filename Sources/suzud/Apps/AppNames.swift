// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The names of apps, as shown to the user.
struct AppNames {
  /// The name of the app's desktop entry; nil if there is none.
  let entryName: @Sendable (_ app: String) -> String?

  /// A desktop entry can claim any name, so the name of a sandboxed app is followed by its id.
  func name(of app: String, isSandboxed: Bool) -> String {
    let id = DisplayText.line(app)
    if app == NotificationRequest.defaultApp { return "Suzu" }
    guard let name = entryName(app).map(DisplayText.line), !name.isEmpty, name != id else { return id }
    return isSandboxed ? "\(name) (\(id))" : name
  }
}
