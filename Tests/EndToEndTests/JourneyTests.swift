// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests the way from `suzu notify` to the effect of a click, with the real programs: the bus starts the center, and
/// lines of text press the buttons of `suzu popups`.
@Suite(.onOwnThread, .timeLimit(.minutes(5)))
struct JourneyTests {
  // MARK: notify

  @Test func `Notify prints an id, and the notification is shown`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let sent = try session.suzu("notify", "Hello", "World & <all>", "--level", "critical", "--progress", "40")
    #expect(sent.status == 0 && sent.errors == "")
    #expect(sent.output.count == 11 && sent.output.last == "\n", "\(sent.output)")
    #expect(
      popups.readLines(until: "from")
        == ["#1 Hello", "    World & <all>", "    40%", "    [open] Close", "    from Suzu, CRITICAL"])
    #expect(try session.suzu("notify", "Again", "--id", "mine").output == "mine\n")
  }

  @Test(arguments: [("1", "yes\n", Int32(0)), ("2", "no\n", 0), ("open", "default\n", 0), ("dismiss", "", 1)])
  func `Notify with --wait prints the chosen action`(line: String, output: String, status: Int32) throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let asking = try session.start("notify", "Deploy?", "--action", "yes=Deploy", "--action", "no=Not = now", "--wait")
    #expect(popups.readLines(until: "from")?[1] == "    [1] Deploy  [2] Not = now  [open] Close")
    popups.say(line)
    #expect(asking.waitForExit() == status)
    #expect((asking.readLine().map { $0 + "\n" } ?? "") == output)
    #expect(asking.errors == "")
  }

  // The answer of another app with the same id was once taken for that of the caller's app.
  @Test func `Notify with --wait ignores another app's notification with the same id`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let asking = try session.start("notify", "Mine", "--id", "same", "--action", "a=A", "--wait")
    #expect(popups.readLines(until: "from") != nil)
    #expect(try session.suzu("notify", "Other", "--app", "other", "--id", "same", "--action", "b=B").status == 0)
    #expect(popups.readLines(until: "from") != nil)
    popups.say("2: 1")
    #expect(popups.readLines(until: "#2 closed") != nil)
    popups.say("1: 1")
    #expect(asking.readLine() == "a")
    #expect(asking.waitForExit() == 0)
  }

  @Test func `Notify with --wait ends with 1 when the notification expires`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let asked = try session.suzu("notify", "Gone soon", "--expires", "100ms", "--wait")
    #expect(asked.status == 1 && asked.output == "" && asked.errors == "")
    #expect(popups.readLines(until: "#1 closed: expired") != nil)
  }

  @Test func `Notify with --wait ends with an error when the center ends`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let asking = try session.start("notify", "Hello", "--wait")
    #expect(popups.readLines(until: "from") != nil)
    kill(try #require(try session.process(of: "dev.suzu.Center")), SIGTERM)
    #expect(asking.waitForExit() == 69)
    #expect(asking.errors == "suzu: notify: the center ended before there was an answer\n")
  }

  @Test func `A delayed request comes on time`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let start = ContinuousClock.now
    #expect(try session.suzu("notify", "Tea", "--in", "1s").status == 0)
    #expect(popups.readLine() == "#1 Tea")
    let waited = ContinuousClock.now - start
    #expect(waited >= .seconds(1) && waited < .seconds(5), "\(waited)")
  }

  // From the 21st on, they were once folded into a digest.
  @Test func `A request with the same id replaces the shown one, any number of times`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    for percent in stride(from: 0, through: 100, by: 4) {
      #expect(try session.suzu("notify", "Upload", "--id", "u", "--progress", "\(percent)").status == 0)
      #expect(popups.readLines(until: "from") == ["#1 Upload", "    \(percent)%", "    [open] Close", "    from Suzu"])
    }
  }

  // MARK: What a click does

  @Test func `A click on the notification itself opens its URL, through the real xdg-open`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let witness = try session.witness()
    let watch = try session.startWatch("--json")
    let url = "https://example.org/a?b=c&d=$(id)%20e;f"
    #expect(try session.suzu("notify", "Minutes", "--url", url).status == 0)
    #expect(popups.readLines(until: "from")?[1] == "    [open] Open")
    popups.say("open")
    #expect(witness.readLine() == "opened \(url)")
    #expect(watch.readLines(until: #""outcome":"done""#) != nil)
  }

  @Test func `A URL with a forbidden scheme is refused, and watch prints the reason`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let watch = try session.startWatch()
    #expect(try session.suzu("notify", "Trap", "--url", "gopher://example.org/").status == 0)
    #expect(popups.readLines(until: "from") != nil)
    popups.say("open")
    #expect(watch.readLines(until: "outcome of")?.last?.hasSuffix("refused: scheme 'gopher'") == true)
  }

  @Test func `A request from standard input runs a program, with its user info`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let witness = try session.witness()
    let script = try session.folder.write(
      "#!/bin/sh\nread -r input\nprintf '%s|%s|%s|%s\\n' \"$SUZU_ID\" \"$SUZU_ACTION\" \"$1\" \"$input\" >'\(session.folder.path("witness"))'\n",
      to: "script", executable: true)
    let request = """
      {"title": "Standup", "body": "Room 2\\nnow", "id": "s1", "app": "org.example.Calendar", "style": "alert",
       "userInfo": {"room": 2},
       "actions": [{"id": "join", "title": "Join", "run": ["\(script)", "I am; coming"]}]}
      """
    #expect(try session.suzu("notify", "--file", "-", input: request).output == "s1\n")
    #expect(
      popups.readLines(until: "from")
        == ["#1 Standup", "    Room 2", "    now", "    [1] Join  [open] Join", "    from org.example.Calendar"])
    popups.say("1")
    #expect(popups.readLines(until: "#1 closed") != nil)
    let parts = try #require(witness.readLine()).split(separator: "|", maxSplits: 3)
    #expect(parts.prefix(3) == ["s1", "join", "I am; coming"])
    let json = Data(try #require(parts.last).utf8)
    let input = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    #expect(input["userInfo"] as? [String: Int] == ["room": 2])
    #expect(input["action"] as? String == "join")
  }

  @Test func `Flags override the keys of the file`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let file = try session.folder.write(#"{"title": "From the file", "body": "b", "id": "x"}"#, to: "request.json")
    #expect(try session.suzu("notify", "From the flag", "--file", file).output == "x\n")
    #expect(popups.readLines(until: "from")?.prefix(2) == ["#1 From the flag", "    b"])
  }

  // MARK: watch

  @Test func `Watch prints each event as JSON with the keys of the vocabulary`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let watch = try session.startWatch("--json")
    #expect(try session.suzu("notify", "T", "--id", "i", "--app", "a.b", "--action", "go=Go").status == 0)
    #expect(popups.readLines(until: "from") != nil)
    popups.say("1")
    var events: [[String: Any]] = []
    while events.last?["event"] as? String != "outcome" {
      let line = try #require(watch.readLine())
      events.append(try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]))
    }
    let kinds = events.compactMap { $0["event"] as? String }
    #expect(kinds == ["delivered", "responded", "closed", "outcome"])
    let responded = try #require(events.first { $0["event"] as? String == "responded" })
    #expect(responded["app"] as? String == "a.b" && responded["id"] as? String == "i")
    #expect(responded["action"] as? String == "go")
    let response = try #require(responded["response"] as? Int)
    #expect(events.last?["response"] as? Int == response && events.last?["outcome"] as? String == "waiting: app")
    #expect(events[kinds.count - 2]["reason"] as? String == "withdrawn")
    for event in events {
      #expect((event["at"] as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00/) != nil)
    }
  }

  @Test func `Watch and notify end quietly when their reader is gone`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let piped = try RunningProgram(
      "/bin/bash", ["-c", "'\(Session.programs)/suzu' watch | read -r line; echo \"ended ${PIPESTATUS[0]}\""],
      environment: session.environment)
    // The first printed line ends its reader; the next one, which cannot be printed, ends the command.
    var said: String?
    let end = ContinuousClock.now + .seconds(60)
    while said == nil, ContinuousClock.now < end {
      #expect(try session.suzu("notify", "x", "--expires", "1ms").status == 0)
      said = piped.readLine(within: 0.2)
    }
    #expect(said == "ended 141", "watch did not end after its reader")
    #expect(piped.errors == "")
    let unread = try session.run(
      "/bin/bash", "-c",
      "set -o pipefail; '\(Session.programs)/suzu' notify x | true && '\(Session.programs)/suzu' --help | true")
    // By SIGPIPE, as for every other program, unless the reader ends later.
    #expect([0, 141].contains(unread.status) && unread.errors == "")
    #expect(popups.isRunning)
  }

  // MARK: Starting and ending

  @Test func `The bus starts a notification server for a due request`() throws {
    let folder = try TemporaryFolder()
    let script = try folder.write(
      "#!/bin/sh\nexec '\(Session.programs)/suzu' popups <>'\(folder.path("keys"))' >'\(folder.path("witness"))'\n",
      to: "server",
      executable: true)
    mkfifo(folder.path("keys"), 0o600)
    let session = try Session(services: ["org.freedesktop.Notifications": script], in: folder)
    let shown = try session.witness()
    #expect(try session.suzu("notify", "Wake up").status == 0)
    #expect(shown.readLine() == "#1 Wake up")
  }

  @Test func `The center ends with 0 on SIGTERM`() throws {
    let session = try Session(hasCenter: false)
    let center = try session.startCenter()
    #expect(try session.awaitOwner(of: "dev.suzu.Center"))
    center.signal(SIGTERM)
    #expect(center.waitForExit() == 0)
  }

  @Test func `A second center reports the first one and ends with 69`() throws {
    let session = try Session()
    #expect(try session.suzu("notify", "x").status == 0)
    let second = try session.run(Session.programs + "/suzud")
    #expect(second.status == 69)
    #expect(second.errors == "suzud: error: another center runs on this bus already\n")
    #expect(try session.run(Session.programs + "/suzud", "--nonsense").status == 64)
    #expect(try session.run(Session.programs + "/suzud", "--version").output.hasPrefix("suzud "))
  }

  @Test func `Popups give way to a running server`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    #expect(try session.suzu("notify", "x").status == 0)
    #expect(popups.readLine() == "#1 x")
    let second = try session.suzu("popups")
    #expect(second.status == 69)
    #expect(
      second.errors.hasPrefix("suzu: popups: another notification server is running (process \(popups.processID));"),
      "\(second.errors)")
  }

  @Test func `The center without a bus reports it and ends with 69`() throws {
    let ended = try RunningProgram.run(
      Session.programs + "/suzud", environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"])
    #expect(ended.status == 69)
    #expect(ended.errors.hasPrefix("suzud: error: no bus at 'unix:path=/nowhere/bus'"), "\(ended.errors)")
  }

  @Test func `The center outlives its bus, and pending and unanswered requests come back`() throws {
    let folder = try TemporaryFolder()
    var session: Session? = try Session(hasCenter: false, in: folder)
    let center = try #require(session).startCenter()
    var popups = try #require(session).start("popups")
    _ = try #require(session).awaitOwner(of: "dev.suzu.Center")
    let request = """
      {"title": "Answer me", "style": "alert", "actions": [{"id": "yes", "title": "Yes", "url": "https://example.org/"}]}
      """
    #expect(try #require(session).suzu("notify", "--file", "-", input: request).status == 0)
    #expect(popups.readLines(until: "from") != nil)
    #expect(try #require(session).suzu("notify", "Much later", "--in", "1h").status == 0)
    session?.bus.kill()
    #expect(center.readErrors(until: "the session bus is gone") != nil)
    #expect(popups.waitForExit() == 69)
    #expect(popups.errors.contains("lost the connection to the session bus"))

    session = try Session(hasCenter: false, in: folder)
    let again = try #require(session)
    #expect(center.readErrors(until: "the session bus is back") != nil)
    popups = try again.start("popups")
    #expect(
      popups.readLines(until: "from") == ["#1 Answer me", "    [1] Yes  [open] Yes", "    from Suzu"])
    let pending = try again.run(
      "busctl", "--user", "get-property", "dev.suzu.Center", "/dev/suzu/Center", "dev.suzu.Center1", "PendingCount")
    #expect(pending.output == "u 1\n")
    let witness = try again.witness()
    popups.say("1")
    #expect(witness.readLine() == "opened https://example.org/")
    center.signal(SIGTERM)
    #expect(center.waitForExit() == 0)
  }
}
