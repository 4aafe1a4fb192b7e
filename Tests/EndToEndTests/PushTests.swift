// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import TestSupport
import Testing

/// Tests `suzu push` with the real center.
@Suite(.onOwnThread, .timeLimit(.minutes(3)))
struct PushTests {
  @Test func `A file for Apple's simulator is shown with local buttons, once, also after a restart of the center`()
    async throws
  {
    let session = try Session()
    let folder = try TemporaryFolder()
    let file = try folder.write(
      """
      {
        "Simulator Target Bundle": "org.example.Tea",
        "aps": {"alert": {"title": "Tea", "body": "is ready"}, "category": "tea"},
        "pot": "green; touch /tmp/x"
      }
      """, to: "tea.apns")
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop, capabilities: ["actions", "body"])
      func suzu(_ words: String...) async throws -> (status: Int32, output: String, errors: String) {
        try await offPool { try session.suzu(words) }
      }
      let out = folder.path("out")
      #expect(
        try await suzu(
          "category", "set", "tea", "--app", "org.example.Tea", "--action", "pour=Pour", "--run",
          "pour=sh -c 'printf %s \"$1\" >\(out)' - {userInfo.pot}"
        ).errors == "")
      let pushed = try await suzu("push", file, "--id", "m-1", "--collapse", "pot")
      #expect(pushed.status == 0 && pushed.output == "pot\n" && pushed.errors == "", "\(pushed)")
      let posted = try await server.posted.next(within: .seconds(15))
      #expect(posted.summary == "Tea" && posted.actions.contains("pour"))
      #expect(posted.hints["desktop-entry"] == "org.example.Tea")
      // What came from outside stays one argument.
      let answered = try await suzu("respond", "pot", "pour", "--app", "org.example.Tea")
      #expect(answered.status == 0, "\(answered)")
      try await offPool { try session.wait(for: "done", in: "history", "pot", "--app", "org.example.Tea") }
      #expect(try String(contentsOfFile: out, encoding: .utf8) == "green; touch /tmp/x")
      try await offPool { try session.endCenter() }
      // Until the next center answers.
      try await offPool { try session.wait(for: "pot", in: "history", "--app", "org.example.Tea") }
      #expect(try await suzu("push", file, "--id", "m-1").output == "pot\n")
      // The flag names another app, which has not seen this id.
      #expect(try await suzu("push", file, "--id", "m-1", "--app", "org.example.Other").status == 0)
      #expect(
        try await server.posted.next(within: .seconds(15)).hints["desktop-entry"] == "org.example.Other")
      #expect(server.posted.waiting.isEmpty)
    }
  }

  @Test func `A category that is not here is in the log and in doctor`() async throws {
    let session = try Session()
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop)
      let json = #"{"aps": {"alert": "secret words", "category": "tea"}}"#
      for _ in 0..<2 {
        let pushed = try await offPool { try session.suzu(["push", "-"], input: json) }
        #expect(pushed.status == 0, "\(pushed)")
        #expect(try await server.posted.next(within: .seconds(15)).summary == "secret words")
      }
      let doctor = try await offPool { try session.suzu("doctor").output }
      #expect(
        doctor.contains("shown without buttons: category 'tea' is not registered for 'dev.suzu.Suzu'"), "\(doctor)")
    }
  }

  @Test func `A push that has expired is in the history with its reason`() throws {
    let session = try Session()
    let json = #"{"aps": {"alert": "Tea"}}"#
    let pushed = try session.suzu(["push", "-", "--expires", "0s"], input: json)
    #expect(pushed.status == 0, "\(pushed)")
    let id = pushed.output.trimmingCharacters(in: .newlines)
    try session.wait(for: "push expired", in: "history", id)
    #expect(try session.suzu("why", id).output.contains("expired before it could be shown"))
    #expect(try session.suzu("history", "--state", "push expired").output.contains(id))
    let silent = try session.suzu(["push", "-"], input: #"{"aps": {"content-available": 1}}"#)
    try session.wait(for: "silent push", in: "history", silent.output.trimmingCharacters(in: .newlines))
  }

  @Test(
    arguments: [
      (["push"], "", 64, "a file is missing: suzu push FILE, or '-'"),
      (["push", "a", "b"], "", 64, "unexpected argument 'b'"),
      (["push", "/no/such"], "", 66, "/no/such: No such file or directory"),
      (["push", "-", "--expires", "soon"], "{}", 65, "'--expires' must be a duration"),
      (["push", "-", "--app", "a b"], #"{"aps": {"alert": "x"}}"#, 65, "'--app' must be a desktop-entry id"),
      (["push", "-", "--id", ""], "{}", 65, "'--id' must not be empty"),
      (["push", "-"], "", 65, "standard input is empty"),
      (["push", "-"], "{\"aps\": {\n\"alert\": }}", 65, "standard input, line 2, column 10: a value is expected here"),
      (["push", "-"], "{}", 65, "standard input, line 1, column 1: 'aps' is missing"),
      (
        ["push", "-"], "{\"aps\": {\n \"badge\": \"3\"}}", 65,
        "standard input, line 2, column 11: 'aps.badge' must be an integer from 0 to 2147483647, not a string"
      ),
      (
        ["push", "-"], #"{"aps": {"alert": "x", "actions": [{"id": "a", "run": ["sh"]}]}}"#, 65,
        "standard input, line 1, column 24: 'aps.actions' is not taken from a push: buttons come from a category that"
      ),
    ] as [([String], String, Int32, String)]) func `A wrong command or file gets one line with the place`(
      words: [String], input: String, status: Int32, error: String
    ) throws
  {
    let ended = try BareCommand.suzu(words, input: input)
    #expect(ended.status == status && ended.output == "")
    #expect(ended.errors.hasPrefix("suzu: push: \(error)"), "\(ended.errors)")
    #expect(ended.errors.count { $0 == "\n" } == 1)
  }

  @Test func `A scheme that only the center can judge is refused with its place`() throws {
    let session = try Session()
    let ended = try session.suzu(["push", "-"], input: "{\"aps\": {\"alert\": \"x\",\n \"url\": \"steam://run/1\"}}")
    #expect(ended.status == 65)
    #expect(
      ended.errors.hasPrefix("suzu: push: standard input, line 2, column 9: 'aps.url' has the scheme 'steam'"),
      "\(ended.errors)")
  }
}
