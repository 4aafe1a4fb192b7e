// SPDX-License-Identifier: Apache-2.0

extension Profile {
  /// All profiles: a server that a release of Debian has is walked itself.
  static let all = [cosmic]

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
      history: .there),
    ownChecks: [.historyUntold])
}
