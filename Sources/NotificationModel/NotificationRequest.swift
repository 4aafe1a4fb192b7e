// SPDX-License-Identifier: Apache-2.0

/// A notification request: its contents, schedule and buttons. JSON, property lists, the bus, flags and Swift use the
/// same keys.
public struct NotificationRequest: Hashable, Sendable, Codable {
  /// The app that owns the request: a desktop-entry id.
  public var app: String
  /// The displayed name of a sender that is not an app, such as a script.
  public var appName: String?
  /// Unique within its app; a request with the same id replaces it. Nil until the center has generated one.
  public var id: String?
  /// The headline.
  public var title: String
  /// A second headline.
  public var subtitle: String?
  /// The text; plain unless `markup` is true.
  public var body: String?
  /// An icon name of the theme, a path or a file URL.
  public var icon: String?
  /// A picture beside the text: a theme name, a path or a file URL.
  public var image: String?
  /// The progress, 0 to 100.
  public var progress: Int?
  /// The urgency.
  public var level: Level
  /// Whether the notification disappears by itself.
  public var style: Style
  /// When the notification leaves the screen; nil lets the server decide.
  public var expires: Expiry?
  /// The buttons.
  public var actions: [Action]
  /// The URL that a click on the notification itself opens.
  public var url: String?
  /// Data that actions and handlers get back unchanged.
  public var userInfo: [String: PlainValue]
  /// The sound: `default`, `none`, a theme name or a path; nil lets the server decide.
  public var sound: String?
  /// The number on the app's launcher.
  public var badge: Int?
  /// A name that groups notifications, if the server supports that.
  public var thread: String?
  /// Whether `body` contains the markup of freedesktop servers: `<b>`, `<i>`, `<u>`, `<a>`.
  public var markup: Bool
  /// A registered category, or a standard freedesktop one, `class.specific`.
  public var category: String?
  /// Additional hints for the notification server: texts, numbers and flags by name.
  public var hints: [String: PlainValue]
  /// The schedule; empty means now.
  public var when: TriggerWords
  /// How to handle dates that passed while they could not be shown.
  public var missed: Missed
  /// The accepted delay; nil for any delay.
  public var grace: Duration?
  /// Whether to wake the machine for it.
  public var wake: Bool

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

  /// How to handle dates that passed while the machine was asleep or off, or the center was not running.
  public enum Missed: String, Sendable, Codable, CaseIterable {
    /// Show one notification for all of them.
    case deliver
    /// Skip them.
    case skip
    /// Show one notification for each.
    case each
  }

  /// The app of requests without one.
  public static let defaultApp = "dev.suzu.Suzu"

  /// The app of the notifications that launch others; the center decrements its badge with each answer.
  public static let launcherApp = "dev.suzu.Launcher"

  /// Creates a request; without `when` it is shown at once.
  public init(
    app: String = defaultApp, appName: String? = nil, id: String? = nil, title: String, subtitle: String? = nil,
    body: String? = nil, icon: String? = nil, image: String? = nil, progress: Int? = nil, level: Level = .active,
    style: Style = .banner,
    expires: Expiry? = nil, actions: [Action] = [], url: String? = nil, userInfo: [String: PlainValue] = [:],
    sound: String? = nil, badge: Int? = nil, thread: String? = nil, markup: Bool = false, category: String? = nil,
    hints: [String: PlainValue] = [:], when: TriggerWords = TriggerWords(), missed: Missed = .deliver,
    grace: Duration? = nil, wake: Bool = false
  ) {
    self.app = app
    self.appName = appName
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
    self.sound = sound
    self.badge = badge
    self.thread = thread
    self.markup = markup
    self.category = category
    self.hints = hints
    self.when = when
    self.missed = missed
    self.grace = grace
    self.wake = wake
  }
}
