// SPDX-License-Identifier: Apache-2.0

/// Observed behavior of a notification server that no capability describes: the sum of the facts about its version. An
/// unlisted server is assumed to behave as its capabilities say.
public struct KnownServer: Hashable, Sendable {
  /// The effect of clicking the notification itself.
  public enum Press: Hashable, Sendable {
    /// Invokes the action `default`.
    case counts
    /// The middle button invokes `default`; the left one closes the notification.
    case middleCounts
    /// Closes the notification.
    case closes
    /// Does nothing.
    case nothing
  }

  /// How many notifications may be open, and the effect of one more.
  public struct Room: Hashable, Sendable {
    /// The effect of one more notification.
    public enum Overflow: Hashable, Sendable {
      /// The server refuses it with an error, and takes it later.
      case refuses
      /// The server crashes.
      case crashes
      /// The server does not draw it, unless it is critical.
      case hidesNewest
      /// The server closes the oldest one.
      case closesOldest
    }

    /// The maximum number.
    public var limit: Int
    /// Whether each app has that room for itself.
    public var isPerApp: Bool
    /// What one more than that does.
    public var overflow: Overflow

    /// Makes a value from its parts.
    public init(_ limit: Int, isPerApp: Bool = false, _ overflow: Overflow) {
      self.limit = limit
      self.isPerApp = isPerApp
      self.overflow = overflow
    }
  }

  /// The maximum number of buttons drawn apart from `default`; nil if unlimited.
  public var buttons: Int?
  /// The effect of clicking the notification itself.
  public var press = Press.counts
  /// Whether the action `default` is drawn as one more button.
  public var drawsDefault = false
  /// Whether the action behind `default` in the list is not drawn, so that `default` must be the last one.
  public var skipsActionAfterDefault = false
  /// Whether a click on a button is followed by `default`.
  public var sendsDefaultAfterAction = false
  /// Whether a click on a notification closes all others of its app, unless they are `resident`.
  public var closesOthersOnClick = false
  /// The room for open notifications; nil if it is unlimited.
  public var room: Room?
  /// Whether the server reports dismissed notifications as expired.
  public var saysExpiredOfDismissed = false
  /// Whether the server gives no reason for notifications that were dismissed.
  public var saysNothingOfDismissed = false
  /// Whether expired notifications take up room until the user looks at them, unless sent as `transient`.
  public var keepsExpired = false
  /// Whether the server reports expired notifications.
  public var tellsOfExpiry = true
  /// Whether a notification with the hint `value` is drawn as a bar alone, without its texts.
  public var hidesTextsOfProgress = false
  /// Whether what is sent while *Do not disturb* is on is neither shown nor kept.
  public var losesWhileQuiet = false
  /// Whether a notification that replaces another is drawn without its buttons.
  public var losesButtonsOfReplaced = false
  /// Whether the server parses markup in button labels, and draws none if it is malformed.
  public var readsLabels = false
  /// Whether the server parses markup in headlines.
  public var readsHeadlines = false
  /// Whether a notification without a text gets the app's name as its headline, and its headline as the text.
  public var movesHeadlineWithoutText = false
  /// Whether the server expects plain paths, not URLs, in the hint `image-path`, and shows nothing if it gets both an
  /// icon and the name of an image.
  public var takesImagePaths = false
  /// Whether the server expects URLs, not paths, of icons.
  public var takesIconURLs = false
  /// Whether the server declares a line for replies, but draws it only for users who have turned it on.
  public var mayHideReplyLine = false
  /// How long the server draws nothing after its start; nil if it draws at once.
  public var blindTime: Duration?
  /// How long the server must be left alone after each notification; nil if it takes any number at once.
  public var rest: Duration?
  /// Words in the name or the text of an error with which the server refuses for the moment, whatever it is sent.
  public var momentaryRefusals: Set<String> = []

  /// A server that behaves as its capabilities say.
  public init() {}

  /// What is known about a version of a server.
  public init(_ name: String, _ version: ServerVersion?) {
    for fact in Self.facts where fact.name == name && fact.holds(of: version) { fact.apply(&self) }
  }

  /// Whether a refusal says nothing about the notification, so that the same one may be shown later.
  public func refusesForTheMoment(name: String, message: String) -> Bool {
    momentaryRefusals.contains { name.contains($0) || message.contains($0) }
  }
}
