// SPDX-License-Identifier: Apache-2.0
internal import DBus
internal import EventLoop
internal import NotificationModel
internal import Scheduling

/// The connected networks, by [NetworkManager](https://networkmanager.dev/docs/api/latest/spec.html).
final class NetworkSource: ConditionSource {
  var whenObserved: (Condition.Subject, Observation) -> Void = { _, _ in }
  private var subjects: Set<Condition.Subject> = []
  private var follower: ServiceFollower?
  private let loop: EventLoop
  private let system: SystemBusLink
  /// The names of the connected networks; nil if they are not known.
  private var known: Networks?

  private struct Networks {
    /// The SSIDs.
    var wireless: Set<String> = []
    /// The names of the connections.
    var connections: Set<String> = []
  }

  private static let service: BusName = "org.freedesktop.NetworkManager"
  private static let path: ObjectPath = "/org/freedesktop/NetworkManager"
  private static let actives: ObjectPath = "/org/freedesktop/NetworkManager/ActiveConnection"
  private static let active = "org.freedesktop.NetworkManager.Connection.Active"
  private static let activated: Int64 = 2

  init(on loop: EventLoop, system: SystemBusLink) {
    self.loop = loop
    self.system = system
  }

  func observes(_ subject: Condition.Subject) -> Bool {
    switch subject {
    case .wifi, .network: true
    default: false
    }
  }

  func watch(_ subject: Condition.Subject) {
    subjects.insert(subject)
    if let known { return report(subject, known) }
    let follower = follower ?? makeFollower()
    self.follower = follower
    // The strength of access points changes all the time: only the connections are followed.
    follower.follow([
      .properties(of: Self.service, at: Self.path, Self.service.text),
      .properties(of: Self.service, below: Self.actives, Self.active),
    ])
  }

  func unwatch(_ subject: Condition.Subject) {
    subjects.remove(subject)
    guard subjects.isEmpty else { return }
    follower?.stop()
    (follower, known) = (nil, nil)
  }

  private func makeFollower() -> ServiceFollower {
    ServiceFollower(Self.service, title: "NetworkManager", on: .system(system), loop: loop) {
      [weak self] (connection, owner) throws(CallError) in
      let networks = try await Self.networks(connection, owner)
      guard let self else { return }
      known = networks
      for subject in subjects { report(subject, networks) }
    } lose: { [weak self] reason in
      guard let self else { return }
      known = nil
      for subject in subjects { whenObserved(subject, .unknown(reason)) }
    }
  }

  private func report(_ subject: Condition.Subject, _ networks: Networks) {
    switch subject {
    case .wifi(let name):
      whenObserved(subject, .holds(networks.wireless.contains(name), event: ["ssid": name]))
    case .network(let name):
      whenObserved(subject, .holds(networks.connections.contains(name), event: ["network": name]))
    default: break
    }
  }

  private static func networks(_ connection: Connection, _ owner: BusName) async throws(CallError) -> Networks {
    let manager = try await connection.properties(of: service.text, at: path, owner)
    var networks = Networks()
    for case .objectPath(let path) in manager["ActiveConnections"]?.elements ?? [] {
      // It may have ended in the meantime.
      guard let one = try? await connection.properties(of: active, at: path, owner),
        one["State"]?.integer == activated
      else { continue }
      if let name = one["Id"]?.string { networks.connections.insert(name) }
      guard one["Type"]?.string == "802-11-wireless", case .objectPath(let point)? = one["SpecificObject"],
        let found = try? await connection.properties(
          of: "org.freedesktop.NetworkManager.AccessPoint", at: point, owner),
        let name = found["Ssid"].flatMap(text)
      else { continue }
      networks.wireless.insert(name)
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
