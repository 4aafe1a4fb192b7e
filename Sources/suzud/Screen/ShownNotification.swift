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
  /// A list to choose from is open.
  var isChoosing = false
  /// How it left the screen while that list was open: until the list is gone, nobody knows how this ended.
  var heldEnd: RequestEnd?
  /// When it left the screen; nil while it is there.
  var leftAt: Duration?

  var request: NotificationRequest { due.request }
}
