// SPDX-License-Identifier: Apache-2.0
// Sleeps are meant: programs that last.
import CLinux
import EventLoop
import Foundation
import NotificationModel
import Scheduling
import SystemFiles
import TestSupport
import Testing

@testable import suzud

/// Tests the actions of buttons: programs and URLs.
@Suite(.timeLimit(.minutes(1)))
struct ActionRunnerTests {
  /// Runs the single action of a request. Its limits are not reached unless a test lowers them.
  private static func carryOut(
    _ effect: Action.Effect, foreground: Bool = false, reply: String? = nil, token: String? = nil,
    opener: String = "false",
    limit: Duration = .seconds(50), grace: Duration = .seconds(50), afterwards: @Sendable () throws -> Void = {}
  ) async throws -> Outcome {
    try await withLoop { loop in
      let runner = ActionRunner(loop: loop, limit: limit, grace: grace, opener: opener)
      let request = try NotificationRequest(app: "org.example.App", id: "the id", title: "Title \"ü\"") {
        $0.userInfo = ["deep": .dictionary(["n": .integer(1)]), "list": .list([.flag(true), .text("\n")])]
      }
      let response = Response(number: 42, app: "org.example.App", id: "the id", action: "go", reply: reply)
      let click = Click(
        response: response, request: request,
        action: Action(id: "go", title: "Go", foreground: foreground, effect: effect),
        rights: .all, token: token, record: nil, date: Timestamp(milliseconds: 0))
      let outcome =
        switch effect {
        case .run(let words): await runner.run(words, for: click)
        case .url(let url): await runner.open(url, for: click)
        case .launch(let entry): await runner.launch(entry, for: click)
        case .http, .snooze, .snoozeUntil: throw TestFailure("nothing that is run")
        }
      try afterwards()
      return outcome
    }
  }

  private static func shell(_ script: String, _ arguments: String..., in folder: TemporaryFolder) -> Action.Effect {
    .run(["/bin/sh", "-c", "cd '\(folder.path(""))' && \(script)", "sh"] + arguments)
  }

  // MARK: run

  @Test func `Arguments arrive unchanged, without a shell in between`() async throws {
    let folder = try TemporaryFolder()
    let words = ["", "two words", "$(touch hacked)", "`id`", "; exit 1", "\"'\\", "*", "-n", "ü\nzweite", "$HOME"]
    let program = try folder.write(
      "#!/bin/sh\ncd '\(folder.path(""))'\nfor word; do printf '%s\\0' \"$word\"; done >words\n", to: "program",
      executable: true)
    #expect(try await Self.carryOut(.run([program] + words)) == .done)
    #expect(folder.read("words") == words.map { $0 + "\0" }.joined())
    #expect(folder.read("hacked") == nil)
  }

  @Test func `The environment tells the program what was answered`() async throws {
    let folder = try TemporaryFolder()
    let dump = Self.shell("env -0 >environment", in: folder)
    func environment() -> [String: String] {
      let entries = (folder.read("environment") ?? "").split(separator: "\0").map {
        $0.split(separator: "=", maxSplits: 1)
      }
      return Dictionary(entries.map { (String($0[0]), $0.count > 1 ? String($0[1]) : "") }) { $1 }
    }
    #expect(try await Self.carryOut(dump, reply: "a reply\nof two lines", token: "token 1") == .done)
    var variables = environment()
    #expect(variables["SUZU_APP"] == "org.example.App")
    #expect(variables["SUZU_ID"] == "the id")
    #expect(variables["SUZU_ACTION"] == "go")
    #expect(variables["SUZU_REPLY"] == "a reply\nof two lines")
    #expect(variables["XDG_ACTIVATION_TOKEN"] == "token 1")
    #expect(variables["DESKTOP_STARTUP_ID"] == "token 1")
    #expect(variables["PATH"] == ProcessInfo.processInfo.environment["PATH"])

    #expect(try await Self.carryOut(dump) == .done)
    variables = environment()
    #expect(variables["SUZU_REPLY"] == "")
    #expect(variables["XDG_ACTIVATION_TOKEN"] == ProcessInfo.processInfo.environment["XDG_ACTIVATION_TOKEN"])
  }

