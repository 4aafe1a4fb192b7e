// SPDX-License-Identifier: Apache-2.0
import DBus
import EventLoop
import Foundation
import TestSupport
import Testing

/// Compares the real notify-send with ours, with the same arguments and the same server: the calls, the output and the
/// exit status must be equal.
@Suite(
  .onOwnThread, .timeLimit(.minutes(5)),
  .enabled(if: RunningProgram.path(of: "notify-send") != nil, "no notify-send here")
)
struct NotifySendTests {
  /// The compared parts of one `Notify` call.
  private struct Arrived: Equatable {
    var appName: String, icon: String, summary: String, body: String
    var actions: [String]
    var hints: [String: Value]
    var timeout: Int32

    init(_ posted: ScriptedServer.Posted) {
      (appName, icon, summary, body) = (posted.appName, posted.icon, posted.summary, posted.body)
      (actions, hints, timeout) = (posted.actions, posted.hints, posted.timeout)
      // The center cannot provide the process of the caller, and notify-send does not send an app.
      hints["sender-pid"] = nil
      if hints["desktop-entry"] == "dev.suzu.Suzu" { hints["desktop-entry"] = nil }
      // The click on the notification itself is always offered, unless a button has its name.
      if actions.prefix(2) == ["default", "Close"] { actions.removeFirst(2) }
    }
  }

  private struct Ended: Equatable {
    var arrived: Arrived?
    var status: Int32
    var output: [String]
  }

  /// A bus with our center and a scripted server.
  private struct Stand {
    let session: Session
    let server: ScriptedServer

    static func run(_ body: @Sendable (Stand) async throws -> Void) async throws {
      try await withLoop { loop in
        let session = try Session()
        let server = try await ScriptedServer.start(on: session.bus, loop)
        // Many notifications come at the same time here, and each must be shown.
        let center = try RunningProgram(
          Session.programs + "/suzud", ["--burst", "0"], environment: session.environment)
        let isOwned = try await offPool { try session.awaitOwner(of: "dev.suzu.Center") }
        #expect(isOwned)
        try await body(Stand(session: session, server: server))
        #expect(center.isRunning)
      }
    }

    static let theirs = ["notify-send"]
    static let ours = [Session.programs + "/suzu", "notify-send"]
    static let alias = [Session.programs + "/suzu", "notify"]

    func start(_ command: [String], _ words: [String]) async throws -> RunningProgram {
      try RunningProgram(command[0], command.dropFirst() + words, environment: session.environment)
    }

    func show(_ command: [String], _ words: [String]) async throws -> Ended {
      let program = try await start(command, words)
      let status = try await program.exit() ?? -1
      var lines: [String] = []
      while let line = try await program.line() { lines.append(line) }
      // A refused call posts nothing.
      let posted = status == 0 ? try await server.posted.next() : nil
      return Ended(arrived: posted.map(Arrived.init), status: status, output: lines)
    }

    /// - Parameter answer: the user's action once it is on the screen.
    func ask(
      _ command: [String], _ words: [String], _ answer: @Sendable (ScriptedServer.Posted) async throws -> Void
    ) async throws -> Ended {
      let program = try await start(command, words)
      let posted = try await server.posted.next()
      // notify-send knows its number only from the answer, which is sent before this one.
      let asked = try await offPool {
        try session.run(
          "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.Notifications",
          "/org/freedesktop/Notifications", "org.freedesktop.Notifications.GetServerInformation")
      }
      #expect(asked.status == 0)
      try await answer(posted)
      let status = try await program.exit() ?? -1
      var lines: [String] = []
      while let line = try await program.line() { lines.append(line) }
      return Ended(arrived: Arrived(posted), status: status, output: lines)
    }
  }

  // MARK: Shown notifications

