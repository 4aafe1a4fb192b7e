// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// A notification that a server has shown, for as long as clicks on it may come.
struct ShownNotification {
  let key: RequestKey
  let due: Due
  /// What each key on the wire stands for.
  let offer: OfferedActions
  /// What lets a program raise its window; comes just before the click.
  var token: String?
  /// The user has acted: nothing more counts.
  var isUsedUp = false
  /// The list to choose from that is open for it.
  var openList: OpenList?
  /// When it left the screen; nil while it is there.
  var leftAt: Duration?

  /// A list to choose from.
  struct OpenList {
    /// How the notification left the screen while the list was open. Its end is unknown until the list is closed.
    var heldEnd: RequestEnd?
  }

  var request: NotificationRequest { due.request }
}
