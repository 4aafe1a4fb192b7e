// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import TestSupport
import Testing

/// Tests `suzu mute` and `suzu unit` with the real center.
@Suite(.onOwnThread, .timeLimit(.minutes(3)))
struct MuteTests {
  @Test func `What is muted is in the history only, until that ends`() async throws {
    let session = try Session()
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop)
      func suzu(_ words: String...) async throws -> (status: Int32, output: String, errors: String) {
        try await offPool { try session.suzu(words) }
      }
      #expect(try await suzu("mute", "tea", "1h").status == 0)
      #expect(try await suzu("notify", "Tea", "--id", "tea").output == "tea\n")
      #expect(try await suzu("notify", "Coffee", "--id", "coffee").status == 0)
      #expect(try await server.posted.next(within: .seconds(15)).summary == "Coffee")
      let history = try await suzu("history", "tea").output
      #expect(history.contains("muted"), "\(history)")
      let why = try await suzu("why", "tea").output
      #expect(why.contains("you have muted it; see 'suzu mute --list'"), "\(why)")
      #expect(try await suzu("history", "--state", "muted").output.contains("Tea"))
      #expect(try await suzu("mute", "tea", "off").errors == "")
      #expect(try await suzu("notify", "Tea again", "--id", "tea").status == 0)
      #expect(try await server.posted.next(within: .seconds(15)).summary == "Tea again")
    }
  }

  @Test func `A waiting script learns that its notification is muted`() throws {
    let session = try Session()
    #expect(try session.suzu("mute", "q", "1h").status == 0)
    let waited = try session.suzu("notify", "Q", "--id", "q", "--wait")
    #expect(waited.status == 1 && waited.errors.hasSuffix("is muted; 'suzu mute --list' says until when\n"))
    let asked = try session.suzu("ask", "Q", "--id", "q", "--default", "no")
    #expect(asked.status == 1 && asked.output == "no\n", "\(asked)")
  }

  @Test func `The list says until when, and outlives the center`() throws {
    let session = try Session()
    #expect(try session.suzu("mute", "--list").output == "")
    #expect(try session.suzu("mute", "b", "2999-01-02 03:04", "--app", "org.example.B").status == 0)
    #expect(try session.suzu("mute", "a", "1d").status == 0)
    #expect(try session.suzu("mute", "a", "2999-01-02 03:04").status == 0)
    try session.endCenter()
    // Until the next center answers.
    try session.wait(for: "org.example.B", in: "mute", "--list")
    let list = try session.suzu("mute", "--list")
    let rows = list.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(rows.map { $0.suffix(2).map { $0 } } == [["APP", "ID"], ["dev.suzu.Suzu", "a"], ["org.example.B", "b"]])
    #expect(list.output.contains("2999-01-02 03:04:00"))
    let json = try session.suzu("mute", "--list", "--json", "--app", "org.example.B").output
    #expect(json == "[{\"app\":\"org.example.B\",\"id\":\"b\",\"until\":\"2999-01-02T03:04:00+00:00\"}]\n")
  }

  @Test(
    arguments: [
      ([], 64, "an id is missing"), (["x"], 64, "a time is missing: suzu mute x 1h, or 'off'"),
      (["x", "1h", "2h"], 64, "unexpected argument '2h'"), (["x", "--json"], 64, "'--json' needs '--list'"),
      (["--list", "x"], 64, "unexpected argument 'x'"), (["x", "off"], 65, "'x' is not muted"),
      (["x", "soon"], 65, "'soon' must be a duration such as 1h, a time such as 'tomorrow 08:00', or off"),
      (["", "1h"], 65, "'' must not be empty"), (["x", "2001-01-01 00:00"], 65, "'2001-01-01 00:00' "),
      (["x", "1h", "--app", ""], 65, "'' must not be empty"),
    ] as [([String], Int32, String)])
  func `A mistake is an error`(words: [String], status: Int32, message: String) throws {
    let session = try Session()
    let ended = try session.suzu(["mute"] + words)
    #expect(ended.status == status && ended.output == "")
    #expect(ended.errors.hasPrefix("suzu: mute: \(message)"), "\(ended.errors)")
  }

  // MARK: Units

  /// Runs `suzu unit` as systemd does, with stand-ins of its programs.
  private static func session(log: String = "") throws -> Session {
    let folder = try TemporaryFolder()
    for name in ["systemctl", "journalctl", "xdg-terminal-exec"] {
      try folder.write(
        "#!/bin/sh\ncase \"$*\" in *' show '*) printf 'Result=exit-code\\nExecMainCode=1\\nExecMainStatus=5\\n'; exit;; *--quiet*) printf '\(log)'; exit;; esac\necho \"\(name) $*\" >'\(folder.path("witness"))'\n",
        to: "bin/\(name)", executable: true)
    }
    return try Session(variables: ["PATH": folder.path("bin") + ":/usr/bin:/bin"], in: folder)
  }

  private static func tell(
    _ unit: String, _ flags: String..., variables: [String: String], in session: Session
  ) throws -> (status: Int32, output: String, errors: String) {
    try RunningProgram.run(
      Session.programs + "/suzu", ["unit"] + flags + ["--", unit],
      environment: session.environment.merging(variables) { $1 })
  }

  @Test func `A failed unit is told with its status and its last line, and its buttons work`() async throws {
    let session = try Self.session(log: "starts\\nno tea left\\n")
    let witness = try session.witness()
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop, capabilities: ["actions", "body"])
      let variables = ["MONITOR_SERVICE_RESULT": "exit-code", "MONITOR_EXIT_STATUS": "3"]
      for (key, line) in [
        ("restart", "systemctl --user restart --no-block -- tea@1\\x2d2.service"),
        ("log", "xdg-terminal-exec journalctl --user --pager-end --user-unit=tea@1\\x2d2.service"),
      ] {
        let told = try await offPool { try Self.tell("tea@1\\x2d2.service", variables: variables, in: session) }
        #expect(told.status == 0 && told.errors == "")
        let posted = try await server.posted.next(within: .seconds(15))
        #expect(posted.summary == "tea@1\\x2d2.service failed" && posted.body == "exit status 3\nno tea left")
        try await server.press(posted.number, key)
        #expect(try await witness.line() == line)
      }
      _ = try await offPool { try Self.tell("tea.service", variables: variables, in: session) }
      let posted = try await server.posted.next(within: .seconds(15))
      let labels = stride(from: 1, to: posted.actions.count, by: 2).map { posted.actions[$0] }
      #expect(labels.contains("Restart"))
      let answered = try await offPool { try session.suzu("respond", "unit-tea.service", "mute") }
      #expect(answered.status == 0)
      try await offPool { try session.wait(for: "unit-tea.service", in: "mute", "--list") }
      _ = try await offPool { try Self.tell("tea.service", variables: variables, in: session) }
      let muted = try await offPool { try session.suzu("history", "unit-tea.service", "-n", "1") }.output
      #expect(muted.contains("muted"), "\(muted)")
    }
  }

  @Test(
    arguments: [
      (["MONITOR_SERVICE_RESULT": "success"], "x.service finished", ""),
      (
        ["MONITOR_SERVICE_RESULT": "signal", "MONITOR_EXIT_STATUS": "KILL"], "x.service failed", "ended by signal KILL"
      ),
      (["MONITOR_SERVICE_RESULT": "timeout"], "x.service failed", "it took too long"),
      (["MONITOR_SERVICE_RESULT": "new-in-9999"], "x.service failed", "new-in-9999"),
      ([:], "x.service failed", "exit status 5"),
    ] as [([String: String], String, String)])
  func `The result is what systemd says`(variables: [String: String], title: String, body: String) async throws {
    let session = try Self.session()
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop, capabilities: ["actions", "body"])
      let told = try await offPool { try Self.tell("x.service", variables: variables, in: session) }
      #expect(told.status == 0, "\(told.errors)")
      let posted = try await server.posted.next(within: .seconds(15))
      #expect(posted.summary == title && posted.body == body)
    }
  }

  @Test(arguments: ["", "x", ".service", "a b.service", "x.txt", "x.service; reboot", "x{id}.service", "../x.service"])
  func `What cannot be a unit is refused`(name: String) throws {
    let session = try Session(hasCenter: false)
    let told = try Self.tell(name, variables: [:], in: session)
    #expect(told.status == 65 && told.errors.contains("is not the name of a unit, such as backup.service"))
  }
}
