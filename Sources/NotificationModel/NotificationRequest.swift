// SPDX-License-Identifier: Apache-2.0

/// What somebody wants shown, when, and with which buttons: the same words in JSON, in a property list, on the bus, as
/// flags and in Swift.
public struct NotificationRequest: Hashable, Sendable, Codable {
  /// Whose it is: a desktop-entry id.
  public var app: String
  /// What stands as the sender's name in its place, where that is no app: a script's, for instance.
  public var appName: String?
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
  /// What is to be heard: `default`, `none`, a name of the sound theme or a path; nil leaves it to the server.
  public var sound: String?
  /// What the app's launcher shall show as a number.
  public var badge: Int?
  /// What belongs together, where the server can show that.
  public var thread: String?
  /// Whether `body` holds the markup that freedesktop servers know: `<b>`, `<i>`, `<u>`, `<a>`.
  public var markup: Bool
  /// A registered category, or one of freedesktop's own, `class.specific`.
  public var category: String?
  /// What the notification server is told besides, as it is: texts, numbers and flags by the names of their hints.
  public var hints: [String: PlainValue]
  /// When it is to be shown; no words mean now.
  public var when: TriggerWords
  /// What becomes of dates that passed while nobody could show them.
  public var missed: Missed
  /// How late still counts as on time; nil: however late.
  public var grace: Duration?
  /// Whether the machine shall be woken for it.
  public var wake: Bool

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

  /// What becomes of dates that passed while the machine slept, was off, or the center did not run.
  public enum Missed: String, Sendable, Codable, CaseIterable {
    /// One notification stands for all of them.
    case deliver
    /// They are left out.
    case skip
    /// One notification for each.
    case each
  }

  /// The app of requests that name none.
  public static let defaultApp = "dev.suzu.Suzu"

  /// The app of the notifications that launch others; the center counts its badge down, one with each answer.
  public static let launcherApp = "dev.suzu.Launcher"

  /// A request; without `when` to be shown at once.
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
