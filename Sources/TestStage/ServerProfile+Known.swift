// SPDX-License-Identifier: Apache-2.0

// What each server declares is what it answered, word for word.
extension ServerProfile {
  /// The specification, and nothing else.
  public static let standard = ServerProfile()

  /// GNOME Shell 43, of Debian 12: three buttons, three notifications of each app.
  public static let gnome43 = gnome("43.9", givesTokens: false)
  /// GNOME Shell 48, of Debian 13.
  public static let gnome48 = gnome("48.7", givesTokens: true)
  /// GNOME Shell 50.
  public static let gnome50 = gnome("50.5", givesTokens: true)

  private static func gnome(_ version: String, givesTokens: Bool) -> ServerProfile {
    ServerProfile(
      known: "gnome-shell", "GNOME", version, "actions body body-markup icon-static persistence sound"
    ) {
      $0.givesTokens = givesTokens
      $0.keepsResident = true
      $0.room = Room(3, isPerApp: true, .closesOldest(reason: 1))
    }
  }

  /// Plasma 5.27, of Debian 12: replies in the notification, and closes with reason 3 after a click.
  public static let plasma5 = plasma("5.27.5")
  /// Plasma 6.3, of Debian 13.
  public static let plasma6 = plasma("6.3.6")

  private static func plasma(_ version: String) -> ServerProfile {
    ServerProfile(
      known: "Plasma", "KDE", version,
      """
      body body-hyperlinks body-markup body-images icon-static actions persistence inline-reply x-kde-urls \
      x-kde-origin-name x-kde-display-appname inhibitions
      """
    ) {
      $0.givesTokens = true
      $0.keepsResident = true
      $0.reasonsAfterClick = [3]
      $0.closesUnknown = true
      $0.believesNumbers = true
      $0.refusesRepetition = "org.freedesktop.Notifications.Error.ExcessNotificationGeneration"
    }
  }

  /// Xfce's daemon: `default` is a button, and a click on the text only closes.
  public static let xfce = ServerProfile(
    known: "Xfce Notify Daemon", "Xfce", "0.7.3",
    "action-icons actions body body-hyperlinks body-markup icon-static x-canonical-private-icon-only"
  ) { $0.believesNumbers = true }

  /// Cinnamon: reports no reason for what is dismissed. What it declares is from its source.
  public static let cinnamon = ServerProfile(
    known: "cinnamon", "GNOME", "6.4.10", "actions action-icons body body-markup icon-static persistence sound"
  ) { $0.room = Room(10, isPerApp: true, .closesOldest(reason: 2)) }

  /// MATE's daemon: refuses the 22nd notification, and invents `default`.
  public static let mate = ServerProfile(
    known: "Notification Daemon", "MATE", "1.26.0",
    "actions action-icons body body-hyperlinks body-markup icon-static sound"
  ) {
    $0.specification = "1.1"
    $0.click = .inventsDefault
    $0.room = Room(
      21,
      .refuses(
        error: "org.gtk.GDBus.UnmappedGError.Quark._notification_2ddaemon_2derror_2dquark.Code1",
        message: "Exceeded maximum number of notifications"))
  }

  /// GNOME's old daemon: refuses the 22nd notification, and to close what it does not show.
  public static let notificationDaemon = ServerProfile(
    known: "Notification Daemon", "GNOME", "3.20.0",
    "actions body body-hyperlinks body-markup icon-static sound persistence action-icons"
  ) {
    $0.click = .inventsDefault
    $0.keepsResident = true
    $0.refusesToCloseUnknown = "org.freedesktop.Notifications.InvalidId"
    $0.room = Room(
      21, .refuses(error: "org.freedesktop.Notifications.MaxNotificationsExceeded", message: "too many"))
  }

  /// LXQt's daemon: reports a click, and does not close.
  public static let lxqt = ServerProfile(
    known: "lxqt-notificationd", "lxqt.org", "1.2.0",
    "actions body body-hyperlinks body-images body-markup persistence"
  ) {
    $0.reasonsAfterClick = []
    $0.believesNumbers = true
  }

  /// Ubuntu's old bubbles: no actions, and no clicks.
  public static let notifyOSD = ServerProfile(
    known: "notify-osd", "Canonical Ltd", "1.0",
    """
    body body-markup icon-static image/svg+xml x-canonical-private-synchronous x-canonical-append \
    x-canonical-private-icon-only x-canonical-truncation private-synchronous append private-icon-only truncation
    """
  ) { $0.specification = "1.1" }

  /// awesome's: closes the oldest one when its column is full.
  public static let awesome = ServerProfile(known: "naughty", "awesome", "v4.3", "body body-markup icon-static actions")
  {
    $0.specification = "1.0"
    $0.firstNumber = 2
    $0.room = Room(10, .closesOldest(reason: 4))
  }

  /// mako: draws no buttons; a click is `default`.
  public static let mako = ServerProfile(
    known: "mako", "emersion", "0.0.0",
    "body body-markup actions icon-static x-canonical-private-synchronous x-dunst-stack-tag"
  ) { $0.givesTokens = true }

  /// dunst: draws no buttons; a left click closes.
  public static let dunst = ServerProfile(
    known: "dunst", "knopwob", "1.9.0 (2022-06-27)",
    """
    actions body body-hyperlinks icon-static synchronous private-synchronous x-canonical-private-synchronous \
    x-dunst-stack-tag body-markup
    """
  ) {
    $0.firstNumber = 2
    $0.believesNumbers = true
  }

  /// swaync: reports each close twice, and closes what it does not show.
  public static let swaync = ServerProfile(
    known: "SwayNotificationCenter", "ErikReider", "0.7.3",
    "actions body body-markup body-images persistence synchronous private-synchronous x-canonical-private-synchronous"
  ) {
    $0.keepsResident = true
    $0.reasonsAfterClick = [2, 2]
    $0.reasonsAfterDismissal = [2, 2]
    $0.reasonsAfterClosing = [3, 2]
    $0.closesUnknown = true
  }

  /// COSMIC, from its source: a click and a close button, no other buttons, and no report of expiry.
  public static let cosmic = ServerProfile(
    known: "cosmic-notifications", "System76", "1",
    "body icon-static persistence actions action-icons body-markup body-hyperlinks sound"
  ) {
    $0.givesTokens = true
    $0.believesNumbers = true
  }

  /// All recorded servers.
  public static let recorded: [ServerProfile] = [
    gnome43, gnome48, gnome50, plasma5, plasma6, xfce, cinnamon, mate, notificationDaemon, lxqt, notifyOSD, awesome,
    mako, dunst, swaync, cosmic,
  ]
}
