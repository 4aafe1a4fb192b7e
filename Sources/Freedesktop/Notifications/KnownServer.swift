// SPDX-License-Identifier: Apache-2.0

/// What no capability tells of a server, as it was seen; a server that is not listed does what its capabilities say.
public struct KnownServer: Equatable, Sendable {
  /// What a press on the notification itself does.
  public enum Press: Equatable, Sendable {
    /// It counts as its first action, `default`.
    case counts
    /// Only that of the middle button; the left one puts it away.
    case middleCounts
    /// It puts it away; `default` is drawn as one more button.
    case closes
    /// It cannot be pressed.
    case nothing
  }

  /// How many buttons are drawn besides `default`; nil: as many as there are.
  public var buttons: Int?
  /// What a press on the notification itself does.
  public var press = Press.counts
  /// How many it has open at once, before it refuses more or closes the oldest; nil: as many as come.
  public var room: Int?
  /// Whether that many are for each app, and not for all together.
  public var hasRoomPerApp = false
  /// Whether it says of what was put away that its time was over.
  public var saysExpiredOfDismissed = false
  /// Whether what has left the screen by itself takes up room until somebody looks at it, unless it is sent as `transient`.
  public var keepsExpired = false
  /// Whether it tells when something leaves the screen by itself.
  public var tellsOfExpiry = true
  /// Whether what takes the place of something on the screen is drawn without its buttons.
  public var losesButtonsOfReplaced = false
  /// Whether it reads markup in the labels of buttons, and draws none where that is broken.
  public var readsLabels = false

  /// By the name that it gives itself. Each entry says what was seen, and of which version.
  static let all: [String: KnownServer] = [
    // dunst 1.9: says `actions` and draws an "(A)"; what is not the default is behind a menu program to be set up first.
    "dunst": KnownServer(buttons: 0, press: .middleCounts),
    // mako 1.7: says `actions` and draws nothing; `makoctl menu` wants a menu program as well.
    "mako": KnownServer(buttons: 0),
    // gnome-shell 43: leaves out the fourth button and all further ones without a word, closes the oldest of an app's
    // notifications when a fourth one comes, and keeps in its list, still open, what its banner no longer shows. A banner
    // that is replaced is drawn anew before it has its new buttons.
    "gnome-shell": KnownServer(
      buttons: 3, room: 3, hasRoomPerApp: true, tellsOfExpiry: false, losesButtonsOfReplaced: true),
    // xfce4-notifyd 0.7: the body only closes; `default` is the first of the buttons.
    "Xfce Notify Daemon": KnownServer(press: .closes),
    // notify-osd 0.9: bubbles let the pointer through.
    "notify-osd": KnownServer(press: .nothing),
    // GNOME's notification-daemon 3.20 and MATE's 1.26, which share the name: the 22nd is refused. The former keeps
    // what has expired, says nothing of it, and so refuses everything once it is full; of what is `transient` it does
    // tell, and forgets it. The latter draws no label where its markup is broken, and its cross lets the time be over.
    "Notification Daemon": KnownServer(
      room: 21, saysExpiredOfDismissed: true, keepsExpired: true, readsLabels: true),
    // awesome 4.3 (naughty): closes the oldest where its column is full, about ten; a label with markup is drawn empty.
    "naughty": KnownServer(room: 10, readsLabels: true),
    // SwayNotificationCenter 0.7: its panel keeps what its popups no longer show, still open.
    "SwayNotificationCenter": KnownServer(tellsOfExpiry: false),
    // COSMIC, by its source: a card has a text, which is the default action, and a cross; what expires is not told of.
    "cosmic-notifications": KnownServer(buttons: 0, tellsOfExpiry: false),
    // Plasma 5.27: what looks like a tag in a label is one.
    "Plasma": KnownServer(readsLabels: true),
  ]

  /// A server of which all is as its capabilities say.
  public init(
    buttons: Int? = nil, press: Press = .counts, room: Int? = nil, hasRoomPerApp: Bool = false,
    saysExpiredOfDismissed: Bool = false, keepsExpired: Bool = false, tellsOfExpiry: Bool = true,
    losesButtonsOfReplaced: Bool = false, readsLabels: Bool = false
  ) {
    self.buttons = buttons
    self.press = press
    self.room = room
    self.hasRoomPerApp = hasRoomPerApp
    self.saysExpiredOfDismissed = saysExpiredOfDismissed
    self.keepsExpired = keepsExpired
    self.tellsOfExpiry = tellsOfExpiry
    self.losesButtonsOfReplaced = losesButtonsOfReplaced
    self.readsLabels = readsLabels
  }
}
