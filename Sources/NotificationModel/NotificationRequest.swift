// SPDX-License-Identifier: Apache-2.0

/// A notification request: what to show, when, and with which buttons. JSON, property lists, the bus, flags and Swift
/// use the same keys.
///
/// A request that exists is valid: it was decoded, or made by an initializer with the same checks.
public struct NotificationRequest: Hashable, Sendable, Codable {
  /// The app that owns the request.
  public var app: AppID
  /// Unique within its app; a request with the same id replaces it. Nil until the center has generated one.
  public var id: RequestID?
  /// What it shows, and its buttons.
  public internal(set) var content: Content
  /// When it is shown.
  public var schedule: Schedule

  /// The urgency of a notification.
  public enum Level: String, Sendable, Codable, CaseIterable {
    /// Needs no attention now.
    case passive
    /// The default.
    case active
    /// Needs attention now.
    case timeSensitive
    /// Must be seen.
    case critical
  }

  /// How long a notification stays on the screen.
  public enum Style: String, Sendable, Codable, CaseIterable {
    /// It disappears by itself.
    case banner
    /// It stays until it is answered.
    case alert
  }

  /// When a notification leaves the screen by itself.
  public enum Expiry: Hashable, Sendable {
    /// Never.
    case never
    /// After this time.
    case after(Duration)
  }

  /// The id of the app of requests without one, as a text.
  public static let defaultApp = AppID.suzu.text

  /// The id of the app of the notifications that launch others, as a text.
  public static let launcherApp = AppID.launcher.text

  /// Creates a request; `fill` adds to its content:
  ///
  ///     let request = try NotificationRequest(title: "Tea is ready", schedule: .in(.seconds(240))) {
  ///       $0.body = "Green"
  ///       $0.level = .timeSensitive
  ///     }
  public init(
    app: AppID = .suzu, id: RequestID? = nil, title: String, schedule: Schedule = .now,
    _ fill: (inout Content) -> Void = { _ in }
  ) throws(RequestError) {
    var content = Content(title: title)
    fill(&content)
    try self.init(app: app, id: id, content, schedule: schedule)
  }

  /// Creates a request with this content.
  public init(
    app: AppID = .suzu, id: RequestID? = nil, _ content: Content, schedule: Schedule = .now
  ) throws(RequestError) {
    // The text of a negative duration would be that of zero.
    if case .after(let duration) = content.expires, duration < .zero {
      throw RequestError("expires", "must not be negative")
    }
    // Written and read back, so that one check serves all formats.
    var words: [String: PlainValue] = [:]
    Self(trusted: content, app: app, id: id, schedule: schedule).forEachWord { words[$0.rawValue] = $1 }
    try self.init(words)
  }

  /// Creates a request from a content that was checked before, or that only has texts of this package.
  package init(trusted content: Content, app: AppID, id: RequestID?, schedule: Schedule) {
    self.app = app
    self.id = id
    self.content = content
    self.schedule = schedule
  }

  /// The same request with another content.
  public func changing(_ change: (inout Content) -> Void) throws(RequestError) -> NotificationRequest {
    var content = content
    change(&content)
    return try NotificationRequest(app: app, id: id, content, schedule: schedule)
  }
}

// Changes that cannot make a request invalid.
extension NotificationRequest {
  /// Removes the icon.
  public mutating func removeIcon() { content.icon = nil }

  /// Removes the image.
  public mutating func removeImage() { content.image = nil }

  /// Removes the sound; the server decides.
  public mutating func removeSound() { content.sound = nil }

  /// Lets it make no sound.
  public mutating func silence() {
    content.sound = .silent
    content.speak = false
  }

  /// Removes the number on the app's launcher.
  public mutating func removeBadge() { content.badge = nil }
}
