// SPDX-License-Identifier: Apache-2.0
import EventLoop
import TestSupport
import Testing

@testable import Links

/// Tests messages of real servers while the disk of the real center is full.
@Suite(.onOwnThread, .timeLimit(.minutes(3)), .enabled(if: SmallDisk.isPossible, "only root can mount a disk"))
struct FullDiskTests {
  @Test(arguments: AnswerServerKind.possible)
  func `Messages wait at the server while the disk is full, and come once when there is room`(
    kind: AnswerServerKind
  ) async throws {
    let server = try kind.make()
    let running = try server.start()
    let disk = try SmallDisk(size: "6m")
    try await withLoop { loop in
      let stand = try LinkStand(hasCenter: true, ["XDG_DATA_HOME": disk.path])
      let desktop = try await ScriptedServer.start(on: stand.bus, loop)
      try stand.write(server: server.address)
      let first = try stand.startConnected()
      try server.send("First", id: "m0")
      #expect(try await desktop.posted.next(within: .seconds(20)).summary == "First")
      try await stand.state(on: loop) { $0.count == 1 }
      try disk.fill()
      // The store has some free pages of its own.
      let body = String(repeating: "x", count: 60_000)
      var isFull = false
      for _ in 0..<200 where !isFull {
        isFull = try stand.session.suzu("notify", "Later", body, "--in", "1h").status != 0
      }
      #expect(isFull)
      try server.send("One", id: "m1")
      try await stand.state(on: loop) { $0.obstacle?.contains("disk is full") == true }
      let doctor = try stand.session.suzu("doctor").output
      #expect(doctor.contains("link home: connected; messages wait: the disk is full"), "\(doctor)")
      // What was received, and not acknowledged, comes again.
      first.kill()
      let second = try stand.start()
      try server.send("Two", id: "m2")
      try await stand.state(on: loop) { $0.phase == .connected && $0.obstacle?.contains("disk is full") == true }
      disk.empty()
      for title in ["One", "Two"] {
        #expect(try await desktop.posted.next(within: .seconds(60)).summary == title)
      }
      try server.send("Last", id: "m3")
      #expect(try await desktop.posted.next(within: .seconds(20)).summary == "Last")
      #expect(desktop.posted.waiting.isEmpty && LinkStand.stop(second) == 0, "\(second.errors)")
    }
    running.kill()
  }
}
