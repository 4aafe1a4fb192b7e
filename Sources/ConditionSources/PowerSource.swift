// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// The battery and the mains, by [UPower](https://upower.freedesktop.org/docs/).
final class PowerSource: ConditionSource {
  var whenObserved: (Condition.Subject, Observation) -> Void = { _, _ in }
  private let service: ServiceState<Power>

  private struct Power {
    let isOnBattery: Bool
    /// Nil if there is no battery.
    let percent: Double?
  }

  private static let name: BusName = "org.freedesktop.UPower"
  private static let path: ObjectPath = "/org/freedesktop/UPower"
  private static let device = "org.freedesktop.UPower.Device"
  /// All batteries together.
  private static let display: ObjectPath = "/org/freedesktop/UPower/devices/DisplayDevice"

  init(on loop: EventLoop, system: SystemBusLink) {
    let rules: [MatchRule] = [
      .properties(of: Self.name, at: Self.path, Self.name.text),
      .properties(of: Self.name, at: Self.display, Self.device),
    ]
    service = ServiceState(
      Self.name, title: "UPower", on: .system(system), loop: loop, rules: rules, read: Self.power)
    service.tell = { [weak self] in self?.report($0, $1) }
    service.lose = { [weak self] in self?.whenObserved($0, .unknown($1)) }
  }

  func observes(_ subject: Condition.Subject) -> Bool {
    switch subject {
    case .battery, .power: true
    default: false
    }
  }

  func watch(_ subject: Condition.Subject) { service.watch(subject) }

  func unwatch(_ subject: Condition.Subject) { service.unwatch(subject) }

  private static func power(_ service: FollowedService) async throws(CallError) -> Power? {
    let power = try await service.properties(of: name.text, at: path)
    let battery = try await service.properties(of: device, at: display)
    guard let isOnBattery = power["OnBattery"]?.boolean else { return nil }
    var percent: Double?
    // A faulty driver may report any number, and a conversion of one that is too large would end the center.
    if battery["IsPresent"]?.boolean == true, case .double(let charge)? = battery["Percentage"], 0...100 ~= charge {
      percent = charge
    }
    return Power(isOnBattery: isOnBattery, percent: percent)
  }

  private func report(_ subject: Condition.Subject, _ power: Power) {
    if subject == .power { return whenObserved(subject, .holds(!power.isOnBattery)) }
    guard let percent = power.percent else { return whenObserved(subject, .unknown("this machine has no battery")) }
    whenObserved(subject, .level(percent, event: ["percent": "\(Int(percent.rounded()))"]))
  }
}
