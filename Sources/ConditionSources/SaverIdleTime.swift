// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop

/// The time without input by the screen saver of KDE, which answers but does not announce anything.
///
/// It is asked once in each duration, when the time without input can be that long at the earliest: input in the
/// meantime moves this moment. So `idle` comes on time, and its end is noticed late by at most its duration.
final class SaverIdleTime: IdleTeller {
  var tell: ([Duration: Bool]?) -> Void = { _ in }
  private var durations: Set<Duration> = []
  /// How long there was no input when it was asked last, and when that was.
  private var last: (idle: Duration, at: Duration)?
  private var next: EventLoop.Deadline?
  private var follower: ServiceFollower?
  private let loop: EventLoop
  private let session: Connection

  private static let service: BusName = "org.freedesktop.ScreenSaver"
  private static let path: ObjectPath = "/ScreenSaver"
  private static let getIdleTime = MethodDescription("GetSessionIdleTime", out: ("milliseconds", UInt32.self))

  init(on loop: EventLoop, session: Connection) {
    self.loop = loop
    self.session = session
  }

  var isRunning: Bool { follower != nil }
  var isOffered: Bool { follower?.hasOwner == true }

  func follow(_ durations: Set<Duration>) {
    self.durations = durations
    if durations.isEmpty {
      next?.cancel()
      follower?.stop()
      (follower, next, last) = (nil, nil, nil)
    } else if let follower {
      follower.refresh()
    } else {
      let follower = makeFollower()
      self.follower = follower
      // It also tells when it begins and ends to save the screen, which is the end of a time without input.
      follower.follow([
        MatchRule(sender: Self.service, interface: "org.freedesktop.ScreenSaver", member: "ActiveChanged")
      ])
    }
  }

  private func makeFollower() -> ServiceFollower {
    ServiceFollower(Self.service, title: "the screen saver", on: .session(session), loop: loop) {
      [weak self] (service) throws(CallError) in
      let time = try await service.call(Self.getIdleTime, at: Self.path, "org.freedesktop.ScreenSaver")
      self?.take(.milliseconds(time))
    } lose: { [weak self] _ in
      guard let self else { return }
      next?.cancel()
      (next, last) = (nil, nil)
      tell(nil)
    }
  }

  private func take(_ idle: Duration) {
    let now = EventLoop.Clock.monotonic.now
    // There was input since it was asked last: what was idle then has ended, even if it is again.
    if let last, idle < now - last.at, durations.contains(where: { $0 <= last.idle && $0 <= idle }) {
      tell(Dictionary(uniqueKeysWithValues: durations.map { ($0, false) }))
    }
    last = (idle, now)
    tell(Dictionary(uniqueKeysWithValues: durations.map { ($0, $0 <= idle) }))
    next?.cancel()
    guard let wait = durations.map({ $0 <= idle ? $0 : $0 - idle }).min() else { return }
    next = loop.schedule(after: wait) { [weak self] in self?.follower?.refresh() }
  }
}
