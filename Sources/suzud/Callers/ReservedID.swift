// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The ids of the center's own notifications: questions, and digests of too many at once.
enum ReservedID {
  private static let prefix = "dev.suzu."

  static func isReserved(_ id: String) -> Bool { id.utf8.starts(with: prefix.utf8) }

  /// In the launcher's app, ids are those of desktop entries, and Suzu's own begin with the prefix as well.
  static func checkIsFree(_ id: String, of app: String) throws(CenterError) {
    guard isReserved(id), app != NotificationRequest.launcherApp else { return }
    throw CenterError(
      .invalidRequest, "'id' must not begin with '\(prefix)', which the center keeps for its own notifications")
  }

  /// Checks that a caller may cancel or dismiss notifications with these ids.
  static func check(_ rights: Rights, touching ids: [String]) throws(CenterError) {
    guard rights != .all, ids.contains(where: isReserved) else { return }
    throw CenterError(
      .accessDenied, "notifications of the center ('\(prefix)…') are not for sandboxed programs")
  }
}
