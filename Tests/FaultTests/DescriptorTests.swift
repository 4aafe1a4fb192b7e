// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import TestSupport
import Testing

/// Tests descriptors that callers send, and the center's limit of descriptors.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct DescriptorTests {
  /// A center with exactly 1024 descriptors.
  private static func run(
    limit: String = "1024:1024", _ body: @Sendable (FaultStand, RunningProgram) async throws -> Void
  ) async throws {
    let bus = try PrivateBus(limits: [
      "max_incoming_unix_fds": 250_000_000, "max_outgoing_unix_fds": 250_000_000,
      "max_replies_per_connection": 50_000,
    ])
    try await FaultStand.run(on: bus) { stand in
      let center = try RunningProgram(
        "prlimit", ["--nofile=\(limit)", FaultStand.programs + "/suzud", "--burst", "0"],
        environment: bus.environment.merging(["TZ": "UTC"]) { $1 })
      #expect(try await stand.owners.next(within: .seconds(30), "center", where: { $0 != nil }) != nil)
      try await body(stand, center)
      try await stand.end(center)
    }
  }

  /// All calls are in flight before the first is answered, because the center is stopped meanwhile.
  private static func flood(_ member: String, _ signature: String, _ body: String) -> String {
    """
    client = Client()
    ends = os.pipe()
    carried = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [ends[0]] * 16))]
    for serial in range(10, 410):
      client.socket.sendmsg([call(serial, '\(member)', '\(signature)', \(body), fds=16)], carried)
    print('sent')
    sys.stdout.flush()
    print({client.answer(serial).split(':')[0] for serial in range(10, 410)})
    """
  }

  @Test(arguments: [
    // Each call once duplicated 16 more descriptors, and the connection was closed.
    (
      "Notify", "a{sv}",
      "listing(string('title') + b'\\2ah\\0' + bytes(2) + listing(struct.pack('<16I', *range(16)), 4))"
    ),
    ("Apps", "", "b''"),
    ("Nothing", "h", "bytes(4)"),
  ])
  func `Four hundred calls with 16 descriptors each are refused, and the center stays on the bus`(
    member: String, signature: String, body: String
  ) async throws {
    try await Self.run { stand, center in
      let caller = try RunningProgram(
        "/usr/bin/python3",
        ["-c", RawCaller.prelude + Self.flood(member, signature, body)], environment: stand.bus.environment)
      center.signal(SIGSTOP)
      #expect(caller.readLine(within: 30) == "sent", "\(caller.errors)")
      center.signal(SIGCONT)
      // An honest caller gets its answer meanwhile.
      try await stand.notify("honest", ["in": "1h"])
      let answers = try #require(caller.readLine(within: 30), "\(caller.errors)")
      #expect(answers == (member == "Nothing" ? "{'UnknownMethod'}" : "{'InvalidArgs'}"))
      #expect(stand.owners.waiting.isEmpty, "the center has left the bus: \(center.errors)")
      #expect(try await stand.list("Pending").count == 1)
      #expect(try Self.descriptors(center) < 64)
      #expect(caller.waitForExit() == 0)
    }
  }

  @Test func `The center raises its descriptor limit, and its child programs get the original one`() async throws {
    try await Self.run(limit: "512:4096") { stand, center in
      let limits = try String(contentsOfFile: "/proc/\(center.processID)/limits", encoding: .utf8)
      let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max open files") })
      #expect(line.split(separator: " ").suffix(3) == ["4096", "4096", "files"])
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop)
      try await stand.watch()
      let words = ["/bin/sh", "-c", "ulimit -Sn >\"$1\"; ulimit -Hn >>\"$1\"", "sh", stand.bus.folder.path("limits")]
      try await stand.notify(
        "a", ["actions": .array(of: .properties, [.properties(["id": "go", "title": "Go", "run": .strings(words)])])])
      let posted = try await server.posted.next()
      try await server.press(posted.number, "go")
      _ = try await stand.events.next(within: .seconds(20), "outcome") { $0 == "Outcome done" }
      #expect(stand.bus.folder.read("limits") == "512\n4096\n")
    }
  }

  private static func descriptors(_ program: RunningProgram) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.processID)/fd").count
  }
}
