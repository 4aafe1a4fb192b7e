// SPDX-License-Identifier: Apache-2.0

/// Observed behavior of a notification server that no capability describes. An unlisted server is assumed to behave as
/// its capabilities say.
public struct KnownServer: Equatable, Sendable {
  /// The effect of clicking the notification itself.
  public enum Press: Equatable, Sendable {
    /// Invokes the action `default`.
    case counts
    /// The middle button invokes `default`; the left one closes the notification.
    case middleCounts
    /// Closes the notification.
    case closes
    /// Does nothing.
    case nothing
  }

  /// The maximum number of buttons drawn apart from `default`; nil if unlimited.
  public var buttons: Int?
  /// The effect of clicking the notification itself.
  public var press = Press.counts
  /// Whether the action `default` is drawn as one more button.
  public var drawsDefault = false
  /// The number of open notifications before the server refuses more or closes the oldest; nil if unlimited.
  public var room: Int?
  /// Whether `room` applies to each app separately.
  public var hasRoomPerApp = false
  /// Whether the server reports dismissed notifications as expired.
  public var saysExpiredOfDismissed = false
  /// Whether expired notifications take up room until the user looks at them, unless sent as `transient`.
  public var keepsExpired = false
  /// Whether the server reports expired notifications.
  public var tellsOfExpiry = true
  /// Whether a notification that replaces another is drawn without its buttons.
  public var losesButtonsOfReplaced = false
  /// Whether the server parses markup in button labels, and draws none if it is malformed.
  public var readsLabels = false
  /// Words in the name or the text of an error with which the server refuses for the moment, whatever it is sent.
  public var momentaryRefusals: Set<String> = []

  /// By the server's name. The comments say what was observed, and in which version.
  static let all: [String: KnownServer] = [
    // dunst 1.9: declares `actions` and draws an "(A)"; other actions need a menu program that must be set up first.
    "dunst": KnownServer(buttons: 0, press: .middleCounts),
    // mako 1.7: declares `actions` and draws nothing; `makoctl menu` needs a menu program as well.
    "mako": KnownServer(buttons: 0),
    // gnome-shell 43: silently drops all buttons after the third, closes the oldest of an app's notifications when a
    // fourth comes, and keeps expired banners open in its list. A replaced banner is drawn before it has its new
    // buttons.
    "gnome-shell": KnownServer(
      buttons: 3, room: 3, hasRoomPerApp: true, tellsOfExpiry: false, losesButtonsOfReplaced: true),
    // xfce4-notifyd 0.7: clicking the body only closes; `default` is the first button.
    "Xfce Notify Daemon": KnownServer(press: .closes, drawsDefault: true),
    // lxqt-notificationd 1.2: `default` is the first button.
    "lxqt-notificationd": KnownServer(drawsDefault: true),
    // notify-osd 0.9: bubbles ignore the pointer.
    "notify-osd": KnownServer(press: .nothing),
    // GNOME's notification-daemon 3.20 and MATE's 1.26 share the name; both refuse the 22nd notification, on which
    // MATE's 1.26.1 crashes. GNOME's keeps
    // expired notifications without reporting them, and so refuses everything once full; it does report and forget
    // `transient` ones. MATE's draws no label with malformed markup, and reports its close button as expiry.
    "Notification Daemon": KnownServer(
      room: 21, saysExpiredOfDismissed: true, keepsExpired: true, readsLabels: true,
      // The 22nd: GNOME's says it in the error's name, MATE's, whose errors have no names of their own, in the text.
      momentaryRefusals: ["MaxNotificationsExceeded", "Exceeded maximum number"]),
    // awesome 4.3 (naughty): closes the oldest when its column is full, at about ten; draws a label with markup empty.
    "naughty": KnownServer(room: 10, readsLabels: true),
    // SwayNotificationCenter 0.7: keeps expired popups open in its panel.
    "SwayNotificationCenter": KnownServer(tellsOfExpiry: false),
    // COSMIC, from its source: a card has a text, which is the default action, and a close button; expiry is not
    // reported.
    "cosmic-notifications": KnownServer(buttons: 0, tellsOfExpiry: false),
    // Plasma 5.27: parses anything that looks like a tag in a label, and refuses a text that it was sent within the last
    // second, also to replace itself.
    "Plasma": KnownServer(readsLabels: true, momentaryRefusals: ["ExcessNotificationGeneration"]),
  ]

  /// Makes a server that behaves as its capabilities say, apart from the given values.
  public init(
    buttons: Int? = nil, press: Press = .counts, drawsDefault: Bool = false, room: Int? = nil,
    hasRoomPerApp: Bool = false,
    saysExpiredOfDismissed: Bool = false, keepsExpired: Bool = false, tellsOfExpiry: Bool = true,
    losesButtonsOfReplaced: Bool = false, readsLabels: Bool = false, momentaryRefusals: Set<String> = []
  ) {
    self.buttons = buttons
    self.press = press
    self.drawsDefault = drawsDefault
    self.room = room
    self.hasRoomPerApp = hasRoomPerApp
    self.saysExpiredOfDismissed = saysExpiredOfDismissed
    self.keepsExpired = keepsExpired
    self.tellsOfExpiry = tellsOfExpiry
    self.losesButtonsOfReplaced = losesButtonsOfReplaced
    self.readsLabels = readsLabels
    self.momentaryRefusals = momentaryRefusals
  }

  /// Whether a refusal says nothing about the notification, so that the same one may be shown later.
  public func refusesForTheMoment(name: String, message: String) -> Bool {
    momentaryRefusals.contains { name.contains($0) || message.contains($0) }
  }
}
