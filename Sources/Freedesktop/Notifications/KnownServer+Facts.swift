// SPDX-License-Identifier: Apache-2.0

extension KnownServer {
  /// Everything known about servers beyond their capabilities. A fact without a range was seen in every version that
  /// was tried: those of Debian 12 and later releases, which docs/MEASUREMENTS.md lists.
  public static let facts: [ServerFact] = [
    ServerFact("dunst", "declares 'actions' and draws an (A); other actions need a menu program that must be set up") {
      $0.buttons = 0
      $0.press = .middleCounts
    },
    ServerFact(
      "dunst", until: "1.9.1",
      "1.9.0 crashes on Wayland when it draws a notification before the compositor has shown the last two (dunst#1147)"
    ) { $0.rest = .milliseconds(100) },
    ServerFact("mako", "declares 'actions' and draws nothing; 'makoctl menu' needs a menu program as well") {
      $0.buttons = 0
    },
    ServerFact("gnome-shell", "silently drops all buttons after the third") { $0.buttons = 3 },
    ServerFact("gnome-shell", "closes the oldest of an app's notifications when a fourth comes") {
      $0.room = Room(3, isPerApp: true, .closesOldest)
    },
    ServerFact("gnome-shell", "keeps expired banners open in its list") { $0.tellsOfExpiry = false },
    ServerFact("gnome-shell", "43 draws a replaced banner before it has its new buttons") {
      $0.losesButtonsOfReplaced = true
    },
    ServerFact("Xfce Notify Daemon", "a click on the text only closes; 'default' is the first button") {
      $0.press = .closes
      $0.drawsDefault = true
    },
    ServerFact(
      "Xfce Notify Daemon",
      "draws a notification with 'value' as a bar alone, unless 'Show text with percent values' is on in its settings"
    ) { $0.hidesTextsOfProgress = true },
    ServerFact("Xfce Notify Daemon", "neither shows nor keeps what comes while 'Do not disturb' is on") {
      $0.losesWhileQuiet = true
    },
    ServerFact("lxqt-notificationd", "'default' is the first button") { $0.drawsDefault = true },
    ServerFact("notify-osd", "bubbles ignore the pointer") { $0.press = .nothing },
    ServerFact("notify-osd", "with 'value', draws a bar without texts if there is an icon, or else nothing") {
      $0.hidesTextsOfProgress = true
    },
    // Two servers share this name: MATE's has versions 1.x, GNOME's 3.x.
    ServerFact("Notification Daemon", "both refuse the 22nd notification") { $0.room = Room(21, .refuses) },
    ServerFact("Notification Daemon", from: "1.26.1", until: "3", "MATE's 1.26.1 crashes on the 22nd notification") {
      $0.room = Room(21, .crashes)
    },
    ServerFact(
      "Notification Daemon", until: "3", "MATE's says in an error's text that it has no room: its errors have no names"
    ) {
      $0.momentaryRefusals.insert("Exceeded maximum number")
    },
    ServerFact("Notification Daemon", from: "3", "GNOME's says in an error's name that it has no room") {
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
    ServerFact("naughty", "awesome closes the oldest when its column is full, at about ten") {
      $0.room = Room(10, .closesOldest)
    },
    ServerFact("naughty", "awesome draws a label with markup empty") { $0.readsLabels = true },
    ServerFact("cinnamon", "moves banners and alerts to its applet without reporting that") {
      $0.tellsOfExpiry = false
    },
    ServerFact("cinnamon", until: "6.6", "closes the oldest of an app's notifications as 'dismissed' for an eleventh") {
      $0.room = Room(10, isPerApp: true, .closesOldest)
    },
    ServerFact("cinnamon", from: "6.6", "closes the oldest of an app's notifications for a 21st; from its source") {
      $0.room = Room(20, isPerApp: true, .closesOldest)
    },
    ServerFact("cinnamon", "a click on one notification dismisses all others of the same process and app name") {
      $0.closesOthersOnClick = true
    },
    ServerFact("cinnamon", "reports its close button as reason 0: it passes the button where a reason belongs") {
      $0.saysNothingOfDismissed = true
    },
    ServerFact("cinnamon", until: "6.6", "fails on an image-path that is no path if there is an icon: nothing is drawn")
    {
      $0.takesImagePaths = true
    },
    ServerFact("Budgie Notification Server", "draws no button for the action behind 'default'") {
      $0.skipsActionAfterDefault = true
    },
    ServerFact("Budgie Notification Server", "a click on a button also reaches the popup, which sends 'default'") {
      $0.sendsDefaultAfterAction = true
    },
    ServerFact("Budgie Notification Server", "sends a fourth notification to Raven, and reports it as expired") {
      $0.room = Room(3, .hidesNewest)
    },
    ServerFact("Budgie Notification Server", "a fifth button makes the row wider than the popup, and leaves the screen")
    {
      $0.buttons = 4
    },
    ServerFact("Budgie Notification Server", "a notification that is only a headline shows the app's name instead") {
      $0.movesHeadlineWithoutText = true
    },
    ServerFact("Budgie Notification Server", from: "10.8", "parses markup in headlines; 10.7 shows '&' as '&amp;'") {
      $0.readsHeadlines = true
    },
    ServerFact(
      "Budgie Notification Server", from: "10.10",
      "looks for its monitor every 200 ms after its start, draws nothing before, and reports what came as expired"
    ) { $0.blindTime = .seconds(1) },
    ServerFact("Budgie Notification Server", "opens image-path as a path, and an icon with a slash as a URL") {
      $0.takesImagePaths = true
      $0.takesIconURLs = true
    },
    ServerFact("SwayNotificationCenter", "keeps expired popups open in its panel") { $0.tellsOfExpiry = false },
    ServerFact(
      "SwayNotificationCenter", from: "0.9",
      "always declares 'inline-reply', but draws neither line nor button unless 'notification-inline-replies' is on in "
        + "the user's settings; seen in 0.11 and 0.12"
    ) { $0.mayHideReplyLine = true },
    ServerFact(
      "cosmic-notifications",
      "from its source, not packaged in Debian: a card has a text, which is the default action, and a close button"
    ) { $0.buttons = 0 },
    ServerFact("cosmic-notifications", "from its source: does not report expiry") { $0.tellsOfExpiry = false },
    ServerFact(
      "Plasma", from: "6.4",
      "keeps an expired notification with actions usable in its list, and does not report expiry; from its source, and "
        + "seen in 6.7, but not in 6.3"
    ) { $0.tellsOfExpiry = false },
    ServerFact(
      "Plasma", from: "6.4", until: "6.7",
      "from its source: lets a notification expire when its sender leaves the bus; a center that comes back shows its "
        + "alerts again"
    ),
    ServerFact(
      "Plasma", from: "6.7",
      "takes the buttons from a notification when its sender leaves the bus; a center that comes back replaces its alerts"
    ),
    ServerFact("Plasma", "parses anything that looks like a tag in a label") { $0.readsLabels = true },
    ServerFact("Plasma", "refuses a text that it was sent within the last second, also to replace itself") {
      $0.momentaryRefusals.insert("ExcessNotificationGeneration")
    },
  ]
}
