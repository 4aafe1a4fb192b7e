// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import Glibc

/// The hint that desktops give to logind when they consider the session idle. So a condition for a shorter time than
/// the desktop's comes late.
final class IdleHint: IdleTeller {
  var tell: ([Duration: Bool]?) -> Void = { _ in }
  private var durations: Set<Duration> = []
  private var follower: ServiceFollower?
  private var next: EventLoop.Deadline?
  private let loop: EventLoop
  private let system: SystemBusLink

  private static let service: BusName = "org.freedesktop.login1"
  private static let users: ObjectPath = "/org/freedesktop/login1/user"
  private static let user = "org.freedesktop.login1.User"
  private static let manager: InterfaceName = "org.freedesktop.login1.Manager"
  private static let getUser = MethodDescription("GetUser", in: ("uid", UInt32.self), out: ("path", ObjectPath.self))

  init(on loop: EventLoop, system: SystemBusLink) {
    self.loop = loop
    self.system = system
  }

  var isRunning: Bool { follower != nil }
  var isOffered: Bool { follower?.hasOwner == true }

  func follow(_ durations: Set<Duration>) {
    self.durations = durations
    if durations.isEmpty {
      next?.cancel()
      follower?.stop()
      (follower, next) = (nil, nil)
    } else if let follower {
      follower.refresh()
    } else {
      let follower = makeFollower()
      self.follower = follower
      follower.follow([.properties(of: Self.service, below: Self.users, Self.user)])
    }
  }

  private func makeFollower() -> ServiceFollower {
    ServiceFollower(Self.service, title: "logind", on: .system(system), loop: loop) {
      [weak self] (service) throws(CallError) in
      let path = try await service.call(Self.getUser, at: "/org/freedesktop/login1", Self.manager, getuid())
      let user = try await service.properties(of: Self.user, at: path)
      self?.take(isIdle: user["IdleHint"]?.boolean == true, since: user["IdleSinceHint"]?.integer ?? 0)
    } lose: { [weak self] _ in
      self?.lose()
    }
  }

  private func lose() {
    next?.cancel()
    next = nil
    tell(nil)
  }

  /// - Parameter since: in microseconds since 1970.
  private func take(isIdle: Bool, since: Int64) {
    next?.cancel()
    next = nil
    let idle = isIdle ? EventLoop.Clock.wall.now - .microseconds(since) : .zero
    tell(Dictionary(uniqueKeysWithValues: durations.map { ($0, isIdle && $0 <= idle) }))
    // Once in each idle time and for each duration: when it is over.
    guard isIdle, let first = durations.filter({ $0 > idle }).min() else { return }
    next = loop.schedule(after: first - idle) { [weak self] in self?.follower?.refresh() }
  }
}
