// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import NotificationModel
import Scheduling
import TestSupport
import Testing

@testable import ConditionSources

/// Tests beacons with python-dbusmock's BlueZ. A real radio is not tested.
@Suite(.timeLimit(.minutes(1))) struct BeaconSourceTests {
  private static let bluez: BusName = "org.bluez"
  private static let line = "beacon F7826DA6-4FA2-4E98-8024-BC5B71E0893E 1"
  private static let identity: [UInt8] = [
    0xF7, 0x82, 0x6D, 0xA6, 0x4F, 0xA2, 0x4E, 0x98, 0x80, 0x24, 0xBC, 0x5B, 0x71, 0xE0, 0x89, 0x3E,
  ]

  private func advertisement(major: UInt8, minor: UInt8) -> Value {
    .dictionary(
      DictionaryValue(
        keyType: .uint16, valueType: .variant,
        entries: [
          .init(
            key: .uint16(0x004C), value: .variant(.bytes([0x02, 0x15] + Self.identity + [0, major, 0, minor, 0xC5])))
        ]))
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
      let mock = try await stand.mock("bluez5", Self.bluez)
      let times = BeaconSource.Times(search: .milliseconds(300), pause: .milliseconds(100), absence: .milliseconds(600))
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
                .variant(.properties(["ManufacturerData": advertisement(major: major, minor: minor)])),
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
}