  private static let shown: [[String]] = [
    ["plain"], ["T", "B"], ["T", #"two\nlines \\ \101."#], ["--", "-T", "--urgency"],
    ["T", "1 <b>bold</b> <i>x</i> <u>y</u>"],
    ["-u", "low", "T"], ["-u", "normal", "T"], ["-u", "CRITICAL", "T"], ["--urgency=critical", "T"],
    ["--urgency", "low", "T"],
    ["-t", "5000", "T"], ["-t", "1", "T"], ["-t", "0", "T"], ["--expire-time=1500", "T"], ["-t", "-1", "T"],
    ["-i", "dialog-error", "T"], ["--icon=mail-unread", "T"], ["-i", "/usr/share/pixmaps/none.png", "T"],
    ["-c", "im.received", "T"], ["--category=email", "T"], ["-c", "device.added,x-mine", "T"],
    ["-a", "My Script", "T"], ["--app-name=firefox", "T"],
    ["-e", "T"], ["--transient", "T"], ["-ei", "x-icon", "T"],
    ["-h", "int:value:42", "T"], ["--hint=int:value:100", "T"], ["-h", "string:image-path:x-icon", "T"],
    ["-h", "string:sound-name:message-new-instant", "T"], ["-h", "string:sound-file:/none.oga", "T"],
    ["-h", "boolean:suppress-sound:true", "T"],
    ["-h", "byte:urgency:2", "T"], ["-h", "string:desktop-entry:firefox", "T"], ["-h", "string:category:im", "T"],
    ["-h", "boolean:resident:true", "-h", "boolean:transient:false", "T"],
    ["-h", "string:x-dunst-stack-tag:volume", "T"], ["-h", "string:x-canonical-private-synchronous:brightness", "T"],
    ["-h", "string:bgcolor:#ff0000", "-h", "double:x-number:1.5", "-h", "int:x-int:7", "T"],
    ["-h", "string:x-url:https://a.example/?b=c:d", "T"], ["-h", "STRING:x:y", "T"], ["-h", "variant:x-v:'q'", "T"],
    [
      "-u", "critical", "-t", "3000", "-a", "Backup", "-i", "drive-harddisk", "-c", "transfer.error", "Backup failed",
      "No space left", "-h", "int:value:7", "-e",
    ],
  ]

  @Test func `Each flag of notify-send arrives like the original's`() async throws {
    try await Stand.run { stand in
      for words in Self.shown {
        let theirs = try await stand.show(Stand.theirs, words)
        let ours = try await stand.show(Stand.ours, words)
        #expect(theirs.arrived != nil && ours == theirs, "\(words)")
      }
    }
  }

  @Test func `The alias shows the same as the original, except for plain text, its name and the printed id`()
    async throws
  {
    try await Stand.run { stand in
      for words in Self.shown where !words.joined().contains(where: { "<\\".contains($0) }) {
        // A category of Suzu must be registered; freedesktop's categories have a dot.
        if words.contains("--category=email") || words.contains("device.added,x-mine") { continue }
        let theirs = try await stand.show(Stand.theirs, words)
        var ours = try await stand.show(Stand.alias, words)
        #expect(ours.output.count == 1, "\(words)")
        ours.output = []
        if ours.arrived?.appName == "Suzu" { ours.arrived?.appName = "notify-send" }
        #expect(ours == theirs, "\(words)")
      }
      let plain = try await stand.show(Stand.alias, ["T", #"<b>a</b>\n"#])
      #expect(plain.arrived?.body == #"&lt;b&gt;a&lt;/b&gt;\n"#)
      let marked = try await stand.show(Stand.alias, ["T", "<b>a</b>", "--markup"])
      #expect(marked.arrived?.body == "<b>a</b>")
    }
  }

  @Test(arguments: [Stand.theirs, Stand.ours, Stand.alias])
  func `Only a printed id can be replaced`(command: [String]) async throws {
    try await Stand.run { stand in
      var words = ["-p", "One"]
      var numbers: Set<UInt32> = []
      for _ in 0..<3 {
        let program = try await stand.start(command, words)
        let id = try #require(try await program.line())
        #expect(try await program.exit() == 0)
        #expect(UInt32(id).map { $0 > 0 } == true, "\(id)")
        let posted = try await stand.server.posted.next()
        numbers.insert(posted.number)
        #expect(posted.replaces == (words.count == 2 ? 0 : posted.number))
        // The value may be in the same word.
        words = ["-pr", id, "Again"]
      }
      #expect(numbers.count == 1)
      let other = try await stand.start(command, ["-r", "0", "Other"])
      #expect(try await other.exit() == 0)
      #expect(try await stand.server.posted.next().replaces == 0)
    }
  }

  @Test func `Notifications with one synchronous hint are one notification on every server`() async throws {
    try await Stand.run { stand in
      for (percent, name) in [("10", "x-dunst-stack-tag"), ("20", "x-canonical-private-synchronous")] {
        _ = try await stand.start(Stand.alias, ["V", "-h", "string:\(name):volume", "-h", "int:value:\(percent)"])
          .exit()
      }
      let posted = try await stand.server.posted.next(2)
      #expect(posted[0].replaces == 0 && posted[1].replaces == posted[0].number)
    }
  }

  // MARK: Waiting

  @Test(
    arguments: [
      (["-A", "yes=Yes", "-A", "no=No"], "yes"), (["-A", "yes=Yes", "-A", "no=No = not"], "no"),
      (["-A", "Yes", "-A", "No"], "1"), (["--action=a=A", "--action", "B"], "1"), (["-A", "default=Open"], "default"),
      (["-wA", "x=X"], "x"),
    ] as [([String], String)])
  func `The chosen button is printed by its name or its number`(words: [String], key: String) async throws {
    try await Stand.run { stand in
      for words in [words + ["Q"], ["-p"] + words + ["Q"]] {
        let press: @Sendable (ScriptedServer.Posted) async throws -> Void = { posted in
          try await stand.server.press(posted.number, key)
          // notify-send ends at this event, not at the press.
          try await stand.server.tellClosed(posted.number, reason: 2)
        }
        var theirs = try await stand.ask(Stand.theirs, words, press)
        var ours = try await stand.ask(Stand.ours, words, press)
        #expect(theirs.output.last == key)
        try #require(theirs.output.count == (words[0] == "-p" ? 2 : 1) && ours.output.count == theirs.output.count)
        // Each server has its own numbers.
        if words[0] == "-p" { (theirs.output[0], ours.output[0]) = ("", Int(ours.output[0]).map { _ in "" } ?? "none") }
        #expect(ours == theirs, "\(words)")
        if words.contains("--action") { continue }
        var alias = try await stand.ask(Stand.alias, words, press)
        if words[0] == "-p" { alias.output[0] = "" }
        alias.arrived?.appName = "notify-send"
        #expect(alias == theirs, "\(words)")
      }
    }
  }

  @Test(arguments: [["-A", "yes=Yes", "Q"], ["-w", "Q"], ["--wait", "Q"], ["-wt", "60000", "Q"]])
  func `No action is printed without an answer`(words: [String]) async throws {
    try await Stand.run { stand in
      let close: @Sendable (ScriptedServer.Posted) async throws -> Void = { posted in
        try await stand.server.tellClosed(posted.number, reason: 2)
      }
      let theirs = try await stand.ask(Stand.theirs, words, close)
      #expect(try await stand.ask(Stand.ours, words, close) == theirs)
      #expect(theirs.status == 0 && theirs.output == [])
      let alias = try await stand.ask(Stand.alias, words, close)
      #expect(alias.status == 1 && alias.output == [])
    }
  }

  /// The center always offers the click, so it is an answer; scripts for notify-send must not receive it.
  @Test func `A click on the notification itself prints no action`() async throws {
    try await Stand.run { stand in
      let click: @Sendable (ScriptedServer.Posted) async throws -> Void = { posted in
        try await stand.server.press(posted.number, "default")
      }
      let ours = try await stand.ask(Stand.ours, ["-w", "Q"], click)
      #expect(ours.status == 0 && ours.output == [])
      #expect(try await stand.ask(Stand.alias, ["-w", "Q"], click).output == ["default"])
    }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `Interrupting the wait withdraws the notification`(signal: Int32) async throws {
    try await Stand.run { stand in
      for command in [Stand.ours, Stand.alias] {
        let program = try await stand.start(command, ["-A", "a=A", "Q"])
        let posted = try await stand.server.posted.next()
        program.signal(signal)
        #expect(try await program.exit() == 128 + signal)
        #expect(try await stand.server.closed.next() == posted.number)
        let printed = try await program.line()
        #expect(program.errors == "" && printed == nil)
      }
      // Pending requests are cancelled.
      let later = try await stand.start(Stand.alias, ["-p", "Later", "--in", "1h", "--wait"])
      #expect(try await later.line() != nil)
      later.signal(signal)
      #expect(try await later.exit() == 128 + signal)
      let listed = try await offPool { try stand.session.suzu("list", "--json") }
      #expect(listed.output == "[]\n")
    }
  }

  // MARK: Errors

  @Test(
    arguments: [
      (["-u", "nonsense", "T"], "'--urgency nonsense' must be low, normal or critical"),
      (["-u", "critcal", "T"], "'--urgency critcal' must be low, normal or critical; did you mean 'critical'?"),
      (["-t", "abc", "T"], "'--expire-time abc' must be a number of milliseconds; --expires accepts 5s"),
      (["-h", "foo", "T"], "'--hint foo' must be TYPE:NAME:VALUE"),
      (["-h", "bool:c:true", "T"], "'bool' is not a hint type: string, int, double, boolean, byte, variant"),
      (
        ["-h", "strng:c:true", "T"],
        "'strng' is not a hint type: string, int, double, boolean, byte, variant; did you mean 'string'?"
      ),
      (["-h", "int:value:abc", "T"], "'--hint int:value:abc': 'abc' is not of type int"),
      (["a", "b", "c"], "unexpected argument 'c'; put the title and the body in quotes"),
      ([], "a title is missing"), (["-x", "T"], "'-x' is not an option"), (["-T"], "'-T' is not an option"),
      (["T", "-t"], "'--expire-time' needs a value: --expire-time MILLISECONDS"),
    ] as [([String], String)])
  func `Arguments that notify-send refuses are refused in one line`(words: [String], line: String) async throws {
    let session = try Session(hasCenter: false)
    let theirs = try RunningProgram.run("notify-send", words, environment: session.environment)
    #expect(theirs.status == 1)
    for verb in ["notify", "notify-send"] {
      let ours = try RunningProgram.run(Session.programs + "/suzu", [verb] + words, environment: session.environment)
      // A wrong value is not a wrong command line; notify-send has one status for both.
      let isValue =
        line.hasPrefix("'--urgency") || line.contains("of type") || line.contains(" must be ")
        || line.contains("hint type")
      #expect(ours.status == (verb == "notify-send" ? 1 : isValue ? 65 : 64) && ours.output == "")
      #expect(ours.errors == "suzu: \(verb): \(line)" + (isValue ? "\n" : "; see 'suzu \(verb) --help'\n"))
    }
  }

  @Test func `The command called notify-send acts only as notify-send`() async throws {
    try await Stand.run { stand in
      let link = stand.session.folder.path("notify-send")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: Session.programs + "/suzu")
      for words in [["T", #"<b>a</b>\nb"#], ["-a", "list", "list"], ["notify", "help"]] {
        let theirs = try await stand.show(Stand.theirs, words)
        #expect(try await stand.show([link], words) == theirs)
      }
      let version = try await offPool { try stand.session.run(link, "--version") }
      #expect(version.status == 0 && version.output.hasPrefix("notify-send 0.8"))
      for flag in ["--help", "-?"] {
        let help = try await offPool { try stand.session.run(link, flag) }
        #expect(help.status == 0 && help.output.contains("--replace-id ID"))
      }
    }
  }
}
