// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import Freedesktop
import TestSupport
import Testing

/// A stand-in for systemd that moves processes into units.
struct ScriptedSystemd: Sendable {
  struct Unit: Sendable {
    let name: String
    let mode: String
    var properties: [String: Value]
  }

  let connection: Connection
  let units = Inbox<Unit>()

  /// Starts one that accepts or refuses.
  static func start(on bus: PrivateBus, _ loop: EventLoop, refusing: Bool = false) async throws -> ScriptedSystemd {
    let systemd = ScriptedSystemd(connection: try await bus.connect(on: loop))
    let units = systemd.units
    try await systemd.connection.export(
      Interface(
        "org.freedesktop.systemd1.Manager",
        methods: [
          Method(
            "StartTransientUnit",
            in: ["name": "s", "mode": "s", "properties": "a(sv)", "aux": "a(sa(sv))"], out: ["job": "o"],
            takesDescriptors: true
          ) { call in
            var properties: [String: Value] = [:]
            for case .structure(let pair) in call.arguments[2].elements ?? [] {
              if let name = pair[0].string, case .variant(let value) = pair[1] { properties[name] = value }
            }
            units.put(
              Unit(
                name: call.arguments[0].string ?? "", mode: call.arguments[1].string ?? "", properties: properties))
            if refusing { throw RemoteError("org.freedesktop.systemd1.UnitExists", "no") }
            return [.objectPath("/org/freedesktop/systemd1/job/1")]
          }
        ]), at: "/org/freedesktop/systemd1")
    #expect(try await systemd.connection.requestName("org.freedesktop.systemd1") == .owner)
    return systemd
  }
}

/// Tests moving programs into systemd scopes.
@Suite(.timeLimit(.minutes(1))) struct ProgramScopeTests {
  @Test func `A process is moved into its own unit`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let systemd = try await ScriptedSystemd.start(on: bus, loop)
      let connection = try await bus.connect(on: loop)
      let scope = ProgramScope(of: "org.example.Tea-Pot", description: "Tea")
      #expect(await scope.take(4711, on: connection))
      let unit = try await systemd.units.next()
      #expect(unit.name == scope.unit && unit.mode == "fail")
      #expect(unit.name.hasPrefix(#"app-suzu-org.example.Tea\x2dPot-"#) && unit.name.hasSuffix(".scope"))
      #expect(
        unit.properties == [
          "PIDs": .array(of: .uint32, [.uint32(4711)]), "Description": "Tea", "CollectMode": "inactive-or-failed",
          "Slice": "app.slice",
        ])
      #expect(await !scope.take(0, on: connection) && systemd.units.waiting.isEmpty)
      await systemd.connection.close()
    }
  }

  /// Compares with systemd's own client, which also keeps the unit referenced.
  @Test(.enabled(if: RunningProgram.path(of: "systemd-run") != nil, "no systemd-run here"))
  func `The call matches that of systemd-run`() async throws {
    try await withBus(PrivateBus()) { loop, bus in
      let systemd = try await ScriptedSystemd.start(on: bus, loop)
      let connection = try await bus.connect(on: loop)
      var environment = bus.environment
      environment["XDG_RUNTIME_DIR"] = nil  // where a real manager would have its socket
      let peer = try RunningProgram(
        "systemd-run",
        ["--user", "--scope", "--collect", "--slice=app.slice", "--description=Tea", "--unit=app-a-b-1.scope", "true"],
        environment: environment)
      var theirs = try await systemd.units.next()
      theirs.properties["AddRef"] = nil
      // From systemd 257 on it sends a descriptor of the process, whose number may be used again. Ours is our child:
      // its number is free only after we have heard of its end.
      if let processes = theirs.properties.removeValue(forKey: "PIDFDs") {
        #expect(processes.elements?.count == 1)
        theirs.properties["PIDs"] = .array(of: .uint32, [.uint32(UInt32(peer.processID))])
      }
      #expect(await ProgramScope(of: "b", description: "Tea").take(peer.processID, on: connection))
      let ours = try await systemd.units.next()
      #expect(ours.properties == theirs.properties && ours.mode == theirs.mode)
      peer.kill()
      await systemd.connection.close()
    }
  }

  @Test func `A missing or refusing systemd has no effect`() async throws {
    // A service manager must not be started for a session without one.
    try await withBus(PrivateBus(services: ["org.freedesktop.systemd1": "/bin/false"])) { loop, bus in
      let connection = try await bus.connect(on: loop)
      #expect(await !ProgramScope(of: "a").take(4711, on: connection))
      let systemd = try await ScriptedSystemd.start(on: bus, loop, refusing: true)
      #expect(await !ProgramScope(of: "a").take(4711, on: connection))
      await systemd.connection.close()
      await connection.close()
      #expect(await !ProgramScope(of: "a").take(4711, on: connection))
    }
  }

  /// Compares with `systemd-escape`.
  @Test(
    .enabled(if: RunningProgram.path(of: "systemd-escape") != nil, "no systemd-escape here"),
    arguments: ["org.example.A", "a-b", ".hidden", "a b/c\\d@e", "tee-☕", "a:b_c", "-"])
  func `Names are escaped as by systemd`(_ id: String) throws {
    let escaped = try RunningProgram.run(
      "systemd-escape", ["--", id.replacingOccurrences(of: "/", with: "-")], environment: ["PATH": "/usr/bin:/bin"])
    let unit = ProgramScope(of: id, launcher: "my-own").unit
    let expected = escaped.output.trimmingCharacters(in: .newlines)
    let middle = id.contains("/") ? expected.replacingOccurrences(of: #"b\x2dc"#, with: #"b\x2fc"#) : expected
    #expect(unit.hasPrefix(#"app-my\x2down-"# + middle + "-"), "\(unit) \(middle)")
  }

  @Test func `Unit names fit the limit of systemd and are unique`() {
    for id in [String(repeating: "a", count: 400), String(repeating: "-", count: 400), ""] {
      let unit = ProgramScope(of: id).unit
      #expect(unit.utf8.count <= 255 && unit.hasSuffix(".scope"))
      #expect(unit != ProgramScope(of: id).unit)
    }
  }
}
