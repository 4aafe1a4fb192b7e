// SPDX-License-Identifier: Apache-2.0
internal import NotificationModel
internal import Scheduling

/// Takes due requests to the queue for the screen, if they are not muted, and their app is allowed to notify, and
/// neither in front nor set to wait.
///
/// Each showing of a request that is shown again comes through here as well, with the level that it has by then.
final class Deliveries {
  private let ends: Ends
  private let mutes: Mutes
  private let permissions: Permissions
  private let inFront: AppsInFront
  /// Those that are due and kept for later.
  let held: HeldRequests
  /// Stores the messages that their steps send elsewhere.
  let outbox: Outbox
  private let screen: Screen
  private let poster: Poster
  private let trim: MemoryTrim

  init(
    ends: Ends, mutes: Mutes, permissions: Permissions, inFront: AppsInFront, held: HeldRequests, outbox: Outbox,
    screen: Screen, poster: Poster, trim: MemoryTrim
  ) {
    self.ends = ends
    self.mutes = mutes
    self.permissions = permissions
    self.inFront = inFront
    self.held = held
    self.outbox = outbox
    self.screen = screen
    self.poster = poster
    self.trim = trim
  }

  /// Delivers requests that are due.
  func deliver(_ due: [Due]) {
    trim.trim(after: due.count)
    for one in due {
      // It was answered while it was on its way.
      if one.earlierShowings > 0, !one.isAgain, !ends.isUnderWay(one) { continue }
      ends.begin(one)
      let key = RequestKey(one)
      if !one.isOneOfMany { ends.stopShowingAgain(key, except: one, because: .replaced) }
      inFront.supersede(key)
      held.supersede(key, by: one)
      if mutes.contains(one) {
        ends.note(one, .muted)
        continue
      }
      guard permissions.mayShow(one) else { continue }
      let isKept = held.keeps(one)
      // It is sent also while the user is away from this desktop, but not in quiet hours.
      if !isKept || !held.isQuiet(one) { outbox.queue(one) }
      if !isKept, !inFront.isAsked(about: one) { screen.put(one) }
    }
    ends.carryOut()
    poster.post()
  }

  /// Requests that were delivered while the disk failed are recorded now: goes on as if they had been from the start.
  func wereStored(_ due: [Due]) {
    for one in due {
      guard let due = screen[RequestKey(one)]?.due, due === one || due.record == nil && due.date == one.date else {
        ends.recordEarlier(one)
        continue
      }
      due.takeRecord(of: one)
      ends.begin(due)
      if due.missed != one.missed { ends.noteMissed(due) }
      poster.wasStored(due)
    }
  }
}
