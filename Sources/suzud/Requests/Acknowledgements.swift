// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// Ends notifications that the user has acknowledged elsewhere: those on the screen, and those that would be shown
/// again. Handles a slice of the ids in each turn of the loop, like ``Dismissals``.
final class Acknowledgements {
  private let loop: EventLoop
  private let longCalls: LongCalls
  private let ends: Ends
  private let screen: Screen
  private let link: ServerLink

  init(on loop: EventLoop, longCalls: LongCalls, ends: Ends, screen: Screen, link: ServerLink) {
    self.loop = loop
    self.longCalls = longCalls
    self.ends = ends
    self.screen = screen
    self.link = link
  }

  /// Acknowledges notifications, without ids all of the app; returns of how many requests.
  func acknowledge(
    _ app: String, _ ids: [String], _ rights: Rights, from caller: Caller?
  ) async throws(CenterError) -> Int {
    try ReservedID.check(rights, touching: ids)
    await longCalls.wait(for: caller)
    var keys = Set(ids.map { RequestKey(app: app, id: $0) })
    if ids.isEmpty {
      keys = Set(screen.matching(app, [], for: rights, where: Self.isKnown).map(\.base))
      keys.formUnion(ends.keysShownAgain(of: app))
    }
    var count = 0
    for (index, key) in keys.enumerated() {
      if index % LongCalls.slice == LongCalls.slice - 1 { await loop.nextTurn() }
      if acknowledge(key, rights) { count += 1 }
    }
    ends.carryOut()
    return count
  }

  /// Whether the user may have seen it.
  private static func isKnown(_ entry: Entry) -> Bool { entry.onScreen != nil || entry.due.earlierShowings > 0 }

  private func acknowledge(_ key: RequestKey, _ rights: Rights) -> Bool {
    let resting = ends.stopShowingAgain(key, because: .acknowledged).filter(\.isResting)
    for one in resting { link.forget(one.shown) }
    var isAny = !resting.isEmpty
    for key in screen.matching(key.app, [key.id], for: rights, where: Self.isKnown) {
      guard let entry = screen[key] else { continue }
      let number = entry.onScreen
      if entry.isPending, entry.due.earlierShowings > 0 {
        // It is on its way to be shown again.
        screen.drop(key, because: .acknowledged)
        isAny = true
      } else if entry.isPosting {
        continue
      }
      guard let number else { continue }
      screen.take(number, because: .acknowledged)
      _ = screen.useUp(number)
      isAny = true
    }
    return isAny
  }
}
