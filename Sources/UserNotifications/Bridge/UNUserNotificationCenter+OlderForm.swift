// SPDX-License-Identifier: Apache-2.0

/// What the older form needs.
extension UNUserNotificationCenter {
  /// The number on the app's launcher; 0 if it is not known.
  package func badgeCount() async -> Int { await requests.badge().value }

  /// Hands a response to the delegate that there is now.
  package func handOn(_ response: UNNotificationResponse) async {
    await delegate?.userNotificationCenter(self, didReceive: response)
  }
}
