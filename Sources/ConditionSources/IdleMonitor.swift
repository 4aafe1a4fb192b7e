// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop

/// [GNOME's idle
/// monitor](https://gitlab.gnome.org/GNOME/mutter/-/blob/main/data/dbus-interfaces/org.gnome.Mutter.IdleMonitor.xml),
/// which tells when a time without input is over, and when the next input comes.
final class IdleMonitor: IdleTeller {
  var tell: ([Duration: Bool]?) -> Void = { _ in }
  private var durations: Set<Duration> = []
  /// The watches that the monitor has for us, by duration.
  private var watches: [Duration: UInt32] = [:]
  /// The watch for the next input.
  private var inputWatch: UInt32?
  private var owner: BusName?
  private var follower: ServiceFollower?
  private let loop: EventLoop
  private let session: Connection

  private static let service: BusName = "org.gnome.Mutter.IdleMonitor"
  private static let path: ObjectPath = "/org/gnome/Mutter/IdleMonitor/Core"
  private static let interface: InterfaceName = "org.gnome.Mutter.IdleMonitor"
  private static let getIdleTime = MethodDescription("GetIdletime", out: ("idletime", UInt64.self))
  private static let addIdleWatch = MethodDescription(
    "AddIdleWatch", in: ("interval", UInt64.self), out: ("id", UInt32.self))
  private static let addUserActiveWatch = MethodDescription("AddUserActiveWatch", out: ("id", UInt32.self))
  private static let removeWatch = MethodDescription("RemoveWatch", in: ("id", UInt32.self))

  init(on loop: EventLoop, session: Connection) {
    self.loop = loop
    self.session = session
  }

  var isRunning: Bool { follower != nil }
  var isOffered: Bool { follower?.hasOwner == true }

  func follow(_ durations: Set<Duration>) {
    self.durations = durations
    for (duration, number) in watches where !durations.contains(duration) {
      watches[duration] = nil
      remove(number)
    }
    if durations.isEmpty {
      if let inputWatch { remove(inputWatch) }
      follower?.stop()
      (follower, owner, inputWatch) = (nil, nil, nil)
    } else if let follower {
      follower.refresh()
    } else {
      let follower = makeFollower()
      self.follower = follower
      follower.follow([
        MatchRule(sender: Self.service, path: Self.path, interface: Self.interface, member: "WatchFired")
      ])
    }
  }

  private func remove(_ number: UInt32) {
    guard let owner else { return }
    let object = RemoteObject(owner, Self.path, Self.interface, startsService: false)
    loop.startLater { [session] in
      _ = try? await session.call(Self.removeWatch, of: object, number, limit: FollowedService.limit)
    }
  }

  private func makeFollower() -> ServiceFollower {
    ServiceFollower(Self.service, title: "GNOME's idle monitor", on: .session(session), loop: loop) {
      [weak self] (service) throws(CallError) in
      try await self?.read(service)
    } lose: { [weak self] _ in
      guard let self else { return }
      (watches, owner, inputWatch) = ([:], nil, nil)
      tell(nil)
    }
  }

  /// Reads the state, and lets the monitor tell of the next change. A watch that fired leads here as well: what counts
  /// is the time without input, and not which one fired.
  private func read(_ service: FollowedService) async throws(CallError) {
    if owner != service.owner { (watches, owner, inputWatch) = ([:], service.owner, nil) }
    for duration in durations where watches[duration] == nil {
      let number = try await service.call(
        Self.addIdleWatch, at: Self.path, Self.interface, UInt64(duration / .milliseconds(1)))
      watches[duration] = number
    }
    let old = inputWatch
    inputWatch = nil
    let idle = try await idleTime(service)
    if durations.contains(where: { $0 <= idle }) {
      // It fires once, at the next input; an older one may have fired already.
      inputWatch = try await service.call(Self.addUserActiveWatch, at: Self.path, Self.interface)
    }
    if let old { remove(old) }
    // There may have been input before the watch was there.
    let known = inputWatch == nil ? idle : try await idleTime(service)
    tell(Dictionary(uniqueKeysWithValues: durations.map { ($0, $0 <= known) }))
  }

  /// The monitor counts milliseconds, and may round them down.
  private func idleTime(_ service: FollowedService) async throws(CallError) -> Duration {
    let time = try await service.call(Self.getIdleTime, at: Self.path, Self.interface)
    return .milliseconds(Int64(clamping: time)) + .milliseconds(1)
  }
}
