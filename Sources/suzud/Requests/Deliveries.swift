// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// Takes due requests to the queue for the screen, if they are not muted, and their app is allowed to notify, and neither
/// in front nor set to wait.
final class Deliveries {
  private let ends: Ends
  private let mutes: Mutes
  private let permissions: Permissions
  private let inFront: AppsInFront
  /// Those that are due and kept for later.
  let held: HeldRequests
  private let screen: Screen
  private let poster: Poster
  private let trim: MemoryTrim

  init(
    ends: Ends, mutes: Mutes, permissions: Permissions, inFront: AppsInFront, held: HeldRequests, screen: Screen,
    poster: Poster, trim: MemoryTrim
  ) {
    self.ends = ends
    self.mutes = mutes
    self.permissions = permissions
    self.inFront = inFront
    self.held = held
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
      held.supersede(RequestKey(one))
      if mutes.contains(one) {
        ends.note(one, .muted)
        continue
      }
      if permissions.mayShow(one), !held.keeps(one), !inFront.isAsked(about: one) { screen.put(one) }
    }
    ends.carryOut()
    poster.post()
  }
}
