// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// Closes notifications whose `expires` has passed and that their server has not closed: most servers never let a
/// critical one expire, some keep what has expired in a list and say nothing, and Xfce's never ends what comes during
/// *Do not disturb*. A program that waits for the end would wait for ever.
///
/// A server that reports expiry gets more time: it keeps a notification while the pointer is over it.
///
/// While the user is away, some notifications do not expire: their server gets them again without an expiry, and once
/// more with it when the user is back, so that their whole time is still to come.
final class OwnExpiry {
  /// Who does not let a notification expire.
  private enum Pause {
    /// The server shows it without an expiry.
    case onServer
    /// The server may move it to a list, without an end; it has an alarm when the user is back.
    case here
  }

  private let loop: EventLoop
  private let timeouts: Timeouts
  private let link: ServerLink
  private let screen: Screen
  private let time: any TimeSource
  private let pause: ExpiryPause
  /// Called with a notification that has just been closed and has no open list of actions.
  var closed: (PostedNumber, RequestEnd) -> Void = { _, _ in }
  /// Called when notifications were queued again.
  var whenQueued: () -> Void = {}
  private var alarms: [DeliveryRecord.Number: EventLoop.Deadline] = [:]
  private var paused: [DeliveryRecord.Number: Pause] = [:]

  init(
    on loop: EventLoop, timeouts: Timeouts, link: ServerLink, screen: Screen, time: any TimeSource, pause: ExpiryPause
  ) {
    self.loop = loop
    self.timeouts = timeouts
    self.link = link
    self.screen = screen
    self.time = time
    self.pause = pause
  }

  /// The server shows a notification.
  ///
  /// - Parameter isPaused: whether it was shown without its expiry, because the user is away.
  func begin(_ due: Due, _ number: PostedNumber, isPaused: Bool, on state: ServerState) {
    guard let delivery = due.record?.delivery else { return }
    end(delivery)
    if isPaused { paused[delivery] = .onServer } else { setAlarm(due, number, on: state) }
    // The user may have come or gone while the server was asked.
    if adapt(number, on: state) { whenQueued() }
  }

  /// The server shows a notification of an earlier run, which may have been shown without its expiry.
  func restore(_ due: Due, _ number: PostedNumber, since shown: Timestamp?, on state: ServerState) {
    guard let delivery = due.record?.delivery else { return }
    if state.traits.known.tellsOfExpiry, pause.concerns(due.request) {
      paused[delivery] = .onServer
    } else {
      // It may have gone while no center was there, and would take up room for ever.
      let takesRoom = [.crashes, .hidesNewest].contains(state.traits.known.room?.overflow)
      let isPassing = !Presenter.stays(due.request, state.capabilities)
      setAlarm(
        due, number, since: shown, on: state, otherwise: takesRoom && isPassing ? timeouts.pauses.banner : nil)
    }
  }

  /// - Parameters:
  ///   - shown: when it was shown, if an earlier run of the center did that.
  ///   - usual: the expiry of a notification without an `expires`; nil to leave that to the server.
  private func setAlarm(
    _ due: Due, _ number: PostedNumber, since shown: Timestamp? = nil, on state: ServerState,
    otherwise usual: Duration? = nil
  ) {
    var duration = usual
    if case .after(let own)? = due.request.content.expires { duration = own }
    guard let delivery = due.record?.delivery, let duration else { return }
    let isOurs = due.request.content.level == .critical || !state.traits.known.tellsOfExpiry
    let pause = isOurs ? timeouts.pauses.expiry : timeouts.pauses.expiryOnServer
    let passed = shown.map { Duration.milliseconds(max(0, time.wall - $0)) } ?? .zero
    alarms[delivery] = loop.schedule(after: max(.zero, duration - passed) + pause) { [weak self] in
      self?.close(delivery, number)
    }
  }

  /// A notification has ended for another reason.
  func end(_ delivery: DeliveryRecord.Number) {
    alarms.removeValue(forKey: delivery)?.cancel()
    paused[delivery] = nil
  }

  private func close(_ delivery: DeliveryRecord.Number, _ number: PostedNumber) {
    alarms[delivery] = nil
    guard screen.state.shown(number) != nil, screen.posting(number)?.due.record?.delivery == delivery else { return }
    link.close(number)
    // As if the server had closed it: its open list may still be answered.
    if !screen.holdEnd(number, .expired) { closed(number, .expired) }
  }

  // MARK: Absence

  /// The user has come or gone, or a setting has changed.
  func recheck() {
    guard let state = link.state else { return }
    var isAny = false
    for (number, _) in screen.state.open(of: nil) { isAny = adapt(number, on: state) || isAny }
    if isAny { whenQueued() }
  }

  /// Pauses the expiry of a notification, or lets it go on. Returns whether it was queued again for that.
  private func adapt(_ number: PostedNumber, on state: ServerState) -> Bool {
    guard pause.isKnown, let posting = screen.posting(number), let delivery = posting.due.record?.delivery,
      let entry = screen[posting.key], case .shown(number) = entry.stage
    else { return false }
    let mustPause = pause.holds(posting.request)
    switch paused[delivery] {
    case nil where mustPause:
      alarms.removeValue(forKey: delivery)?.cancel()
      // Another server may have it in a list since long, and would show it anew.
      guard state.traits.known.tellsOfExpiry, state.capabilities.contains(.actions), posting.openList == nil else {
        paused[delivery] = .here
        return false
      }
    case .onServer where !mustPause && posting.openList == nil: break
    case .here where !mustPause:
      paused[delivery] = nil
      setAlarm(posting.due, number, on: state)
      return false
    default: return false
    }
    screen.renew(posting.key, number)
    return true
  }
}
