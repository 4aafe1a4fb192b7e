// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests what happens while the user is away, with the real programs and logind's states.
@Suite(.onOwnThread, .timeLimit(.minutes(2)))
struct AwayTests {
  private static func run(
    _ body: @escaping @Sendable (Session, MockLogind, ScriptedServer) async throws -> Void
  ) async throws {
    let session = try MockLogind.session(in: TemporaryFolder())
    let logind = try await offPool { try MockLogind(in: session) }
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop)
      try await body(session, logind, server)
      logind.end()
    }
  }

  /// Kills the center; the next call starts another one.
  private static func restart(_ session: Session) throws {
    let center = try #require(try session.process(of: "dev.suzu.Center"))
    kill(center, SIGKILL)
    while try session.process(of: "dev.suzu.Center") == center {}
    #expect(try session.suzu("list").status == 0)
  }

  @Test func `A banner stays on the screen until the unlock, whatever happens to the center`() async throws {
    try await Self.run { session, logind, server in
      let made = try await offPool {
        #expect(try session.suzu("apps", "away", "dev.suzu.Suzu", "keep").status == 0)
        return try session.suzu("notify", "Tea", "--id", "tea", "--expires", "20s")
      }
      #expect(made.output == "tea\n" && made.errors == "")
      #expect(try await server.posted.next(within: .seconds(15)).timeout == 20_000)
      try await offPool { try logind.setLocked(true) }
      let kept = try await server.posted.next(within: .seconds(15))
      #expect(kept.summary == "Tea" && kept.timeout == 0 && kept.replaces == 1)
      try await offPool {
        try session.wait(for: #""state":"delivered""#, in: "history", "--json")
        try Self.restart(session)
        try logind.setLocked(false)
      }
      let back = try await server.posted.next(within: .seconds(15))
      #expect(back.summary == "Tea" && back.timeout == 20_000 && back.replaces == 1)
      #expect(server.posted.waiting.isEmpty)
    }
  }

  @Test func `What comes while there is no input is told once, on the return`() async throws {
    try await Self.run { session, logind, server in
      try await offPool {
        try logind.setIdle(true)
        #expect(try session.suzu("apps", "away", "dev.suzu.Suzu", "hold").status == 0)
        for id in ["one", "two"] { #expect(try session.suzu("notify", id, "--id", id).status == 0) }
        for id in ["one", "two"] { try session.wait(for: "held until you are back", in: "why", id) }
        try logind.setIdle(false)
      }
      let digest = try await server.posted.next(within: .seconds(15))
      #expect(digest.summary == "While you were away" && digest.body == "one\ntwo")
      let ends = try await offPool { try session.suzu("history", "--json").output }
      #expect(ends.components(separatedBy: #""reason":"folded""#).count == 3, "\(ends)")
      #expect(server.posted.waiting.isEmpty)
    }
  }

  @Test(arguments: ["0", "2h"])
  func `A flag of the center says how long there must be no input`(idle: String) async throws {
    try await Self.run { session, logind, server in
      let center = try RunningProgram(
        Session.programs + "/suzud", ["--idle", idle], environment: session.environment)
      try await offPool {
        #expect(try session.awaitOwner(of: "dev.suzu.Center"))
        // For an hour.
        try logind.setIdle(true)
        #expect(try session.suzu("apps", "away", "dev.suzu.Suzu", "hold").status == 0)
        #expect(try session.suzu("notify", "Tea").status == 0)
      }
      #expect(try await server.posted.next(within: .seconds(15)).summary == "Tea")
      center.kill()
    }
  }

  @Test(arguments: [["--idle"], ["--idle", "soon"], ["--idle=0s"], ["--idle", "500ms"]])
  func `A time that is none is an error`(words: [String]) throws {
    let ended = try RunningProgram.run(Session.programs + "/suzud", words, environment: ["PATH": "/usr/bin:/bin"])
    #expect(ended.status == 64 && ended.errors == "suzud: '--idle' needs a time, such as 10m, or 0\n")
  }

  @Test(arguments: [true, false])
  func `What is postponed until the unlock waits for it, also in the next center`(isLocked: Bool) async throws {
    try await Self.run { session, logind, server in
      try await offPool {
        try logind.setLocked(isLocked)
        let made = try session.suzu(
          "notify", "Call Ada", "--id", "call", "--action", "later=Later", "--snooze", "later=1h,unlocked")
        #expect(made.status == 0, "\(made.errors)")
      }
      #expect(try await server.posted.next(within: .seconds(15)).summary == "Call Ada")
      try await offPool {
        let chosen = try session.suzu("respond", "call", "later", "--reply", "unlocked")
        #expect(chosen.status == 0, "\(chosen.errors)")
        try session.wait(for: "when unlocked", in: "list")
        try session.wait(for: "now:         \(!isLocked)", in: "next", "call")
        try Self.restart(session)
        try session.wait(for: "now:         \(!isLocked)", in: "next", "call")
        // Chosen in an unlocked session, it waits for the next unlock.
        if !isLocked {
          try logind.setLocked(true)
          try session.wait(for: "now:         false", in: "next", "call")
        }
      }
      #expect(server.posted.waiting.isEmpty)
      try await offPool { try logind.setLocked(false) }
      let second = try await server.posted.next(within: .seconds(15))
      #expect(second.summary == "Call Ada" && second.keys.contains { $0.hasPrefix("later") })
      let chosen = try await offPool { try session.suzu("history", "call", "--json").output }
      #expect(chosen.contains(#""action":"later""#) && chosen.contains(#""reply":"unlocked""#), "\(chosen)")
    }
  }
}
