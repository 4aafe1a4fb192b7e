// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import NotificationModel
import Scheduling
import TestSupport
import Testing

@testable import ConditionSources

/// Tests beacons with python-dbusmock's BlueZ, and with a scripted one where that lacks an interface. A real radio is
/// not tested.
@Suite(.timeLimit(.minutes(1))) struct BeaconSourceTests {
  private static let bluez: BusName = "org.bluez"
  private static let line = "beacon F7826DA6-4FA2-4E98-8024-BC5B71E0893E 1"
  private static let identity: [UInt8] = [
    0xF7, 0x82, 0x6D, 0xA6, 0x4F, 0xA2, 0x4E, 0x98, 0x80, 0x24, 0xBC, 0x5B, 0x71, 0xE0, 0x89, 0x3E,
  ]

  private func advertisement(major: UInt8, minor: UInt8) -> [UInt16: Value] {
    [0x004C: .bytes([0x02, 0x15] + Self.identity + [0, major, 0, minor, 0xC5])]
  }

  // The second one waited in vain for an answer.
  @Test func `Without a system bus each beacon is told that nothing is known`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let link = SystemBusLink(try BusAddress("unix:path=" + bus.folder.path("none")), on: loop)
      let source = BeaconSource(on: loop, system: link)
      for line in [Self.line, Self.line + " 7"] {
        let reader = try source.observations(of: line)
        #expect(await reader.next() == .unknown("the system bus cannot be reached"))
      }
      for line in [Self.line, Self.line + " 7"] { source.unwatch(try Condition(line).subject) }
    }
  }

  @Test func `A beacon comes near and is gone, and others do not count`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      // Newer versions of the mock offer advertisement monitors, but never report a device to one.
      let mock = try await stand.mock("bluez5", Self.bluez, #"{"enable_monitor_api": false}"#)
      let times = BeaconSearch.Times(search: .milliseconds(300), pause: .milliseconds(100), absence: .milliseconds(600))
      let source = BeaconSource(on: loop, system: stand.link, times: times)
      let reader = try stand.watch(source, Self.line)
      #expect(await reader.next() == .unknown("Bluetooth is off, or this machine has none"))
      func mocked(_ member: MemberName, _ arguments: [Value]) async throws -> Value? {
        try await stand.session.call(
          MethodCall(to: Self.bluez, "/", "org.bluez.Mock", member, arguments)
        ).first
      }
      _ = try await mocked("AddAdapter", ["hci0", "laptop"])
      #expect(await SourceStand.known(reader) == .holds(false))
      let path = try #require(
        ObjectPath(try await mocked("AddDevice", ["hci0", "11:22:33:44:55:66", "b"])?.string ?? ""))
      for (major, minor) in [(2, 1), (1, 7)] as [(UInt8, UInt8)] {
        // The mock cannot change properties that are dictionaries.
        try await stand.call(
          Self.bluez, path, "EmitSignal",
          [
            "org.freedesktop.DBus.Properties", "PropertiesChanged", "sa{sv}as",
            .array(
              of: .variant,
              [
                .variant("org.bluez.Device1"),
                .variant(.properties(["ManufacturerData": advertisement(major: major, minor: minor).busValue])),
                .variant(.strings([])),
              ]),
          ])
      }
      #expect(
        await SourceStand.known(reader)
          == .holds(true, event: ["uuid": "F7826DA6-4FA2-4E98-8024-BC5B71E0893E", "major": "1", "minor": "7"]))
      #expect(await SourceStand.known(reader) == .holds(false))
      mock.kill()
      var last = await reader.next()
      while let observed = last, observed != .unknown("BlueZ is not running") { last = await reader.next() }
      #expect(last != nil)
      source.unwatch(try Condition(Self.line).subject)
    }
  }

  // A search knows nothing at first, and said that the beacon had gone.
  @Test func `A beacon that is near stays near when BlueZ starts again, and is gone if it is not found`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let times = BeaconSearch.Times(search: .milliseconds(300), pause: .milliseconds(100), absence: .seconds(2))
      let source = BeaconSource(on: loop, system: stand.link, times: times)
      let near = Observation.holds(
        true, event: ["uuid": "F7826DA6-4FA2-4E98-8024-BC5B71E0893E", "major": "1", "minor": "7"])
      // It was near when the center ended.
      source.expect(try Condition(Self.line).subject)
      let reader = try stand.watch(source, Self.line)
      for isFound in [true, true, false] {
        let bluez = try await ScriptedBlueZ(on: bus, loop, refuses: true)
        #expect(try await bluez.asked.next() == .discovery)
        let start = ContinuousClock.now
        if isFound {
          try await bluez.advertise(Self.device, advertisement(major: 1, minor: 7))
          #expect(await SourceStand.known(reader) == near)
        } else {
          #expect(await SourceStand.known(reader) == .holds(false))
          #expect(ContinuousClock.now - start > .seconds(1))
        }
        await bluez.connection.close()
        #expect(await SourceStand.ended(reader) != nil)
      }
      source.unwatch(try Condition(Self.line).subject)
    }
  }

  // The first search failed for a while, and the beacon counted as gone.
  @Test func `A search that fails tells nothing`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let times = BeaconSearch.Times(
        search: .milliseconds(10), pause: .milliseconds(10), absence: .milliseconds(100))
      let source = BeaconSource(on: loop, system: stand.link, times: times)
      source.expect(try Condition(Self.line).subject)
      let bluez = try await ScriptedBlueZ(on: bus, loop, refuses: true, searches: false)
      let reader = try stand.watch(source, Self.line)
      for _ in 0..<20 {
        guard case .unknown? = await reader.next() else { throw TestFailure("something is known") }
      }
      source.unwatch(try Condition(Self.line).subject)
      await bluez.connection.close()
    }
  }

  // MARK: An adapter that looks for beacons by itself

  @Test func `An adapter that looks by itself does not take a beacon that was near for gone`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let times = BeaconSearch.Times(absence: .milliseconds(500))
      let source = BeaconSource(on: loop, system: stand.link, times: times)
      source.expect(try Condition(Self.line).subject)
      let reader = try stand.watch(source, Self.line)
      for isFound in [true, false] {
        let bluez = try await ScriptedBlueZ(on: bus, loop)
        guard case .register(let client, let root) = try await bluez.asked.next() else {
          throw TestFailure("no monitor")
        }
        let path = try #require(try await bluez.monitors(of: client, below: root).keys.first)
        try await bluez.call(client, path, "Activate")
        if isFound { try await bluez.call(client, path, "DeviceFound", [.objectPath(Self.device)]) }
        #expect(await SourceStand.known(reader) == .holds(isFound))
        await bluez.connection.close()
        #expect(await SourceStand.ended(reader) != nil)
      }
      source.unwatch(try Condition(Self.line).subject)
    }
  }

  private static let device: ObjectPath = "/org/bluez/hci0/dev_11_22_33_44_55_66"

  @Test func `An adapter that can look for beacons is told which, and tells when one comes and goes`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let bluez = try await ScriptedBlueZ(on: bus, loop)
      let source = BeaconSource(on: loop, system: stand.link)
      let reader = try stand.watch(source, Self.line)
      guard case .register(let client, let root) = try await bluez.asked.next() else {
        throw TestFailure("no monitor")
      }
      let monitors = try await bluez.monitors(of: client, below: root)
      let (path, properties) = try #require(monitors.first)
      #expect(monitors.count == 1 && properties["Type"] == "or_patterns")
      // BlueZ refuses a low threshold that is not below the high one.
      #expect(properties["RSSILowThreshold"] == .int16(-127) && properties["RSSIHighThreshold"] == .int16(-126))
      #expect(properties["RSSILowTimeout"] == .uint16(120))
      // The maker's number, what iBeacons begin with, the UUID and the group.
      let bytes: [UInt8] = [0x4C, 0x00, 0x02, 0x15] + Self.identity + [0, 1]
      let pattern = Value.structure([.byte(0), .byte(0xFF), .bytes(bytes)])
      #expect(properties["Patterns"]?.elements == [pattern])
      try await bluez.call(client, path, "Activate")
      #expect(await reader.next() == .holds(false))
      try await bluez.addDevice(Self.device, manufacturerData: advertisement(major: 1, minor: 7))
      try await bluez.call(client, path, "DeviceFound", [.objectPath(Self.device)])
      #expect(
        await reader.next()
          == .holds(true, event: ["uuid": "F7826DA6-4FA2-4E98-8024-BC5B71E0893E", "major": "1", "minor": "7"]))
      // It is near until the last device that sends it is lost.
      try await bluez.call(client, path, "DeviceFound", [.objectPath("/org/bluez/hci0/dev_2")])
      try await bluez.call(client, path, "DeviceLost", [.objectPath(Self.device)])
      try await bluez.call(client, path, "DeviceLost", [.objectPath("/org/bluez/hci0/dev_2")])
      #expect(await reader.next() == .holds(false))
      // A second beacon is announced, and the first one is withdrawn.
      let second = try stand.watch(source, Self.line + " 9")
      source.unwatch(try Condition(Self.line).subject)
      var paths = Set(monitors.keys)
      while paths.count != 1 || paths.contains(path) {
        paths = Set(try await bluez.monitors(of: client, below: root).keys)
      }
      try await bluez.call(client, try #require(paths.first), "Activate")
      #expect(await second.next() == .holds(false))
      try await bluez.call(client, try #require(paths.first), "Release")
      #expect(await second.next() == .unknown("BlueZ stopped looking for it"))
      source.unwatch(try Condition(Self.line + " 9").subject)
      #expect(try await bluez.asked.next() == .unregister)
    }
  }

  @Test func `Only BlueZ may report a beacon`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let bluez = try await ScriptedBlueZ(on: bus, loop)
      let source = BeaconSource(on: loop, system: stand.link)
      let reader = try stand.watch(source, Self.line)
      guard case .register(let client, let root) = try await bluez.asked.next() else {
        throw TestFailure("no monitor")
      }
      let path = try #require(try await bluez.monitors(of: client, below: root).keys.first)
      for (member, arguments) in [
        ("DeviceFound", [.objectPath(Self.device)]), ("DeviceLost", [.objectPath(Self.device)]), ("Activate", []),
        ("Release", []),
      ] as [(MemberName, [Value])] {
        await #expect(throws: CallError.refused(RemoteError(.accessDenied, "only BlueZ may call this"))) {
          try await stand.session.call(MethodCall(to: client, path, ScriptedBlueZ.monitor, member, arguments))
        }
      }
      try await bluez.call(client, path, "Activate")
      #expect(await reader.next() == .holds(false))
      source.unwatch(try Condition(Self.line).subject)
    }
  }

  @Test func `An adapter that has no room is searched with`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let bluez = try await ScriptedBlueZ(on: bus, loop, refuses: true)
      let source = BeaconSource(on: loop, system: stand.link)
      let reader = try stand.watch(source, Self.line)
      #expect(try await bluez.asked.next() == .discovery)
      #expect(await SourceStand.known(reader) == .holds(false))
      source.unwatch(try Condition(Self.line).subject)
    }
  }
}
