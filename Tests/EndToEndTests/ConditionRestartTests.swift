// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests that killing and starting again the center, the services it observes and the notification server in random
/// order loses no armed condition, and shows nothing twice.
@Suite(.onOwnThread, .timeLimit(.minutes(4)))
struct ConditionRestartTests {
  private static let unit = "/org/freedesktop/systemd1/unit/backup_service"
  private static let display = "/org/freedesktop/UPower/devices/DisplayDevice"

  private let session: Session

  init() throws {
    let folder = try TemporaryFolder()
    session = try Session(variables: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=" + folder.path("bus")], in: folder)
  }

  private func mock(_ template: String, _ name: String) throws -> RunningProgram {
    let mock = try RunningProgram(
      "/usr/bin/python3", ["-m", "dbusmock", "--session", "--template", template], environment: session.environment)
    #expect(try session.awaitOwner(of: "org.freedesktop." + name))
    return mock
  }

  private func call(_ name: String, _ path: String, _ member: String, _ arguments: String...) throws {
    let called = try RunningProgram.run(
      "gdbus",
      ["call", "--session", "-d", "org.freedesktop." + name, "-o", path, "-m", "org.freedesktop.DBus.Mock." + member]
        + arguments, environment: session.environment)
    #expect(called.status == 0, "\(called.errors)")
  }

  private func killCenter() throws {
    guard let center = try session.process(of: "dev.suzu.Center") else { return }
    kill(center, SIGKILL)
    while try session.process(of: "dev.suzu.Center") == center {}
  }

  /// The states in which things are, apart from who runs.
  private struct World {
    var hasFailed = false
    var isLow = false
    var isConnected = false
    var isIdle = false
  }

  private func startNetwork(_ world: World) throws -> MockNetworkManager {
    try withFrozenCenter {
      let mock = try MockNetworkManager(in: session)
      try mock.set(world.isConnected)
      return mock
    }
  }

  private func startLogind(_ world: World) throws -> MockLogind {
    try withFrozenCenter {
      let mock = try MockLogind(in: session)
      try mock.setIdle(world.isIdle)
      return mock
    }
  }

  private func startUnits(_ world: World) throws -> RunningProgram {
    try withFrozenCenter {
      let mock = try mock("systemd", "systemd1")
      try call("systemd1", "/org/freedesktop/systemd1", "AddMockUnit", "backup.service")
      try tellUnit(world)
      return mock
    }
  }

  /// The real systemd has its units as soon as it has its name, so that the center must not look in between.
  private func withFrozenCenter<T>(_ body: () throws -> T) throws -> T {
    let center = try session.process(of: "dev.suzu.Center")
    if let center { kill(center, SIGSTOP) }
    defer { if let center { kill(center, SIGCONT) } }
    return try body()
  }

  private func tellUnit(_ world: World) throws {
    try call(
      "systemd1", Self.unit, "UpdateProperties", "org.freedesktop.systemd1.Unit",
      "{'ActiveState': <'\(world.hasFailed ? "failed" : "active")'>}")
  }

  private func startPower(_ world: World) throws -> RunningProgram {
    try withFrozenCenter {
      let mock = try mock("upower", "UPower")
      try tellPower(world)
      return mock
    }
  }

  private func tellPower(_ world: World) throws {
    try call(
      "UPower", Self.display, "UpdateProperties", "org.freedesktop.UPower.Device",
      "{'IsPresent': <true>, 'Percentage': <\(world.isLow ? 10.0 : 50.0)>}")
  }

  /// Waits until the center has this state of a condition.
  private func await(_ id: String, _ isTrue: Bool) throws {
    try session.wait(for: "now:         \(isTrue)", in: "next", id)
  }

  private func shown(_ id: String) throws -> Int {
    let history = try session.suzu("history", id, "--json").output
    return history.components(separatedBy: #""due":"#).count - 1
  }

  @Test func `Killing and restarting everything in random order loses no armed condition`() throws {
    var numbers = SeededNumbers(seed: UInt64(ProcessInfo.processInfo.environment["SUZU_SEED"] ?? "7") ?? 7)
    var world = World()
    var expected = ["unit": 0, "power": 0, "file": 0, "network": 0, "idle": 0, "beacon": 0]
    try session.folder.write("", to: "watched/.empty")
    let watched = session.folder.path("watched/done")
    var popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    var (units, power) = (try startUnits(world), try startPower(world))
    var (network, logind, bluez) = (try startNetwork(world), try startLogind(world), try MockBlueZ(in: session))
    for (id, condition) in [
      ("unit", "unit backup.service failed"), ("power", "battery < 20%"), ("file", "file '\(watched)'"),
      ("network", "wifi Work"), ("idle", "idle 10m"), ("beacon", "beacon \(MockBlueZ.uuid) 1"),
    ] {
      let made = try session.suzu("notify", id, "--id", id, "--on", condition, "--repeat", "--cooldown", "1ms")
      #expect(made.status == 0, "\(made.errors)")
      try self.await(id, false)
    }
    /// With the center dead half of the time: what happened meanwhile is found by its state.
    func maybeKillCenter() throws { if Bool.random(using: &numbers) { try killCenter() } }
    let kinds = Array(0..<12)
    for step in (kinds + kinds + kinds).shuffled(using: &numbers) {
      switch step {
      case 0: try killCenter()
      case 1:
        units.kill()
        units = try startUnits(world)
      case 2:
        power.kill()
        power = try startPower(world)
      case 3:
        popups.kill()
        popups = try session.start("popups")
        #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
      case 4:
        network.program.kill()
        network = try startNetwork(world)
      case 5:
        logind.program.kill()
        logind = try startLogind(world)
      case 6:
        bluez.program.kill()
        bluez = try withFrozenCenter { try MockBlueZ(in: session) }
      case 7:
        try maybeKillCenter()
        world.hasFailed.toggle()
        try tellUnit(world)
        if world.hasFailed { expected["unit", default: 0] += 1 }
      case 8:
        try maybeKillCenter()
        world.isLow.toggle()
        try tellPower(world)
        if world.isLow { expected["power", default: 0] += 1 }
      case 9:
        try maybeKillCenter()
        world.isConnected.toggle()
        try network.set(world.isConnected)
        if world.isConnected { expected["network", default: 0] += 1 }
      case 10:
        try maybeKillCenter()
        world.isIdle.toggle()
        try logind.setIdle(world.isIdle)
        if world.isIdle { expected["idle", default: 0] += 1 }
      default:
        try maybeKillCenter()
        if FileManager.default.fileExists(atPath: watched) {
          try FileManager.default.removeItem(atPath: watched)
        } else {
          try session.folder.write("", to: "watched/done")
          expected["file", default: 0] += 1
        }
      }
      // Each change is seen before the next one: a state that no one saw in between is no change.
      let states = [
        ("unit", world.hasFailed), ("power", world.isLow), ("network", world.isConnected), ("idle", world.isIdle),
        ("beacon", false), ("file", FileManager.default.fileExists(atPath: watched)),
      ]
      for (id, isTrue) in states { try self.await(id, isTrue) }
    }
    // The last BlueZ has a beacon.
    try bluez.advertise(group: 1)
    expected["beacon"] = 1
    try self.await("beacon", true)
    for (id, count) in expected { #expect(try shown(id) == count, "\(id)") }
    let pending = try session.suzu("list", "--json").output.components(separatedBy: #""state":"pending""#).count - 1
    #expect(pending == expected.count)
  }
}
