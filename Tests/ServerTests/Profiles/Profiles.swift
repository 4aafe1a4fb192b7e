// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// The servers that are played from recordings.
extension Profile {
  /// All profiles: a server that a release of Debian has is walked itself.
  static let all = [cosmic]

  /// COSMIC: a click and a close button, no other buttons, and no report of expiry.
  static let cosmic = Profile(
    name: "COSMIC",
    behaviour: Behaviour(.cosmic, keeps: true),
    expected: Expectations(
      banner: [], alert: [], straying: .absent("A click on it opens Suzu's list of the actions"), openingAsks: true,
      history: .there),
    ownChecks: [.historyUntold])
}
