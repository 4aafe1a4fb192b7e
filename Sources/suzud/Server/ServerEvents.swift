// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// Handles the events of the notification server.
final class ServerEvents {
  private let link: ServerLink
  private let screen: Screen
  private let poster: Poster
  private let ends: Ends
  private let questions: Questions
  private let choosing: Choosing
  private let past: PastDeliveries
  private let restoration: ScreenRestoration
  private let loop: EventLoop
  private var waiting = WaitingEvents()
  private var hasBegun = false
  /// Called when the notifications that an earlier run left on the screen are known.
  var whenRestored: () -> Void = {}

  init(
    on loop: EventLoop, link: ServerLink, screen: Screen, poster: Poster, ends: Ends, questions: Questions,
    choosing: Choosing, past: PastDeliveries, restoration: ScreenRestoration
  ) {
    self.loop = loop
    self.link = link
    self.screen = screen
    self.poster = poster
    self.ends = ends
    self.questions = questions
    self.choosing = choosing
    self.past = past
    self.restoration = restoration
  }

  /// Handles the events that came while the center started, and from now on each as it comes.
  func begin() {
    hasBegun = true
    for event in waiting.arrived { handleNext(event) }
    waiting.arrived = []
  }

  /// Handles an event in the loop's next turn, as ``ServerLink/post(_:replacing:answered:whenLate:)`` does with answers:
  /// so both are handled in the order in which they came. A server may close what it replaces before it answers, and
  /// report a click right after its answer.
  func receive(_ event: ServerEvent) {
    if hasBegun { handleNext(event) } else { waiting.arrived.append(event) }
  }

  private func handleNext(_ event: ServerEvent) { loop.performNext { [weak self] in self?.handle([event]) } }

  private func handle(_ events: [ServerEvent]) {
    for event in events {
      if restoration.isUnderWay { waiting.held.append(event) } else { handle(event) }
    }
  }

  private func handle(_ event: ServerEvent) {
    switch event {
    case .appeared(let state):
      link.appeared(state)
      restore(on: state) { [poster] in poster.post() }
    case .vanished: vanished()
    case .activationToken(let number, let token):
      if isKnown(number, event) { screen.keepToken(token, for: number) }
    case .actionInvoked(let number, let key):
      if isKnown(number, event) { choosing.invoked(number, key: key) }
    case .closed(let number, let reason):
      guard isKnown(number, event) else { break }
      if reason != .expired, let key = screen.reopen(number) {
        noteLost(key)
        return poster.post()
      }
      var reason = meant(by: reason, of: number)
      let isForRoom = closesOldest && (reason == .expired || reason == .unknown)
      // If the server gives the replacement the same number, it has closed the replacement.
      if isForRoom, screen.state.isBeingReplaced(number) { link.early.keep(event, of: number) }
      if isForRoom, cannotExpire(number) {
        // It is shown again as soon as there is room, unless it is being replaced or its list is open.
        if screen.state.isBeingReplaced(number) {
          reason = .withdrawn
        } else if screen.posting(number)?.openList == nil, let key = screen.park(number, isClosed: true) {
          noteLost(key)
          return poster.post()
        }
      }
      // The center closes a notification to make room for its replacement, also while its list is open.
      let makesRoom = screen.state.isBeingReplaced(number)
      // Another program closed it, which is no answer of the user.
      if reason == .withdrawn, !makesRoom, screen.posting(number)?.due.isShownAgain == true { reason = .unknown }
      if makesRoom || !screen.holdEnd(number, reason) { choosing.closed(number, reason) }
    case .replied(let number, let text):
      if isKnown(number, event) { choosing.replied(number, text: text) }
    }
  }

  /// Restores the screen with the first server, or without one, and goes on when all of it is known: at once, unless
  /// there is much.
  private func restore(on state: ServerState?, _ goOn: @escaping () -> Void) {
    if restoration.isDone {
      whenRestored()
      return goOn()
    }
    poster.hold()
    loop.start { await self.restoreNow(on: state, goOn) }
  }

  private func restoreNow(on state: ServerState?, _ goOn: () -> Void) async {
    await restoration.restore(on: state)
    poster.release()
    whenRestored()
    goOn()
    let events = waiting.held
    waiting.held = []
    handle(events)
  }

  /// A notification is on the screen: handles the events with its number that came earlier.
  func shown(_ number: PostedNumber, asksAtOnce: Bool) {
    if asksAtOnce { choosing.askAtOnce(number) }
    // It was answered while the server was asked to show it again.
    if screen.posting(number)?.isUsedUp == true { screen.take(number) }
    for event in link.early.take(of: number) { handle(event) }
    choosing.shown(number)
  }

  /// Ignores numbers that the center was not given. While a post is open, such a number may still turn out to be its
  /// own.
  private func isKnown(_ number: PostedNumber, _ event: ServerEvent) -> Bool {
    if screen.posting(number) != nil { return true }
    if let posting = past.recall(number) {
      screen.recall(posting, number)
      return true
    }
    if link.queue.inFlight > 0 { link.early.keep(event, of: number) }
    return false
  }

  /// The end that a server's reason means: a notification that stays until the user acts on it cannot expire, and some
  /// servers give no reason if the user dismissed it.
  private func meant(by reason: ClosedReason, of number: PostedNumber) -> RequestEnd {
    guard let state = link.state else { return RequestEnd(reason) }
    let known = state.traits.known
    if reason == .undefined, known.saysNothingOfDismissed { return .dismissed }
    if reason == .expired, known.saysExpiredOfDismissed, let posting = screen.posting(number),
      Presenter.stays(posting.request, state.capabilities)
    {
      return .dismissed
    }
    return RequestEnd(reason)
  }

  /// Whether the server closes the oldest notification for a new one: GNOME Shell reports that as expiry, and awesome gives
  /// no reason. The center makes room itself, but may not know all that is open.
  private var closesOldest: Bool { link.state?.traits.known.room?.overflow == .closesOldest }

  private func cannotExpire(_ number: PostedNumber) -> Bool {
    guard let state = link.state, let posting = screen.posting(number) else { return false }
    return Presenter.stays(posting.request, state.capabilities)
  }

  // MARK: The server's end

  private func vanished() {
    link.vanished()
    // Without a server at the start, nothing is left of what an earlier one showed.
    restore(on: nil) { [self] in endShown() }
  }

  private func endShown() {
    for key in screen.forgetServer() {
      guard let entry = screen[key] else { continue }
      // An entry that waits is not on the screen; the notification that it would have replaced has ended with the
      // server.
      if entry.isPending { continue }
      if entry.request.content.style == .alert, !questions.isOpen(key) {
        // An alert must be answered, so it is shown again. Banners end. A question of the center ends, too: the code
        // that asked it may ask again.
        choosing.closeList(of: key)
        screen.showAgain(key)
        noteLost(key)
      } else {
        screen.remove(key)
        ends.note(entry.due, .vanished)
      }
    }
    link.activate()
    ends.carryOut()
  }

  private func noteLost(_ key: RequestKey) { if let due = screen[key]?.due { ends.noteLost(due) } }
}

/// The events that have not been handled yet.
private struct WaitingEvents {
  /// Those that came before ``ServerEvents/begin()``.
  var arrived: [ServerEvent] = []
  /// Those whose turn came while the screen was being restored.
  var held: [ServerEvent] = []
}

extension RequestEnd {
  fileprivate init(_ reason: ClosedReason) {
    self =
      switch reason {
      case .expired: .expired
      case .dismissed: .dismissed
      case .closed: .withdrawn
      case .undefined: .unknown
      }
  }
}
