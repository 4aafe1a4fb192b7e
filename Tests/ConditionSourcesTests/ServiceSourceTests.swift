// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import NotificationModel
import Scheduling
import TestSupport
import Testing

@testable import ConditionSources

/// Tests the sources that follow a service of the system, with the services of python-dbusmock. A real radio, battery
/// or suspend is not tested.
@Suite(.timeLimit(.minutes(2))) struct ServiceSourceTests {
  private static let upower: BusName = "org.freedesktop.UPower"
  private static let display: ObjectPath = "/org/freedesktop/UPower/devices/DisplayDevice"
  private static let device = "org.freedesktop.UPower.Device"
  private static let systemd: BusName = "org.freedesktop.systemd1"
  private static let manager: ObjectPath = "/org/freedesktop/systemd1"
  private static let unit: ObjectPath = "/org/freedesktop/systemd1/unit/backup_service"
  private static let unitInterface = "org.freedesktop.systemd1.Unit"
  private static let network: BusName = "org.freedesktop.NetworkManager"
  private static let networkPath: ObjectPath = "/org/freedesktop/NetworkManager"

  // MARK: UPower

  @Test func `The charge and the mains are followed, also when UPower ends and comes back`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let source = PowerSource(on: loop, system: stand.link)
      let battery = try stand.watch(source, "battery < 20%")
      let power = try stand.watch(source, "power")
      #expect(await battery.next() == .unknown("UPower is not running"))
      #expect(await power.next() == .unknown("UPower is not running"))
      // It was told nothing, because the service had been asked already.
      let late = try stand.watch(source, "battery < 10%")
      #expect(await late.next() == .unknown("UPower is not running"))
      let mock = try await stand.mock("upower", Self.upower, #"{"OnBattery": true}"#)
      #expect(await SourceStand.known(power) == .holds(false))
      while let reason = await battery.next(), reason != .unknown("this machine has no battery") {}
      try await stand.update(Self.upower, Self.display, Self.device, ["IsPresent": true, "Percentage": .double(19.6)])
      #expect(await SourceStand.known(battery) == .level(19.6, event: ["percent": "20"]))
      try await stand.update(Self.upower, "/org/freedesktop/UPower", "org.freedesktop.UPower", ["OnBattery": false])
      var last = await power.next()
      while last == .holds(false) { last = await power.next() }
      #expect(last == .holds(true))
      mock.kill()
      #expect(await SourceStand.ended(power) == "UPower is not running")
      let second = try await stand.mock("upower", Self.upower, #"{"OnBattery": false}"#)
      #expect(await SourceStand.known(power) == .holds(true))
      second.kill()
      source.unwatch(.power)
    }
  }

  // A number out of range ended the center when it was rounded for the event.
  @Test(arguments: [1e300, -1, 101, Double.infinity, Double.nan])
  func `A charge that is no percentage is ignored`(charge: Double) async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let mock = try await stand.mock("upower", Self.upower, #"{"OnBattery": true}"#)
      let source = PowerSource(on: loop, system: stand.link)
      let battery = try stand.watch(source, "battery < 20%")
      while let reason = await battery.next(), reason != .unknown("this machine has no battery") {}
      try await stand.update(Self.upower, Self.display, Self.device, ["IsPresent": true, "Percentage": .double(50)])
      #expect(await SourceStand.known(battery) == .level(50, event: ["percent": "50"]))
      try await stand.update(Self.upower, Self.display, Self.device, ["Percentage": .double(charge)])
      #expect(await battery.next() == .unknown("this machine has no battery"))
      mock.kill()
    }
  }

  // MARK: systemd

  @Test(arguments: ["", "system "])
  func `A unit fails and runs again, also if it was not there at first`(_ prefix: String) async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let mock = try await stand.mock("systemd", Self.systemd)
      try await stand.call(Self.systemd, Self.manager, "AddMockUnit", ["backup.service"])
      let source = UnitSource(on: loop, system: stand.link, session: stand.session)
      let failed = try stand.watch(source, prefix + "unit backup.service failed")
      let active = try stand.watch(source, prefix + "unit backup.service active")
      func event(_ state: String) -> EventDetails { ["unit": "backup.service", "state": state] }
      #expect(await failed.next() == .holds(false, event: event("inactive")))
      #expect(await active.next() == .holds(false, event: event("inactive")))
      // Fast changes: none of them is lost.
      for state in ["active", "failed", "active"] {
        try await stand.update(Self.systemd, Self.unit, Self.unitInterface, ["ActiveState": .string(state)])
      }
      for (state, isFailed) in [("active", false), ("failed", true), ("active", false)] {
        #expect(await failed.next() == .holds(isFailed, event: event(state)))
        #expect(await active.next() == .holds(!isFailed, event: event(state)))
      }
      mock.kill()
      #expect(await SourceStand.ended(failed) != nil)
    }
  }

  // MARK: NetworkManager

  @Test func `A Wi-Fi and a connection come and go`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      let mock = try await stand.mock("networkmanager", Self.network)
      let source = NetworkSource(on: loop, system: stand.link)
      let wifi = try stand.watch(source, "wifi 'Café 5'")
      let connection = try stand.watch(source, "network Home")
      let home: EventDetails = ["network": "Home"]
      #expect(await wifi.next() == .holds(false, event: ["ssid": "Café 5"]))
      #expect(await connection.next() == .holds(false, event: home))
      let card = try await stand.call(Self.network, Self.networkPath, "AddWiFiDevice", ["wlan0", "wlan0", .int32(100)])
      let path = try #require(card.first)
      let point = try await stand.call(
        Self.network, Self.networkPath, "AddAccessPoint",
        [
          path, "ap1", "Café 5", "00:23:F8:7E:12:BB", .uint32(2), .uint32(2425), .uint32(5400), .byte(82),
          .uint32(0x100),
        ])
      let settings = try await stand.call(
        Self.network, Self.networkPath, "AddWiFiConnection", [path, "home", "Café 5", "wpa-psk"])
      let active = try await stand.call(
        Self.network, Self.networkPath, "AddActiveConnection",
        [
          .strings([path.string ?? ""]), try #require(settings.first), try #require(point.first), "active1",
          .uint32(2),
        ])
      var last = await wifi.next()
      while last == .holds(false, event: ["ssid": "Café 5"]) { last = await wifi.next() }
      #expect(last == .holds(true, event: ["ssid": "Café 5"]))
      let activePath = try #require(ObjectPath(active.first?.string ?? ""))
      func update(_ properties: [String: Value]) async throws {
        try await stand.update(
          Self.network, activePath, "org.freedesktop.NetworkManager.Connection.Active", properties)
      }
      func next(_ reader: Reader<Observation>, after old: Observation) async -> Observation? {
        var last = await reader.next()
        while last == old { last = await reader.next() }
        return last
      }
      // On the way to another access point there is none for a moment: that counted as leaving the network.
      let (isHome, isAway) = (Observation.holds(true, event: home), Observation.holds(false, event: home))
      func setPoint(_ point: Value) async throws {
        let interface = "org.freedesktop.NetworkManager.Connection.Active"
        try await stand.session.call(
          MethodCall(
            to: Self.network, activePath, "org.freedesktop.DBus.Properties", "Set",
            [.string(interface), "SpecificObject", .variant(point)]))
      }
      try await setPoint(.objectPath("/org/freedesktop/NetworkManager/AccessPoint/gone"))
      try await update(["Id": "Home"])
      #expect(await next(connection, after: isAway) == isHome)
      try await setPoint(try #require(point.first))
      try await update(["Id": "Other"])
      #expect(await next(connection, after: isHome) == isAway)
      try await update(["State": .uint32(4)])
      let left = Observation.holds(false, event: ["ssid": "Café 5"])
      #expect(await next(wifi, after: .holds(true, event: ["ssid": "Café 5"])) == left)
      mock.kill()
      #expect(await SourceStand.ended(wifi) == "NetworkManager is not running")
    }
  }

  // MARK: Cost

  @Test func `Nothing is connected before a request needs it, nor after the last one`() async throws {
    try await onItsLoop(PrivateBus()) { loop, bus in
      let stand = try await SourceStand(bus, loop)
      func names() async throws -> Int {
        try await stand.session.call(BusMethods.listNames, of: .bus).filter { $0.hasPrefix(":") }.count
      }
      let sources = AllSources(
        on: loop, session: stand.session, places: NamedPlaces(), system: try BusAddress(bus.address)
      ).conditions
      let changes = try await stand.session.signals(matching: MatchRule(sender: .bus, member: "NameOwnerChanged"))
      let before = try await names()
      let lines = ["power", "battery < 20%", "wifi Home", "system unit a.service failed", "system signal a.b.C"]
      var readers: [Reader<Observation>] = []
      for line in lines {
        let subject = try Condition(line).subject
        let source = try #require(sources.first { $0.observes(subject) })
        readers.append(try stand.watch(source, line))
      }
      for reader in readers { _ = await reader.next() }
      // One connection for all of them.
      #expect(try await names() == before + 1)
      for line in lines {
        let subject = try Condition(line).subject
        sources.first { $0.observes(subject) }?.unwatch(subject)
      }
      for try await _ in changes where try await names() == before { break }
    }
  }
}
