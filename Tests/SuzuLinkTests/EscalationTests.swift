// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import TestSupport
import Testing

@testable import Links

/// Tests the whole way of a step that sends: the command, the real center, the link, and a real server of ntfy that a
/// phone would read.
@Suite(.onOwnThread, .timeLimit(.minutes(3)), .enabled(if: RealNtfy.isPossible, "no real server of ntfy"))
struct EscalationTests {
  /// Everything that the server has on the topic.
  private static func messages(of ntfy: RealNtfy) throws -> [[String: Any]] {
    let ended = try RunningProgram.run(
      "curl", ["-s", "-S", "--fail", "\(ntfy.address)/phone/json?poll=1&since=all"],
      environment: ["PATH": "/usr/bin:/bin"])
    guard ended.status == 0 else { throw TestFailure("curl: \(ended.errors)") }
    return try ended.output.split(separator: "\n").compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }

  /// Reads the topic like a phone.
  private static func phone(of ntfy: RealNtfy) throws -> RunningProgram {
    let phone = try RunningProgram(
      "curl", ["-s", "-S", "-N", "\(ntfy.address)/phone/json?since=all"], environment: ["PATH": "/usr/bin:/bin"])
    guard phone.readLines(until: #""event":"open""#) != nil else { throw TestFailure("no stream: \(phone.errors)") }
    return phone
  }

  private static let steps = ["--escalate", "10s push,level=critical", "--action", "ok=OK"]

  @Test func `What stays unanswered reaches the phone once, through a restart of all`() async throws {
    let ntfy = try RealNtfy()
    let first = try ntfy.start()
    try await withLoop { loop in
      let stand = try LinkStand(hasCenter: true)
      let desktop = try await ScriptedServer.start(on: stand.bus, loop)
      let added = try stand.session.suzu("link", "add", "phone", ntfy.address + "/phone", "--send-only")
      #expect(added.status == 0, "\(added.errors)")
      let sent = try stand.session.suzu(["notify", "Disk", "It is full", "--id", "disk"] + Self.steps)
      #expect(sent.status == 0, "\(sent.errors)")
      _ = try await desktop.posted.next(within: .seconds(15))
      // Before the step, the center and the server are killed; suzu-link does not run yet.
      kill(try #require(try stand.session.process(of: "dev.suzu.Center")), SIGKILL)
      first.kill()
      try await offPool { try stand.session.wait(for: "disk", in: "list", "--delivered") }
      _ = try await desktop.posted.next(within: .seconds(30), "the showing of the step")
      try await offPool {
        try stand.session.wait(for: "waits to be sent: suzu-link does not run", in: "why", "disk")
        try stand.session.wait(for: "1 message waits to be sent: suzu-link does not run", in: "doctor")
      }
      // The server is still away.
      let link = try stand.start()
      try await offPool {
        try stand.session.wait(for: "phone: the server cannot be reached", in: "why", "disk")
        try stand.session.wait(for: "cannot send: the server cannot be reached", in: "doctor")
      }
      #expect(LinkStand.stop(link) == 0, "\(link.errors)")
      let server = try ntfy.start()
      let phone = try Self.phone(of: ntfy)
      let next = try stand.start()
      let line = try await offPool { phone.readLine(within: 30) }
      #expect(line?.contains(#""message":"It is full""#) == true && line?.contains(#""priority":5"#) == true)
      try await offPool { try stand.session.wait(for: "step 1: sent", in: "why", "disk") }
      // Neither the next start of suzu-link nor that of the center sends it again.
      #expect(LinkStand.stop(next) == 0, "\(next.errors)")
      kill(try #require(try stand.session.process(of: "dev.suzu.Center")), SIGKILL)
      let last = try stand.start()
      try await offPool { try stand.session.wait(for: "step 1: sent", in: "why", "disk") }
      let trial = try stand.session.suzu("link", "test", "phone")
      #expect(trial.status == 0 && trial.output == "phone: the server took a test message\n", "\(trial)")
      #expect(
        try Self.messages(of: ntfy).map { $0["message"] as? String } == [
          "It is full", "This is a test of 'suzu link test'.",
        ])
      let shown = try stand.session.suzu("show", "disk")
      #expect(try shown.output.contains(Regex("\nstep 1: +sent, ")), "\(shown)")
      #expect(LinkStand.stop(last) == 0, "\(last.errors)")
      for program in [link, next, last] { #expect(!program.errors.contains("full"), "\(program.errors)") }
      phone.kill()
      server.kill()
    }
  }

  @Test func `An answer before the step sends nothing`() async throws {
    let ntfy = try RealNtfy()
    let server = try ntfy.start()
    try await withLoop { loop in
      let stand = try LinkStand(hasCenter: true)
      let desktop = try await ScriptedServer.start(on: stand.bus, loop)
      let added = try stand.session.suzu(
        "link", "add", "phone", ntfy.address + "/alerts", "--send", "phone")
      #expect(added.status == 0, "\(added.errors)")
      let link = try stand.startConnected("phone")
      for id in ["one", "two"] {
        let sent = try stand.session.suzu(["notify", id, "--id", id] + Self.steps)
        #expect(sent.status == 0, "\(sent.errors)")
      }
      let posted = try await desktop.posted.next(2, within: .seconds(15))
      let one = try #require(posted.first { $0.summary == "one" })
      try await desktop.press(one.number, "ok")
      try await offPool { try stand.session.wait(for: "step 1: sent", in: "why", "two") }
      #expect(try Self.messages(of: ntfy).map { $0["message"] as? String } == ["two"])
      let history = try stand.session.suzu("history", "one", "--json")
      #expect(!history.output.contains("pushes"), "\(history.output)")
      #expect(LinkStand.stop(link) == 0, "\(link.errors)")
    }
    server.kill()
  }
}
