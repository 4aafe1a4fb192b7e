// SPDX-License-Identifier: Apache-2.0

/// The ids of the center's own notifications: questions, and digests of too many at once.
package enum ReservedID {
  private static let prefix = "dev.suzu."

  /// Whether the center keeps this id for itself.
  package static func isReserved(_ id: String) -> Bool { id.utf8.starts(with: prefix.utf8) }

  /// In the launcher's app, ids are those of desktop entries, and Suzu's own begin with the prefix as well.
  package static func checkIsFree(_ id: String, of app: String) throws(RequestError) {
    guard isReserved(id), app != NotificationRequest.launcherApp else { return }
    throw RequestError(
      "id", "must not begin with '\(prefix)', which the center keeps for its own notifications")
  }
}
