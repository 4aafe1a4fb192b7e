// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// Takes due requests to the queue for the screen, if they are not muted, and their app is allowed to notify and is not
/// in front.
final class Deliveries {
  private let ends: Ends
  private let mutes: Mutes
  private let permissions: Permissions
  private let inFront: AppsInFront
  private let screen: Screen
  private let poster: Poster
  private let trim: MemoryTrim

  init(
    ends: Ends, mutes: Mutes, permissions: Permissions, inFront: AppsInFront, screen: Screen, poster: Poster,
    trim: MemoryTrim
  ) {
    self.ends = ends
    self.mutes = mutes
    self.permissions = permissions
    self.inFront = inFront
    self.screen = screen
    self.poster = poster
    self.trim = trim
  }

  /// Delivers requests that are due.
  func deliver(_ due: [Due]) {
    trim.trim(after: due.count)
    for one in due {
      ends.begin(one)
      inFront.supersede(RequestKey(one))
      if mutes.contains(one) {
        ends.note(one, .muted)
        continue
      }
      if permissions.mayShow(one), !inFront.isAsked(about: one) { screen.put(one) }
    }
    ends.carryOut()
    poster.post()
  }
}