  @Test func `The program's input is the response as one line of JSON, and then ends`() async throws {
    let folder = try TemporaryFolder()
    #expect(try await Self.carryOut(Self.shell("cat >input", in: folder), reply: "yes") == .done)
    let text = try #require(folder.read("input"))
    #expect(text.last == "\n" && text.count { $0 == "\n" } == 1)
    let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
    let expected: NSDictionary = [
      "response": 42, "app": "org.example.App", "id": "the id", "action": "go", "reply": "yes", "title": "Title \"ü\"",
      "userInfo": ["deep": ["n": 1], "list": [true, "\n"]],
    ]
    #expect(json == expected)
  }

  @Test(arguments: [
    ("exit 0", "done"), ("exit 3", "failed: exit 3"),
    ("echo one; echo 'the reason' >&2; exit 1", "failed: exit 1: the reason"),
    ("kill -9 $$", "failed: signal 9"), ("kill -TERM $$", "failed: signal 15"), ("echo fine; exit 0", "done"),
    ("exit 255", "failed: exit 255"),
  ])
  func `The program's end is the outcome`(script: String, outcome: String) async throws {
    #expect(try await Self.carryOut(.run(["/bin/sh", "-c", script])).description == outcome)
  }

  @Test func `A missing or invalid program is reported as not started`() async throws {
    let folder = try TemporaryFolder()
    let text = try folder.write("no program", to: "text")
    for (program, reason) in [
      ("/no/such/program", "/no/such/program: No such file or directory"),
      ("no-such-program-of-ours", "no-such-program-of-ours: No such file or directory"),
      (text, "\(text): Permission denied"), (folder.path(""), "\(folder.path("")): Permission denied"),
    ] {
      #expect(try await Self.carryOut(.run([program])) == .failed(reason))
    }
  }

  @Test func `A program that takes too long is asked to end`() async throws {
    let folder = try TemporaryFolder()
    let polite = Self.shell(
      "trap 'echo asked >end; exit 0' TERM; echo $$ >pid; while :; do sleep 0.05; done", in: folder)
    let outcome = try await Self.carryOut(polite, limit: .milliseconds(300))
    #expect(outcome == .failed("took longer than 300ms"))
    #expect(folder.read("end") == "asked\n")
  }

  // The terminal ended after 30 seconds, while the user read the history in it.
  @Test func `The terminal with the history stays open beyond the time limit of other programs`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      #!/bin/sh
      cd '\(folder.path(""))'
      sleep 0.6
      echo "$*" >words

