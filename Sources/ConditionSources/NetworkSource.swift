// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// The connected networks, by [NetworkManager](https://networkmanager.dev/docs/api/latest/spec.html).
final class NetworkSource: ConditionSource {
  var whenObserved: (Condition.Subject, Observation) -> Void = { _, _ in }
  private let service: ServiceState<Networks>

  /// The names of the connected networks.
  private struct Networks {
    /// The SSIDs; nil if they cannot be read at the moment.
    var wireless: Set<String>? = []
    /// The names of the connections.
    var connections: Set<String> = []
  }

  private static let name: BusName = "org.freedesktop.NetworkManager"
  private static let path: ObjectPath = "/org/freedesktop/NetworkManager"
  private static let actives: ObjectPath = "/org/freedesktop/NetworkManager/ActiveConnection"
  private static let active = "org.freedesktop.NetworkManager.Connection.Active"
  private static let accessPoint = "org.freedesktop.NetworkManager.AccessPoint"
  private static let activated: Int64 = 2

  init(on loop: EventLoop, system: SystemBusLink) {
    // The strength of access points changes all the time: only the connections are followed.
    let rules: [MatchRule] = [
      .properties(of: Self.name, at: Self.path, Self.name.text),
      .properties(of: Self.name, below: Self.actives, Self.active),
    ]
    service = ServiceState(
      Self.name, title: "NetworkManager", on: .system(system), loop: loop, rules: rules, read: Self.networks)
    service.tell = { [weak self] in self?.report($0, $1) }
    service.lose = { [weak self] in self?.whenObserved($0, .unknown($1)) }
  }

  func observes(_ subject: Condition.Subject) -> Bool {
    switch subject {
    case .wifi, .network: true
    default: false
    }
  }

  func watch(_ subject: Condition.Subject) { service.watch(subject) }

  func unwatch(_ subject: Condition.Subject) { service.unwatch(subject) }

  private func report(_ subject: Condition.Subject, _ networks: Networks) {
    switch subject {
    case .wifi(let name):
      guard let wireless = networks.wireless else { return }
      whenObserved(subject, .holds(wireless.contains(name), event: ["ssid": name]))
    case .network(let name):
      whenObserved(subject, .holds(networks.connections.contains(name), event: ["network": name]))
    default: break
    }
  }

  private static func networks(_ service: FollowedService) async throws(CallError) -> Networks? {
    let manager = try await service.properties(of: name.text, at: path)
    var networks = Networks()
    for case .objectPath(let path) in manager["ActiveConnections"]?.elements ?? [] {
      // It may have ended in the meantime.
      guard let one = try await service.currentProperties(of: active, at: path),
        one["State"]?.integer == activated
      else { continue }
      if let id = one["Id"]?.string { networks.connections.insert(id) }
      guard one["Type"]?.string == "802-11-wireless", case .objectPath(let point)? = one["SpecificObject"] else {
        continue
      }
      guard let found = try await service.currentProperties(of: accessPoint, at: point) else {
        // The machine is on its way to another access point of a network: it has not left the network.
        networks.wireless = nil
        continue
      }
      if let ssid = found["Ssid"].flatMap(text) { networks.wireless?.insert(ssid) }
    }
    return networks
  }

  /// An SSID is bytes; those of one that a condition can name are UTF-8.
  private static func text(_ value: Value) -> String? {
    if case .bytes(let bytes) = value { return String(validating: bytes, as: UTF8.self) }
    guard let bytes = value.elements else { return nil }
    return String(validating: bytes.compactMap { $0.integer.flatMap { UInt8(exactly: $0) } }, as: UTF8.self)
  }
}
