// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel

/// Which notifications do not expire at present: banners of some apps while the user is away, by a setting.
struct ExpiryPause {
  let apps: Apps
  let absence: Absence

  /// Whether a notification that is on the screen now does not expire.
  func holds(_ request: NotificationRequest) -> Bool { absence.state == .away && concerns(request) }

  /// Whether its expiry depends on where the user is.
  func concerns(_ request: NotificationRequest) -> Bool {
    request.content.style == .banner && request.content.expires != .never && apps[request.app.text].away != .show
      && !ReservedID.isReserved(request.id?.text ?? "")
  }

  /// Whether it is known where the user is.
  var isKnown: Bool { absence.state != .unknown }
}