      """, to: "xdg-terminal-exec", executable: true)
    let action = try #require(HistoryWindow.action(programs: ProgramSearch(path: folder.path(""))))
    guard case .run(let words) = action.effect else { throw TestFailure("the history has no command") }
    let inFolder = Action.Effect.run([folder.path(words[0])] + words.dropFirst())
    let outcome = try await Self.carryOut(inFolder, foreground: action.foreground, limit: .milliseconds(200))
    #expect(outcome == .done)
    #expect(folder.read("words")?.contains("suzu history --app") == true)
    // The same program is ended if it does not come to the front.
    #expect(try await Self.carryOut(inFolder, limit: .milliseconds(200)) == .failed("took longer than 200ms"))
  }

  @Test func `A program that refuses to end is killed with everything that it started`() async throws {
    let folder = try TemporaryFolder()
    let stubborn = Self.shell(
      "trap '' TERM; sh -c 'trap \"\" TERM; echo $$ >child; exec sleep 1000' & echo $$ >parent; while :; do sleep 0.05; done",
      in: folder)
    let outcome = try await Self.carryOut(stubborn, limit: .milliseconds(300), grace: .milliseconds(100))
    #expect(outcome == .failed("took longer than 300ms"))
    for name in ["parent", "child"] {
      let process = try #require(folder.read(name).flatMap { Int32($0.dropLast()) })
      #expect(Self.isGone(process), "the \(name) lives")
    }
  }

  /// Whether a process ends within a few seconds of its SIGKILL.
  private static func isGone(_ process: Int32) -> Bool {
    let handle = pidfd_open(process, 0)
    guard handle >= 0 else { return errno == ESRCH }
    defer { close(handle) }
    var entry = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 5000) == 1
  }

  @Test func `A flood of output costs no memory, and its last line is kept`() async throws {
    let flood = "head -c 30000000 /dev/zero | tr '\\0' 'x'; echo; echo 'last words'; exit 1"
    #expect(try await Self.carryOut(.run(["/bin/sh", "-c", flood])) == .failed("exit 1: last words"))
    let endless = "head -c 5000000 /dev/zero | tr '\\0' 'x'; exit 1"
    let outcome = try await Self.carryOut(.run(["/bin/sh", "-c", endless]))
    #expect(outcome.description.utf8.count < 300)
  }

  @Test func `A program that does not read its input is not waited for`() async throws {
    #expect(try await Self.carryOut(.run(["true"])) == .done)
    #expect(try await Self.carryOut(.run(["/bin/sh", "-c", "exec <&-; exit 0"])) == .done)
  }

  @Test func `A process that a program leaves behind runs on and delays no outcome`() async throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path("pipe")
    mkfifo(pipe, 0o600)
    // It waits for the pipe, long after its parent has ended. It prints first, as programs do.
    let outcome = try await Self.carryOut(
      Self.shell("(read word <pipe; echo talking; echo \"$word\" >said; echo >pipe) & exit 0", in: folder)
    ) {
      let ends = try RunningProgram.run("sh", ["-c", "echo hello >'\(pipe)'; cat '\(pipe)'"], environment: [:])
      #expect(ends.status == 0)
      #expect(folder.read("said") == "hello\n")
    }
    #expect(outcome == .done)
  }

  // MARK: url

  private static func recordingOpener(_ folder: TemporaryFolder, _ end: String = "exit 0") throws -> String {
    try folder.write(
      "#!/bin/sh\nprintf '%s\\n' \"$#\" \"$1\" \"$XDG_ACTIVATION_TOKEN\" \"$DESKTOP_STARTUP_ID\" >'\(folder.path("opened"))'\n\(end)\n",
      to: "opener", executable: true)
  }

  @Test(arguments: [
    "https://example.org/a?b=c&d=$(id)#e", "http://example.org", "HTTPS://EXAMPLE.org/",
    "MailTo:me@example.org?subject=a%20b",
    "tel:+49123", "geo:1,2", "sms:1", "xmpp:a@b",
  ])
  func `A URL with a permitted scheme is opened unchanged, with the token`(url: String) async throws {
    let folder = try TemporaryFolder()
    let opener = try Self.recordingOpener(folder)
    #expect(try await Self.carryOut(.url(url), token: "t", opener: opener) == .done)
    #expect(folder.read("opened") == "1\n\(url)\nt\nt\n")
  }

  @Test(arguments: [
    ("javascript:alert(1)", "javascript"), ("JavaScript:alert(1)", "javascript"), ("data:text/html,x", "data"),
    ("file:///etc/passwd", "file"), ("vbscript:x", "vbscript"), ("smb://host/share", "smb"), ("x:y", "x"),
    ("httpss://a", "httpss"), ("view-source:https://a", "view-source"),
  ])
  func `Any other scheme is refused, and no program starts`(url: String, scheme: String) async throws {
    let folder = try TemporaryFolder()
    let opener = try Self.recordingOpener(folder)
    #expect(try await Self.carryOut(.url(url), opener: opener) == .refused("scheme '\(scheme)'"))
    #expect(folder.read("opened") == nil)
  }

  @Test(arguments: [
    ("exit 2", "failed: xdg-open: no such file"), ("exit 3", "failed: xdg-open: no program opens it"),
    ("exit 4", "failed: xdg-open: the program that opens it failed"), ("exit 77", "failed: xdg-open: exit 77"),
    ("kill -9 $$", "failed: xdg-open: signal 9"),
    ("echo no browser >&2; exit 3", "failed: xdg-open: no program opens it: no browser"),
  ])
  func `The opener's result is the outcome`(end: String, outcome: String) async throws {
    let folder = try TemporaryFolder()
    let opener = try Self.recordingOpener(folder, end)
    #expect(try await Self.carryOut(.url("https://example.org"), opener: opener).description == outcome)
  }

  @Test func `Without an opener the outcome says what to install`() async throws {
    #expect(
      try await Self.carryOut(.url("https://example.org"), opener: "/no/xdg-open")
        == .failed("/no/xdg-open: No such file or directory; install the package 'xdg-utils'"))
  }

  // MARK: Placeholders

  @Test func `A filled-in text stays one argument, whatever it holds`() async throws {
    let folder = try TemporaryFolder()
    let attack = "--evil $(touch hacked) `id`; \"'\n{title} %s"
    let program = try folder.write(
      "#!/bin/sh\ncd '\(folder.path(""))'\nfor word; do printf '%s\\0' \"$word\"; done >words\n", to: "program",
      executable: true)
    #expect(
      try await Self.carryOut(
        .run([program, "{reply}", "a {id} b", "{app}{action}", "{{title}}", "${HOME}", "{userInfo.list}", "{"]),
        reply: attack) == .done)
    #expect(
      folder.read("words")
        == [attack, "a the id b", "org.example.Appgo", "{title}", "${HOME}", "[true,\"\\n\"]", "{"]
        .map { $0 + "\0" }.joined())
    #expect(folder.read("hacked") == nil)
  }

  @Test func `A text filled into a URL is encoded, and can change neither scheme nor host`() async throws {
    let folder = try TemporaryFolder()
    let opener = try Self.recordingOpener(folder)
    #expect(
      try await Self.carryOut(
        .url("https://example.org/{reply}?q={title}"), reply: "../@evil.org:80/#\n&x=1 ü", opener: opener) == .done)
    #expect(
      folder.read("opened")?.hasPrefix(
        "1\nhttps://example.org/..%2F%40evil.org%3A80%2F%23%0A%26x%3D1%20%C3%BC?q=Title%20%22%C3%BC%22\n") == true)
  }

  @Test func `The action fails if a value to fill in is missing`() async throws {
    #expect(
      try await Self.carryOut(.run(["false", "-rf", "{userInfo.folder}/"])) == .failed("userInfo has no 'folder'"))
  }

  @Test func `The click on the notification itself opens its URL`() async throws {
    let folder = try TemporaryFolder()
    let opener = try Self.recordingOpener(folder)
    try await withLoop { loop in
      let runner = ActionRunner(loop: loop, limit: .seconds(20), grace: .seconds(5), opener: opener)
      let request = try NotificationRequest(title: "t") { $0.url = "https://example.org/minutes" }
      let response = Response(number: 1, app: request.app.text, id: "a", action: Action.defaultID)
      let action = Action.ofItself(request)
      let click = Click(
        response: response, request: request, action: action, rights: .all, record: nil,
        date: Timestamp(milliseconds: 0))
      guard case .url(let url) = action.effect else { throw TestFailure("no URL: \(action)") }
      #expect(await runner.open(url, for: click) == .done)
    }
    #expect(folder.read("opened")?.hasPrefix("1\nhttps://example.org/minutes\n") == true)
  }
}
