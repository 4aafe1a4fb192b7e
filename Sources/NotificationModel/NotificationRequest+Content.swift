// SPDX-License-Identifier: Apache-2.0

extension NotificationRequest {
  /// What a request shows, and its buttons. It is checked when it becomes part of a request.
  public struct Content: Hashable, Sendable {
    /// The headline.
    public var title: String
    /// A second headline.
    public var subtitle: String?
    /// The text; plain unless `markup` is true.
    public var body: String?
    /// Whether `body` contains the markup of freedesktop servers: `<b>`, `<i>`, `<u>`, `<a>`.
    public var markup = false
    /// The displayed name of a sender that is not an app, such as a script.
    public var appName: String?
    /// The icon.
    public var icon: Picture?
    /// A picture beside the text.
    public var image: Picture?
    /// The sound; nil lets the server decide.
    public var sound: Sound?
    /// Whether the texts are also spoken, if the session is not locked.
    public var speak = false
    /// The number on the app's launcher.
    public var badge: Int?
    /// The progress, 0 to 100.
    public var progress: Int?
    /// A name that groups notifications, if the server supports that.
    public var thread: String?
    /// How important it is among those of its app, 0 to 1: a digest names the most important ones, and names them
    /// first. Nil counts as 0.
    public var relevance: Double?
    /// What it is about, such as its sender: the `{names}` of its category's summary.
    public var summaryName: String?
    /// How many things it stands for in the `{count}` of its category's summary; nil counts as 1.
    public var summaryCount: Int?
    /// The urgency.
    public var level = Level.active
    /// Whether the notification disappears by itself.
    public var style = Style.banner
    /// When the notification leaves the screen; nil lets the server decide.
    public var expires: Expiry?
    /// How it is shown again until it is answered; nil if it is not.
    public var nag: Nag?
    /// A registered category, or a standard freedesktop one, `class.specific`.
    public var category: CategoryID?
    /// Additional hints for the notification server: texts, numbers and flags by name.
    public var hints: [String: PlainValue] = [:]
    /// The buttons.
    public var actions: [Action] = []
    /// The URL that a click on the notification itself opens.
    public var url: String?
    /// Data that actions and handlers get back unchanged.
    public var userInfo: [String: PlainValue] = [:]

    /// The maximum of ``summaryCount``.
    static let mostSummaryCount = 1_000_000

    /// Creates a content with a headline, which may be empty if there is a body.
    public init(title: String) { self.title = title }
  }
}
