// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

extension ReservedID {
  /// Checks that a caller may cancel or dismiss notifications with these ids.
  static func check(_ rights: Rights, touching ids: [String]) throws(CenterError) {
    guard rights != .all, ids.contains(where: isReserved) else { return }
    throw CenterError(
      .accessDenied, "notifications of the center ('dev.suzu.…') are not for sandboxed programs")
  }
}
