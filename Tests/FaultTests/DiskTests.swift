// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import TestSupport
import Testing

/// Tests a disk that is full or read-only while the center runs.
@Suite(.timeLimit(.minutes(10)), .enabled(if: SmallDisk.isPossible, "only root can mount a disk"))
struct DiskTests {
  static let unavailable: ErrorName = "dev.suzu.Error.Unavailable"

  @Test func `On a full disk stored requests fire on time, new ones are refused, and the center recovers`() async throws
  {
    try await FaultStand.run { stand in
      let disk = try SmallDisk(size: "6m")
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop)
      let (center, _) = try await stand.startReady(["--burst", "0"], ["XDG_DATA_HOME": disk.path])
      var due: [String: Int64] = [:]
      for index in 0..<20 {
        due["n\(index)"] = wallMilliseconds() + 1500 + Int64(index) * 100
        try await stand.notify("n\(index)", ["in": .string("\(1500 + index * 100)ms"), "actions": stand.button()])
      }
      try disk.fill()
      // Requests are accepted while the store's own free pages suffice.
      let body = Value.string(String(repeating: "x", count: 60_000))
      var (taken, refusal): (Int, RemoteError?) = (0, nil)
      while refusal == nil, taken < 200 {
        refusal = try await stand.refusal("full\(taken)", ["in": "1h", "body": body])
        if refusal == nil { taken += 1 }
      }
      #expect(refusal?.name == Self.unavailable)
      #expect(refusal?.message == "the disk is full: no request can be stored until there is free space")
      let late = try await Self.expectOnTime(due, server)
      // Shown, answered, cancelled: the writes that these need find space.
      try await stand.watch()
      try await server.press(3, "go")
      _ = try await stand.events.next { $0 == "Outcome done" }
      #expect(try await stand.list("History").count == 20)
      #expect(try await stand.cancel([]) == UInt32(taken))
      let share = try await Self.processorShare(center, stand)

      disk.empty()
      let start = ContinuousClock.now
      #expect(try await stand.refusal("after") == nil)
      let recovery = [ContinuousClock.now - start].percentile(1)
      #expect(try await server.posted.next().summary == "after")
      try await stand.end(center)
      #expect(stand.acted.count == 1)
      print(
        "faults: disk full: \(due.count) of \(due.count) shown, at most \(late) ms late; refused after \(taken) more;"
          + " idle at \(share) %; taken again \(recovery) after there was room")
    }
  }

  @Test func `A read-only disk stops no stored request, and the center writes again when it can`() async throws {
    try await FaultStand.run { stand in
      let disk = try SmallDisk(size: "6m")
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop)
      var (center, _) = try await stand.startReady(["--burst", "0"], ["XDG_DATA_HOME": disk.path])
      for index in 0..<10 { try await stand.notify("n\(index)", ["in": .string("\(1500 + index * 100)ms")]) }
      var due: [String: Int64] = [:]
      for index in 0..<10 { due["n\(index)"] = wallMilliseconds() + 1500 + Int64(index) * 100 }
      // A mount command cannot make a file system read-only while files are open for writing: that happens after an
      // error, or between two starts.
      try await stand.end(center)
      try disk.remount("ro")
      (center, _) = try await stand.startReady(["--burst", "0"], ["XDG_DATA_HOME": disk.path])
      let refusal = try await stand.refusal("new")
      #expect(refusal?.name == Self.unavailable)
      #expect(refusal?.message == "the disk is read-only: no request can be stored")
      let late = try await Self.expectOnTime(due, server)
      let share = try await Self.processorShare(center, stand)

      try disk.remount("rw")
      let start = ContinuousClock.now
      while try await stand.refusal("after") != nil, ContinuousClock.now - start < .seconds(30) {}
      let recovery = [ContinuousClock.now - start].percentile(1)
      #expect(try await server.posted.next().summary == "after")
      try await stand.kill(center)
      // No notification is shown twice, because all of them have been recorded since.
      (center, _) = try await stand.startReady(["--burst", "0"], ["XDG_DATA_HOME": disk.path])
      try await stand.notify("end")
      #expect(try await server.posted.next { $0.summary != "after" }.summary == "end")
      try await stand.end(center)
      print(
        "faults: disk read-only: \(due.count) of \(due.count) shown, at most \(late) ms late; idle at \(share) %;"
          + " taken again \(recovery) after it could be written to")
    }
  }

  @Test(.enabled(if: FailingFileSystem.isPossible, "no ext4 on a loop device"))
  func `A disk that turns read-only under the center stops no stored request`() async throws {
    try await FaultStand.run { stand in
      let disk = try FailingFileSystem()
      let variables = ["XDG_DATA_HOME": disk.path]
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop)
      var (center, _) = try await stand.startReady(["--burst", "0"], variables)
      try await stand.notify("repeats", ["every": "1s", "count": .uint32(4)])
      var due: [String: Int64] = [:]
      for index in 0..<10 {
        due["n\(index)"] = wallMilliseconds() + 1500 + Int64(index) * 200
        try await stand.notify("n\(index)", ["in": .string("\(1500 + index * 200)ms")])
      }
      try disk.fail()
      let refusal = try await stand.refusal("new")
      #expect(refusal?.name == Self.unavailable)
      #expect(refusal?.message == "the disk is read-only: no request can be stored")
      var repeats = 0
      let late = try await Self.expectOnTime(due, server) { if $0.summary == "repeats" { repeats += 1 } }
      while repeats < 4 { if try await server.posted.next().summary == "repeats" { repeats += 1 } }
      let share = try await Self.processorShare(center, stand)
      #expect(try await stand.list("Pending").count == 11)
      try await stand.kill(center)

      // After a new mount, the disk is as it was at the failure: notifications shown since then are shown again.
      try disk.mountAgain()
      (center, _) = try await stand.startReady(["--burst", "0"], variables)
      _ = try await Self.expectOnTime(due, server, isLate: true) { #expect($0.summary == "repeats") }
      #expect(!center.errors.contains("damaged"))
      try await stand.end(center)
      print(
        "faults: disk failed under the center: \(due.count) of \(due.count) shown, at most \(late) ms late, and 4 of 4"
          + " of one that repeats; idle at \(share) %; 0 lost by the next start")
    }
  }

  /// Each notification once, not early and not much late; returns the latest delay, in milliseconds.
  private static func expectOnTime(
    _ due: [String: Int64], _ server: ScriptedServer, isLate: Bool = false,
    other: (ScriptedServer.Posted) -> Void = { Issue.record("\($0.summary) came") }
  ) async throws -> Int64 {
    var latest: Int64 = 0
    var missing = Set(due.keys)
    while !missing.isEmpty {
      let posted = try await server.posted.next(within: .seconds(20), "\(missing)")
      guard let date = due[posted.summary] else {
        other(posted)
        continue
      }
      let late = wallMilliseconds() - date
      #expect(missing.remove(posted.summary) != nil, "\(posted.summary) came twice")
      latest = max(latest, late)
    }
    #expect(isLate || latest < 500)
    return latest
  }

  /// The processor use of an idle center, in percent.
  private static func processorShare(_ center: RunningProgram, _ stand: FaultStand) async throws -> Double {
    let seconds = Rounds.isLong ? 20 : 4
    let before = try Process.ticks(center)
    // A sleep is meant: the time over which the use of the processor is measured.
    try await stand.loop.sleep(for: .seconds(seconds))
    let share = Double(try Process.ticks(center) - before) / Double(seconds)
    #expect(share <= 1, "\(share) %")
    return share
  }
}

/// A file system on a loop device, for root, that can be made to fail.
final class FailingFileSystem: Sendable {
  let path: String
  private let folder: TemporaryFolder

  static let isPossible: Bool = (try? FailingFileSystem()) != nil

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("disk")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Self.run("truncate", ["-s", "16M", folder.path("image")])
    try Self.run("mkfs.ext4", ["-q", folder.path("image")])
    try mount()
  }

  deinit { try? Self.run("umount", ["-l", path]) }

  private func mount() throws {
    try Self.run("mount", ["-o", "loop,errors=remount-ro", folder.path("image"), path])
  }

  /// From now on all writes fail, including those to open files.
  func fail() throws { try Self.run("mount", ["-o", "remount,abort", path]) }

  func mountAgain() throws {
    try Self.run("umount", [path])
    try mount()
  }

  private static func run(_ program: String, _ arguments: [String]) throws {
    let done = try RunningProgram.run(program, arguments, environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"])
    guard done.status == 0 else { throw TestFailure("\(program): \(done.errors)") }
  }
}
