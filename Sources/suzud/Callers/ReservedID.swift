// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// The ids of the center's own notifications: questions, and what stands for too many at once.
enum ReservedID {
  private static let prefix = "dev.suzu."

  static func isReserved(_ id: String) -> Bool { id.utf8.starts(with: prefix.utf8) }

  /// Ids in the launcher's app are those of desktop entries, and Suzu has some of its own.
  static func checkIsFree(_ id: String, of app: String) throws(CenterError) {
    guard isReserved(id), app != NotificationRequest.launcherApp else { return }
    throw CenterError(
      .invalidRequest, "'id' must not begin with '\(prefix)', which the center keeps for its own notifications")
  }

  /// Whether a caller may take back, or from the screen, what has these ids.
  static func check(_ rights: Rights, touching ids: [String]) throws(CenterError) {
    guard rights != .all, ids.contains(where: isReserved) else { return }
    throw CenterError(
      .accessDenied, "notifications of the center ('\(prefix)…') are not for sandboxed programs")
  }
}
