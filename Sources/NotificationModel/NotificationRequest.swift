// SPDX-License-Identifier: Apache-2.0

/// What somebody wants shown, when, and with which buttons: the same words in JSON, in a property list, on the bus, as
/// flags and in Swift.
public struct NotificationRequest: Hashable, Sendable, Codable {
  /// Whose it is: a desktop-entry id.
  public var app: String
  /// Unique within its app; the same id replaces. Nil until the center has made one up.
  public var id: String?
  /// Its headline.
  public var title: String
  /// A second headline.
  public var subtitle: String?
  /// Its text; plain, whatever it looks like.
  public var body: String?
  /// A name of the icon theme, a path or a file URL.
  public var icon: String?
  /// A picture beside the text: a name, a path or a file URL.
  public var image: String?
  /// 0 to 100.
  public var progress: Int?
  /// How urgent it is.
  public var level: Level
  /// Whether it goes by itself.
  public var style: Style
  /// When it goes from the screen; nil leaves it to the server.
  public var expires: Expiry?
  /// Its buttons.
  public var actions: [Action]
  /// What a click on the notification itself opens.
  public var url: String?
  /// Handed back untouched.
  public var userInfo: [String: PlainValue]
  /// Shows it once, after that time.
  public var delay: Duration?

  /// How urgent a notification is.
  public enum Level: String, Sendable, Codable, CaseIterable {
    /// Nobody need look now.
    case passive
    /// The usual.
    case active
    /// It matters now.
    case timeSensitive
    /// It must be seen.
    case critical
  }

  /// How long a notification keeps its place.
  public enum Style: String, Sendable, Codable, CaseIterable {
    /// It goes by itself.
    case banner
    /// It stays until it is answered.
    case alert
  }

  /// When a notification leaves the screen by itself.
  public enum Expiry: Hashable, Sendable {
    /// It does not.
    case never
    /// After that time.
    case after(Duration)
  }

  /// The app of requests that name none.
  public static let usualApp = "dev.suzu.Suzu"

  /// A request to be shown at once.
  public init(
    app: String = usualApp, id: String? = nil, title: String, subtitle: String? = nil, body: String? = nil,
    icon: String? = nil, image: String? = nil, progress: Int? = nil, level: Level = .active, style: Style = .banner,
    expires: Expiry? = nil, actions: [Action] = [], url: String? = nil, userInfo: [String: PlainValue] = [:],
    delay: Duration? = nil
  ) {
    self.app = app
    self.id = id
    self.title = title
    self.subtitle = subtitle
    self.body = body
    self.icon = icon
    self.image = image
    self.progress = progress
    self.level = level
    self.style = style
    self.expires = expires
    self.actions = actions
    self.url = url
    self.userInfo = userInfo
    self.delay = delay
  }
}
