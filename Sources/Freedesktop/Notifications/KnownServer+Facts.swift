// SPDX-License-Identifier: Apache-2.0

extension KnownServer {
  /// Everything known about servers beyond their capabilities. A fact without a range was seen in every version that was
  /// tried: those of Debian 12 and later releases, which docs/SERVERS.md lists.
  public static let facts: [ServerFact] = [
    ServerFact("dunst", "declares 'actions' and draws an (A); other actions need a menu program that must be set up") {
      $0.buttons = 0
      $0.press = .middleCounts
    },
    ServerFact("mako", "declares 'actions' and draws nothing; 'makoctl menu' needs a menu program as well") {
      $0.buttons = 0
    },
    ServerFact("gnome-shell", "silently drops all buttons after the third") { $0.buttons = 3 },
    ServerFact("gnome-shell", "closes the oldest of an app's notifications when a fourth comes") {
      $0.room = 3
      $0.hasRoomPerApp = true
    },
    ServerFact("gnome-shell", "keeps expired banners open in its list") { $0.tellsOfExpiry = false },
    ServerFact("gnome-shell", "43 draws a replaced banner before it has its new buttons") {
      $0.losesButtonsOfReplaced = true
    },
    ServerFact("Xfce Notify Daemon", "a click on the text only closes; 'default' is the first button") {
      $0.press = .closes
      $0.drawsDefault = true
    },
    ServerFact("lxqt-notificationd", "'default' is the first button") { $0.drawsDefault = true },
    ServerFact("notify-osd", "bubbles ignore the pointer") { $0.press = .nothing },
    // Two servers share this name: MATE's has versions 1.x, GNOME's 3.x.
    ServerFact("Notification Daemon", "both refuse the 22nd notification, on which MATE's 1.26.1 crashes") {
      $0.room = 21
    },
    ServerFact("Notification Daemon", until: "3", "MATE's refusal says so in its text: its errors have no names") {
      $0.momentaryRefusals.insert("Exceeded maximum number")
    },
    ServerFact("Notification Daemon", from: "3", "GNOME's refusal says so in its name") {
      $0.momentaryRefusals.insert("MaxNotificationsExceeded")
    },
    ServerFact("Notification Daemon", until: "3", "MATE's reports its close button as expiry") {
      $0.saysExpiredOfDismissed = true
    },
    ServerFact("Notification Daemon", until: "3", "MATE's draws no label with malformed markup") {
      $0.readsLabels = true
    },
    ServerFact(
      "Notification Daemon", from: "3",
      "GNOME's keeps expired notifications without reporting them, and so refuses everything once full; it reports and "
        + "forgets transient ones"
    ) { $0.keepsExpired = true },
    ServerFact("naughty", "awesome closes the oldest when its column is full, at about ten") { $0.room = 10 },
    ServerFact("naughty", "awesome draws a label with markup empty") { $0.readsLabels = true },
    ServerFact("SwayNotificationCenter", "keeps expired popups open in its panel") { $0.tellsOfExpiry = false },
    ServerFact(
      "cosmic-notifications",
      "from its source, not packaged in Debian: a card has a text, which is the default action, and a close button"
    ) { $0.buttons = 0 },
    ServerFact("cosmic-notifications", "from its source: does not report expiry") { $0.tellsOfExpiry = false },
    ServerFact("Plasma", "parses anything that looks like a tag in a label") { $0.readsLabels = true },
    ServerFact("Plasma", "refuses a text that it was sent within the last second, also to replace itself") {
      $0.momentaryRefusals.insert("ExcessNotificationGeneration")
    },
  ]
}
