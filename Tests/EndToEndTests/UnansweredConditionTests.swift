// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests conditions whose services all refuse or hang at once, with the real programs: they are stored and explained,
/// nothing else waits for them, and they work as soon as the services answer.
@Suite(.onOwnThread, .timeLimit(.minutes(4)))
struct UnansweredConditionTests {
  /// A request for each service, and how the reason begins why nothing is known.
  private static let conditions: [(id: String, condition: String, reason: (refuses: String, hangs: String))] = [
    ("network", "wifi Work", ("NetworkManager: ", "NetworkManager: ")),
    ("power", "battery < 20%", ("UPower: ", "UPower: ")),
    (
      "idle", "idle 10m",
      (
        "no desktop, Wayland compositor or logind tells how long there was no input",
        "no desktop, Wayland compositor or logind tells how long there was no input"
      )
    ),
    (
      "unlocked", "unlocked",
      (
        "logind does not tell whether the session is locked", "logind does not tell whether the session is locked"
      )
    ),
    ("unit", "unit backup.service failed", ("systemd's user manager: ", "systemd's user manager: ")),
    ("beacon", "beacon \(MockBlueZ.uuid) 1", ("BlueZ: ", "BlueZ: ")),
    ("place", "place 48.8566,2.3522 500m", ("GeoClue does not tell Suzu the position", "GeoClue does not answer")),
  ]

  /// The most calls of one service each time its state is read: nothing is asked again and again. logind is asked for
  /// the lock and for the input.
  private static let mostCalls = 12
  /// When a state that could not be read is read again, as measured from the start.
  private static let readings: [Duration] = [.zero, .seconds(10), .seconds(70), .seconds(370)]

  private func waitForReasons(_ session: Session, _ way: ObstinateServices.Way) throws {
    for (id, condition, reasons) in Self.conditions {
      let reason = way == .refuse ? reasons.refuses : reasons.hangs
      let said = "waits for '\(condition)': nothing is known, because \(reason)"
      try session.wait(for: said, in: "why", id)
      #expect(try session.suzu("doctor").output.contains("\(condition): \(reason)"))
      #expect(try session.suzu("list", "--json").output.contains("\"obstacle\":\"\(reason)"))
    }
  }

  /// Lets the services of python-dbusmock take the place of the obstinate ones. The center is stopped meanwhile: real
  /// services have their objects as soon as they have their names.
  private func startMocks(_ session: Session) throws -> (network: MockNetworkManager, end: () -> Void) {
    let center = try #require(try session.process(of: "dev.suzu.Center"))
    kill(center, SIGSTOP)
    defer { kill(center, SIGCONT) }
    func mock(_ template: String, _ name: String) throws -> RunningProgram {
      let mock = try RunningProgram(
        "/usr/bin/python3", ["-m", "dbusmock", "--session", "--template", template], environment: session.environment)
      #expect(try session.awaitOwner(of: "org.freedesktop." + name))
      return mock
    }
    func call(_ name: String, _ path: String, _ member: String, _ arguments: String...) throws {
      let words = ["call", "--session", "-d", "org.freedesktop." + name, "-o", path, "-m"]
      let called = try RunningProgram.run(
        "gdbus", words + ["org.freedesktop.DBus.Mock." + member] + arguments, environment: session.environment)
      #expect(called.status == 0, "\(called.errors)")
    }
    let network = try MockNetworkManager(in: session)
    try network.set(false)
    let logind = try MockLogind(in: session)
    try logind.setIdle(false)
    let (power, units) = (try mock("upower", "UPower"), try mock("systemd", "systemd1"))
    try call(
      "UPower", "/org/freedesktop/UPower/devices/DisplayDevice", "UpdateProperties", "org.freedesktop.UPower.Device",
      "{'IsPresent': <true>, 'Percentage': <50.0>}")
    try call("systemd1", "/org/freedesktop/systemd1", "AddMockUnit", "backup.service")
    let bluez = try MockBlueZ(in: session)
    return (
      network,
      {
        for program in [network.program, logind.program, power, units, bluez.program] { program.kill() }
      }
    )
  }

  @Test(arguments: ObstinateServices.Way.allCases)
  func `Services that refuse or hang are named, hold nothing up, and work as soon as they answer`(
    _ way: ObstinateServices.Way
  ) throws {
    let stage = try ConditionStage()
    let session = stage.session
    let services = try ObstinateServices(way, in: session)
    let start = ContinuousClock.now
    for (id, condition, _) in Self.conditions {
      let made = try session.suzu("notify", id, "--id", id, "--on", condition, "--repeat", "--cooldown", "1ms")
      #expect(made.status == 0 && made.output == "\(id)\n", "\(made)")
    }
    // Times and other sources go on.
    let file = session.folder.path("new")
    #expect(try session.suzu("notify", "file", "--on", "file '\(file)'", "--id", "file").status == 0)
    try stage.await("file", false)
    try session.folder.write("", to: "new")
    #expect(stage.shown() == "file")
    #expect(try session.suzu("notify", "time", "--in", "1s").status == 0)
    #expect(stage.shown() == "time")
    try waitForReasons(session, way)
    let calls = try ObstinateServices.names.map { (name: $0, count: try services.calls(of: $0)) }
    print("services that \(way): " + calls.map { "\($0.name) \($0.count) calls" }.joined(separator: ", "))
    let duration = ContinuousClock.now - start
    let most = Self.mostCalls * Self.readings.count { $0 <= duration }
    for (name, count) in calls {
      #expect((1...most).contains(count), "\(name) was called \(count) times in \(duration)")
    }
    // It ends although calls are under way, and knows everything when it starts again.
    let ending = ContinuousClock.now
    try session.endCenter()
    #expect(ContinuousClock.now - ending < .seconds(3))
    try waitForReasons(session, way)
    services.end()
    let (network, end) = try startMocks(session)
    for id in ["network", "power", "idle", "unit", "beacon"] { try stage.await(id, false) }
    // The session was not unlocked: it only became known that it is.
    try stage.await("unlocked", true)
    #expect(try session.suzu("why", "place").output.contains("GeoClue"))
    try network.set(true)
    // What was shown before may have expired meanwhile.
    var shown = stage.shown()
    while shown == "closed: expired" { shown = stage.shown() }
    #expect(shown == "network")
    #expect(try session.suzu("history", "unlocked", "--json").output == "[]\n")
    end()
  }
}
