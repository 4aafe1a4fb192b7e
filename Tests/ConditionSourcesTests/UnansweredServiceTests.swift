// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Glibc
import NotificationModel
import Scheduling
import TestSupport
import Testing

@testable import ConditionSources

/// Tests services that hang: the reason is told, and the condition works as soon as the service answers.
@Suite(.timeLimit(.minutes(2))) struct UnansweredServiceTests {
  /// A service by python-dbusmock.
  enum Service: String, CaseIterable, CustomTestStringConvertible {
    case upower = "org.freedesktop.UPower"
    case networkManager = "org.freedesktop.NetworkManager"
    case logind = "org.freedesktop.login1"
    case bluez = "org.bluez"

    var testDescription: String { rawValue }
    var name: BusName { BusName(rawValue) ?? .bus }

    /// The template, and its parameters.
    var template: (name: String, parameters: String) {
      switch self {
      case .upower: ("upower", #"{"OnBattery": true}"#)
      case .networkManager: ("networkmanager", "{}")
      case .logind: ("logind", "{}")
      // Newer versions of the mock offer advertisement monitors, but never report a device to one.
      case .bluez: ("bluez5", #"{"enable_monitor_api": false}"#)
      }
    }

    var line: String {
      switch self {
      case .upower: "power"
      case .networkManager: "network Home"
      case .logind: "idle 10m"
      case .bluez: "beacon F7826DA6-4FA2-4E98-8024-BC5B71E0893E"
      }
    }

    func source(_ stand: SourceStand) -> any ConditionSource {
      switch self {
      case .upower: PowerSource(on: stand.loop, system: stand.link)
      case .networkManager: NetworkSource(on: stand.loop, system: stand.link)
      case .logind: IdleSource(on: stand.loop, system: stand.link, session: stand.session)
      case .bluez: BeaconSource(on: stand.loop, system: stand.link)
      }
    }

    /// How the reason begins. No single program has to know of input, so that none is named.
    var reason: String {
      switch self {
      case .upower: "UPower: "
      case .networkManager: "NetworkManager: "
      case .logind: "no desktop, Wayland compositor or logind tells how long there was no input"
      case .bluez: "BlueZ: "
      }
    }

    /// What is known after ``change(_:)``.
    var known: Observation {
      switch self {
      case .networkManager: .holds(false, event: ["network": "Home"])
      default: .holds(false)
      }
    }

    /// Prepares a mock that answers.
    func prepare(_ stand: SourceStand) async throws {
      guard self == .logind else { return }
      let path: ObjectPath = "/org/freedesktop/login1"
      try await stand.call(name, path, "AddUser", [.uint32(getuid()), "ada", .boolean(true)])
      // The template adds a number to a text, so that its own method always fails.
      try await stand.call(
        name, path, "AddMethod",
        [
          "org.freedesktop.login1.Manager", "GetUser", "u", "o",
          "ret = dbus.ObjectPath('/org/freedesktop/login1/user/%d' % args[0])",
        ])
    }

    /// Lets the service announce that something has changed.
    func change(_ stand: SourceStand) async throws {
      switch self {
      case .upower:
        try await stand.update(name, "/org/freedesktop/UPower", rawValue, ["OnBattery": true])
      case .networkManager:
        try await stand.update(name, "/org/freedesktop/NetworkManager", rawValue, ["Connectivity": .uint32(4)])
      case .logind:
        let user = try #require(ObjectPath("/org/freedesktop/login1/user/\(getuid())"))
        try await stand.update(name, user, "org.freedesktop.login1.User", ["IdleHint": false])
      case .bluez:
        try await stand.session.call(
          MethodCall(to: name, "/", "org.bluez.Mock", "AddAdapter", ["hci0", "laptop"]))
      }
    }
  }

  /// The reason why nothing is known.
  private func reason(_ reader: Reader<Observation>) async throws -> String {
    guard case .unknown(let reason)? = await reader.next() else { throw TestFailure("it is known") }
    return reason
  }

  @Test(arguments: Service.allCases)
  func `A service that hangs is named, and works as soon as it answers`(_ service: Service) async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let (template, parameters) = service.template
      let mock = try await stand.mock(template, service.name, parameters)
      try await service.prepare(stand)
      kill(mock.processID, SIGSTOP)
      let source = service.source(stand)
      let reader = try stand.watch(source, service.line)
      let why = try await reason(reader)
      #expect(why.hasPrefix(service.reason) && (service == .logind || why.contains("did not answer")), "\(why)")
      kill(mock.processID, SIGCONT)
      try await service.change(stand)
      #expect(await SourceStand.known(reader) == service.known)
      source.unwatch(try Condition(service.line).subject)
      mock.kill()
    }
  }
}
