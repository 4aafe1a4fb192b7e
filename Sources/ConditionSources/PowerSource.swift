// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// The battery and the mains, by [UPower](https://upower.freedesktop.org/docs/).
final class PowerSource: ConditionSource {
  var whenObserved: (Condition.Subject, Observation) -> Void = { _, _ in }
  private var subjects: Set<Condition.Subject> = []
  private var follower: ServiceFollower?
  private let loop: EventLoop
  private let system: SystemBusLink
  private var known: State?

  private struct State {
    let isOnBattery: Bool
    /// Nil if there is no battery.
    let percent: Double?
  }

  private static let service: BusName = "org.freedesktop.UPower"
  private static let path: ObjectPath = "/org/freedesktop/UPower"
  private static let device = "org.freedesktop.UPower.Device"
  /// All batteries together.
  private static let display: ObjectPath = "/org/freedesktop/UPower/devices/DisplayDevice"

  init(on loop: EventLoop, system: SystemBusLink) {
    self.loop = loop
    self.system = system
  }

  func observes(_ subject: Condition.Subject) -> Bool {
    switch subject {
    case .battery, .power: true
    default: false
    }
  }

  func watch(_ subject: Condition.Subject) {
    subjects.insert(subject)
    if let known { return report(subject, known) }
    let follower = follower ?? makeFollower()
    self.follower = follower
    follower.follow([
      .properties(of: Self.service, at: Self.path, Self.service.text),
      .properties(of: Self.service, at: Self.display, Self.device),
    ])
  }

  func unwatch(_ subject: Condition.Subject) {
    subjects.remove(subject)
    guard subjects.isEmpty else { return }
    follower?.stop()
    (follower, known) = (nil, nil)
  }

  private func makeFollower() -> ServiceFollower {
    ServiceFollower(Self.service, title: "UPower", on: .system(system), loop: loop) {
      [weak self] (connection, owner) throws(CallError) in
      let power = try await connection.properties(of: Self.service.text, at: Self.path, owner)
      let battery = try await connection.properties(of: Self.device, at: Self.display, owner)
      guard let self, let isOnBattery = power["OnBattery"]?.boolean else { return }
      var percent: Double?
      if battery["IsPresent"]?.boolean == true, case .double(let charge)? = battery["Percentage"] { percent = charge }
      let state = State(isOnBattery: isOnBattery, percent: percent)
      known = state
      for subject in subjects { report(subject, state) }
    } lose: { [weak self] reason in
      guard let self else { return }
      known = nil
      for subject in subjects { whenObserved(subject, .unknown(reason)) }
    }
  }

  private func report(_ subject: Condition.Subject, _ state: State) {
    if subject == .power { return whenObserved(subject, .holds(!state.isOnBattery)) }
    guard let percent = state.percent else { return whenObserved(subject, .unknown("this machine has no battery")) }
    whenObserved(subject, .level(percent, event: ["percent": "\(Int(percent.rounded()))"]))
  }
}
