// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import TestSupport
import Testing

/// Tests ten thousand requests in the same second.
@Suite(.timeLimit(.minutes(10)))
struct CrowdTests {
  static let many = 10_000

  /// Sends all requests in one call, due at one instant after its answer; returns the instant in milliseconds since
  /// 1970.
  private func ask(_ stand: FaultStand) async throws -> Int64 {
    let due = wallMilliseconds() / 1000 + 8
    let at = Date(timeIntervalSince1970: Double(due)).formatted(.iso8601)
    let requests = (0..<Self.many).map { FaultStand.request("n\($0)", ["at": .string(at)]) }
    let reply = try await stand.call("NotifyMany", [.array(of: .properties, requests)])
    #expect(reply.first?.strings?.count == Self.many)
    #expect(wallMilliseconds() < due * 1000, "it took so long to ask that there is nothing to see")
    return due * 1000
  }

  @Test func `All requests are posted in order without a limit, each once`() async throws {
    try await FaultStand.run { stand in
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop)
      let (center, _) = try await stand.startReady(["--burst", "0"])
      let before = try Process.memory(center)
      let due = try await ask(stand)
      let posted = try await server.posted.next(Self.many, within: .seconds(120))
      let milliseconds = wallMilliseconds() - due
      #expect(posted.map(\.summary) == (0..<Self.many).map { "n\($0)" })
      #expect(posted.allSatisfy { $0.replaces == 0 })
      try await stand.notify("end")
      #expect(try await server.posted.next().summary == "end")
      let after = try Process.memory(center)
      #expect(try await stand.list("Pending").isEmpty)
      try await stand.end(center)
      print(
        "faults: \(Self.many) due in one second, no limit: all posted in order in \(milliseconds) ms, 0 twice;"
          + " memory \(before) KiB before, \(after) KiB after")
    }
  }

  @Test func `The usual limit posts twenty requests and a digest that counts the rest`() async throws {
    try await FaultStand.run { stand in
      let server = try await ScriptedServer.start(on: stand.bus, stand.loop)
      let (center, _) = try await stand.startReady([])
      let before = try Process.memory(center)
      let due = try await ask(stand)
      var posted: [ScriptedServer.Posted] = []
      while posted.last?.summary != "… and \(Self.many - 20) more" {
        posted.append(try await server.posted.next(within: .seconds(60), "digest after \(posted.count)"))
      }
      let milliseconds = wallMilliseconds() - due
      #expect(posted.prefix(20).map(\.summary) == (0..<20).map { "n\($0)" })
      let digests = posted.dropFirst(20)
      // The digest is a single notification whose number grows.
      #expect(digests.allSatisfy { $0.summary.hasPrefix("… and ") && $0.summary.hasSuffix(" more") })
      #expect(digests.count { $0.replaces == 0 } == 1 && Set(digests.map(\.number)).count == 1)
      let after = try Process.memory(center)
      let rows = try await stand.list("History")
      let folded = rows.filter { $0["state"] == "folded" }.compactMap { $0["id"]?.string }
      #expect(Set(folded) == Set((20..<Self.many).map { "n\($0)" }) && folded.count == Self.many - 20)
      #expect(try await stand.list("Pending").isEmpty)
      try await stand.end(center)
      print(
        "faults: \(Self.many) due in one second, usual limit: 20 and a digest of \(folded.count), shown \(digests.count)"
          + " times in \(milliseconds) ms; memory \(before) KiB before, \(after) KiB after")
    }
  }
}

/// The kernel's figures of a program.
enum Process {
  /// Resident memory in KiB.
  static func memory(_ program: RunningProgram) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(program.processID)/status", encoding: .utf8)
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
      let number = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) ?? Int(line.filter(\.isNumber))
    else { throw TestFailure("no VmRSS of \(program.processID)") }
    return number
  }

  /// Processor time so far, in ticks of which there are 100 in a second.
  static func ticks(_ program: RunningProgram) throws -> Int {
    let line = try String(contentsOfFile: "/proc/\(program.processID)/stat", encoding: .utf8)
    let fields = line.drop { $0 != ")" }.split(separator: " ")
    guard fields.count > 13, let user = Int(fields[12]), let system = Int(fields[13]) else {
      throw TestFailure("no times of \(program.processID)")
    }
    return user + system
  }
}
