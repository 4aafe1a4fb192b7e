// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// A notification that a server has shown, for as long as clicks on it count.
struct ShownNotification {
  let key: RequestKey
  let due: Due
  /// The meaning of each key on the wire.
  let offer: OfferedActions
  /// The activation token, which lets a program raise its window; it arrives just before the click.
  var token: String?
  /// Whether the user has responded: nothing more counts.
  var isUsedUp = false
  /// Its open list of actions; nil if none is open.
  var openList: OpenList?
  /// When a click on it last had no meaning; nil if none came. Its server may close it because of the click.
  var ignoredClickAt: Duration?
  /// When it left the screen; nil while it is there.
  var leftAt: Duration?

  /// A list of actions.
  struct OpenList {
    /// How the notification left the screen while the list was open; the list may still give a response.
    var heldEnd: RequestEnd?
  }

  var request: NotificationRequest { due.request }
}
