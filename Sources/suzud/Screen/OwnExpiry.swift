// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import Freedesktop
internal import NotificationModel
internal import Scheduling

/// Closes notifications whose `expires` has passed and that their server has not closed: most servers never let a critical
/// one expire, some keep what has expired in a list and say nothing, and Xfce's never ends what comes during *Do not
/// disturb*. A program that waits for the end would wait for ever.
///
/// A server that reports expiry gets more time: it keeps a notification while the pointer is over it.
final class OwnExpiry {
  private let loop: EventLoop
  private let timeouts: Timeouts
  private let link: ServerLink
  private let screen: Screen
  private let time: any TimeSource
  /// Called with a notification that has just been closed and has no open list of actions.
  var closed: (PostedNumber, RequestEnd) -> Void = { _, _ in }
  private var alarms: [DeliveryRecord.Number: EventLoop.Deadline] = [:]

  init(on loop: EventLoop, timeouts: Timeouts, link: ServerLink, screen: Screen, time: any TimeSource) {
    self.loop = loop
    self.timeouts = timeouts
    self.link = link
    self.screen = screen
    self.time = time
  }

  /// The server shows a notification.
  ///
  /// - Parameter shown: when it was shown, if an earlier run of the center did that.
  func begin(_ due: Due, _ number: PostedNumber, since shown: Timestamp? = nil, on state: ServerState) {
    guard let delivery = due.record?.delivery, case .after(let duration)? = due.request.content.expires else { return }
    let isOurs = due.request.content.level == .critical || !state.traits.known.tellsOfExpiry
    let pause = isOurs ? timeouts.pauses.expiry : timeouts.pauses.expiryOnServer
    let passed = shown.map { Duration.milliseconds(max(0, time.wall - $0)) } ?? .zero
    alarms.removeValue(forKey: delivery)?.cancel()
    alarms[delivery] = loop.schedule(after: max(.zero, duration - passed) + pause) { [weak self] in
      self?.close(delivery, number)
    }
  }

  /// A notification has ended for another reason.
  func end(_ delivery: DeliveryRecord.Number) { alarms.removeValue(forKey: delivery)?.cancel() }

  private func close(_ delivery: DeliveryRecord.Number, _ number: PostedNumber) {
    alarms[delivery] = nil
    guard screen.state.shown(number) != nil, screen.posting(number)?.due.record?.delivery == delivery else { return }
    link.close(number)
    // As if the server had closed it: its open list may still be answered.
    if !screen.holdEnd(number, .expired) { closed(number, .expired) }
  }
}
