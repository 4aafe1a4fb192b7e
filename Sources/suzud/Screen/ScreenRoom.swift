// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// Keeps as many notifications open as the server has room for, so that the center and not the server decides which one
/// has to go: a banner before an alert, which must be answered and comes back when there is room again.
final class ScreenRoom {
  /// What to do with the next request in the queue.
  enum Admission {
    case post
    /// It waits until a notification leaves the screen. Others may go before it: one that replaces a notification needs
    /// no room.
    case hold
  }

  private let link: ServerLink
  private let screen: Screen
  private let ends: Ends

  init(link: ServerLink, screen: Screen, ends: Ends) {
    self.link = link
    self.screen = screen
    self.ends = ends
  }

  /// Decides about a request that has just been taken from the queue, and makes room for it if that is needed.
  func admit(_ key: RequestKey, _ entry: Entry, on state: ServerState) -> Admission {
    // One that replaces a notification needs no more room.
    guard let room = state.traits.known.room, entry.replaces?.server != state.owner else { return .post }
    let app = room.isPerApp ? key.app : nil
    let open = screen.state.open(of: app)
    let calls = link.queue.flying.keys.filter { app == nil || $0.app == app }
    // The request itself counts as an open call already.
    let count = open.count + calls.count { !replacesOpen($0) } - 1
    guard count >= room.limit else { return .post }
    switch room.overflow {
    case .refuses: return .post
    case .crashes: return .hold
    case .hidesNewest: return entry.request.content.level == .critical ? .post : .hold
    case .closesOldest:
      if entry.waitsForRoom { return .hold }
      makeRoom(among: open)
      return .post
    }
  }

  /// Whether a call is about to replace a notification that counts as open itself.
  private func replacesOpen(_ key: RequestKey) -> Bool {
    screen[key]?.replaces.flatMap { screen.posting($0) }.map { $0.leftAt == nil } ?? false
  }

  private func makeRoom(among open: [(number: PostedNumber, entry: Entry)]) {
    // The center's own questions stay, and so do those that are being replaced.
    let others = open.filter {
      screen.state.shown($0.number) != nil && screen.state.isNewest($0.number)
        && !ReservedID.isReserved($0.entry.request.id?.text ?? "")
    }
    if let banner = others.first(where: { $0.entry.request.content.style == .banner }) {
      link.close(banner.number)
      screen.closed(banner.number, .expired)
    } else if let alert = others.first {
      if screen.park(alert.number) != nil { ends.noteLost(alert.entry.due) }
    }
  }
}
