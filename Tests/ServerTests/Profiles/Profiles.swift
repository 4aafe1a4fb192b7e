// SPDX-License-Identifier: Apache-2.0

extension Profile {
  /// All profiles.
  static let all = [gnome48, plasma6, cinnamon, budgie, cosmic]

  /// GNOME Shell from 46 on: like 43, but with a token before a click. One banner at a time, three per app.
  static let gnome48 = Profile(
    name: "GNOME Shell 48",
    behaviour: Behaviour(
      name: "gnome-shell", capabilities: ["actions", "body", "body-markup", "icon-static", "persistence", "sound"],
      buttons: 3, unicast: true, token: true, ignoresTime: true, criticalStays: true, tellsOfExpiry: false, keeps: true,
      roomPerApp: 3, showsOne: true),
    expected: Expectations(
      banner: ["Join", "Late"], alert: ["Join", "Late", "More…"], tellsOfExpiry: false, showsOne: true, history: .there),
    ownChecks: [.stayingInList, .strayingBriefly, .criticalAlone, .historyUntold])

  /// Plasma 6: like 5.27.
  static let plasma6 = Profile(
    name: "Plasma 6",
    behaviour: Behaviour(
      name: "Plasma",
      capabilities: [
        "body", "body-hyperlinks", "body-markup", "body-images", "icon-static", "actions", "persistence",
        "inline-reply",
        "x-kde-urls", "x-kde-origin-name", "x-kde-display-appname", "inhibitions",
      ], token: true, reasonAfterAction: 3, criticalStays: true, keeps: true, believesNumbers: true),
    expected: Expectations(
      banner: ["Join", "Late"], alert: ["Join", "Late", "Notes", "Move", "More…"], criticalStays: true,
      drawsReply: true,
      history: .there))

  /// Cinnamon 6, derived from an early GNOME Shell: all buttons, and broadcast signals.
  static let cinnamon = Profile(
    name: "Cinnamon",
    behaviour: Behaviour(
      name: "cinnamon",
      capabilities: ["actions", "action-icons", "body", "body-markup", "icon-static", "persistence", "sound"],
      criticalStays: true, keeps: true),
    expected: Expectations(
      banner: ["Join", "Late"], alert: ["Join", "Late", "Notes", "Move", "More…"], criticalStays: true))

  /// Budgie 10: permanent notifications expire after six seconds (here one and a half), a fourth one goes to the list
  /// before its number is returned, and closing is reported twice.
  static let budgie = Profile(
    name: "Budgie",
    behaviour: Behaviour(
      name: "Budgie Notification Server", capabilities: ["action-icons", "actions", "body", "body-markup", "sound"],
      closes: 2, clamp: [1500, 3000], keeps: true, room: 3),
    expected: Expectations(
      banner: ["Join", "Late"], alert: ["Join", "Late", "Notes", "Move", "More…"],
      staying: .absent("Budgie keeps no notification on the screen"), history: .there))

  /// COSMIC: a click and a close button, no other buttons, and no report of expiry.
  static let cosmic = Profile(
    name: "COSMIC",
    behaviour: Behaviour(
      name: "cosmic-notifications",
      capabilities: [
        "body", "icon-static", "persistence", "actions", "action-icons", "body-markup", "body-hyperlinks", "sound",
      ], buttons: 0, token: true, tellsOfExpiry: false, keeps: true, believesNumbers: true),
    expected: Expectations(
      banner: [], alert: [], straying: .absent("A click on it opens Suzu's list of the actions"), openingAsks: true,
      tellsOfExpiry: false, history: .there),
    ownChecks: [.historyUntold])
}
