// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests requests that wait for a condition, with the real programs: from `suzu notify --on`, and from a call on the
/// bus, to the notification.
@Suite(.onOwnThread, .timeLimit(.minutes(3)))
struct ConditionJourneyTests {
  /// Emits a signal on the session's bus.
  private func emit(_ session: Session, _ words: String...) throws {
    let sent = try RunningProgram.run(
      "dbus-send", ["--session", "--type=signal"] + words, environment: session.environment)
    #expect(sent.status == 0, "\(sent.errors)")
  }

  /// Starts a service of python-dbusmock on the session's bus, which is also the bus of the system.
  private func mock(_ session: Session, _ template: String, _ name: String, _ parameters: String) throws
    -> RunningProgram
  {
    let mock = try RunningProgram(
      "/usr/bin/python3", ["-m", "dbusmock", "--session", "--template", template, "--parameters", parameters],
      environment: session.environment)
    #expect(try session.awaitOwner(of: name))
    return mock
  }

  @Test func `A file that is written shows what waits for it, and list and next explain it before`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let path = session.folder.path("print done")
    let made = try session.suzu(
      "notify", "{event.name}", "at {event.path}", "--on", "file '\(path)'", "--id", "print")
    #expect(made.output == "print\n" && made.errors == "")
    #expect(try session.suzu("list").output.contains("when file '\(path)'"))
    let next = try session.suzu("next", "print")
    #expect(next.output == "comes when:  'file '\(path)'' becomes true; once\nnow:         false\n", "\(next)")
    #expect(try session.suzu("next", "print", "--json").output.contains(#""holds":false"#))
    try session.folder.write("", to: "print done")
    #expect(popups.readLines(until: "from")?.prefix(2) == ["#1 print done", "    at \(path)"])
    #expect(try session.suzu("list", "--json").output == "[]\n")
    #expect(try session.suzu("history", "--json").output.contains(#""name":"print done""#))
  }

  @Test func `A signal shows its request each time, and a button gets what happened`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let witness = try session.witness()
    let made = try session.suzu(
      "notify", "Page {event.arg0}", "--on", "signal org.example.Printer.Done at /p", "--repeat", "--cooldown", "1ms",
      "--id", "page", "--action", "show=Show", "--run", "show=/bin/sh -c 'cat >\(session.folder.path("witness"))'")
    #expect(made.status == 0, "\(made.errors)")
    // The subscription is on the bus before the request is listed as watched.
    while try !session.suzu("next", "page").output.contains("watched") {}
    try emit(session, "/p", "org.example.Printer.Done", "string:7")
    #expect(popups.readLines(until: "from")?.first == "#1 Page 7")
    popups.say("1")
    let line = try #require(witness.readLine())
    #expect(line.contains(#""arg0":"7""#) && line.contains(#""edge":"enter""#), "\(line)")
    try emit(session, "/other", "org.example.Printer.Done", "string:8")
    try emit(session, "/p", "org.example.Printer.Done", "string:9")
    #expect(popups.readLines(until: "from")?.first { $0.contains("Page") }?.hasSuffix("Page 9") == true)
  }

  // The postponed request had no condition any more: it was refused because of its placeholders, and its event was
  // lost.
  @Test func `A request that is postponed comes again with what happened`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let witness = try session.witness()
    let file = session.folder.path("witness")
    let made = try session.suzu(
      "notify", "Page {event.arg0}", "--on", "signal org.example.Printer.Done", "--id", "page", "--action",
      "later=Later", "--snooze", "later=1s", "--action", "show=Show", "--run",
      "show=/bin/sh -c 'echo \"$1\" >\(file); cat >\(file)' sh {event.arg0}")
    #expect(made.status == 0, "\(made.errors)")
    try session.wait(for: "watched", in: "next", "page")
    try emit(session, "/p", "org.example.Printer.Done", "string:{id} 7")
    #expect(popups.readLines(until: "from")?.first == "#1 Page {id} 7")
    popups.say("1")
    #expect(popups.readLines(until: "Page")?.last?.hasSuffix("Page {id} 7") == true)
    popups.say("2")
    #expect(witness.readLine() == "{id} 7")
    #expect(try #require(witness.readLine()).contains(#""arg0":"{id} 7""#))
  }

  @Test func `A unit that failed while the center was down is found by its state`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let mock = try mock(session, "systemd", "org.freedesktop.systemd1", "{}")
    func call(_ method: String, _ arguments: String...) throws {
      let path = method.hasPrefix("Add") ? "/org/freedesktop/systemd1" : "/org/freedesktop/systemd1/unit/backup_service"
      let called = try RunningProgram.run(
        "gdbus",
        [
          "call", "--session", "-d", "org.freedesktop.systemd1", "-o", path, "-m",
          "org.freedesktop.DBus.Mock.\(method)",
        ]
          + arguments, environment: session.environment)
      #expect(called.status == 0, "\(called.errors)")
    }
    try call("AddMockUnit", "backup.service")
    let made = try session.suzu(
      "notify", "{event.unit} failed", "--on", "unit backup.service failed", "--id", "backup")
    #expect(made.status == 0, "\(made.errors)")
    while try !session.suzu("next", "backup").output.contains("now:         false") {}
    let center = try #require(try session.process(of: "dev.suzu.Center"))
    kill(center, SIGKILL)
    while try session.process(of: "dev.suzu.Center") == center {}
    try call("UpdateProperties", "org.freedesktop.systemd1.Unit", "{'ActiveState': <'failed'>}")
    // Any call starts the center again.
    _ = try session.suzu("list")
    #expect(popups.readLines(until: "from")?.first == "#1 backup.service failed")
    mock.kill()
  }

  @Test func `A dictionary on the bus is a condition, and a source that is missing is named`() throws {
    let session = try Session(variables: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent"])
    let made = try RunningProgram.run(
      "gdbus",
      [
        "call", "--session", "-d", "dev.suzu.Center", "-o", "/dev/suzu/Center", "-m", "dev.suzu.Center1.Notify",
        "{'id': <'b'>, 'title': <'Charge'>, 'on': <{'battery': <'< 20%'>, 'for': <'5m'>}>, 'repeat': <true>}",
      ], environment: session.environment)
    #expect(made.output == "('b',)\n", "\(made.errors)")
    #expect(try session.suzu("list").output.contains("when battery < 20% for 5m"))
    while try !session.suzu("next", "b").output.contains("the system bus cannot be reached") {}
    #expect(try session.suzu("doctor").output.contains("battery < 20%: the system bus cannot be reached"))
  }

  // They were accepted in silence, and only 'suzu next' said why nothing could come.
  @Test func `A condition whose source is missing is warned of at once, and why says it`() throws {
    let session = try Session(variables: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent"])
    func warning(_ verb: String, _ condition: String) -> String {
      "suzu: \(verb): warning: nothing is known about '\(condition)', because the system bus cannot be reached; the "
        + "notification cannot come until that changes; see 'suzu doctor'\n"
    }
    // The second condition of a source is told as well.
    for (id, condition) in [("a", "battery < 20%"), ("b", "power"), ("c", "awake"), ("d", "wifi Home")] {
      let made = try session.suzu("notify", "T", "--on", condition, "--id", id)
      #expect(made.status == 0 && made.output == "\(id)\n" && made.errors == warning("notify", condition), "\(made)")
      let why = try session.suzu("why", id)
      #expect(
        why.output == "now: waits for '\(condition)': nothing is known, because the system bus cannot be reached\n")
    }
    let json = try session.suzu("notify", "T", "--on", "power", "--id", "e", "--json")
    #expect(json.status == 0 && json.errors == warning("notify", "power") && json.output.hasPrefix("{"), "\(json)")
    let edited = try session.suzu("edit", "e", "--on", "network Work")
    #expect(edited.status == 0 && edited.errors == warning("edit", "network Work"), "\(edited)")
    let known = try session.suzu("notify", "T", "--on", "file \(session.folder.path("new"))", "--id", "f")
    #expect(known.status == 0 && known.errors == "", "\(known)")
  }

  @Test func `What happened is in the events that watch prints`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    let (json, lines) = (try session.startWatch("--json"), try session.startWatch())
    let path = session.folder.path("done")
    let made = try session.suzu(
      "notify", "{event.name}", "--on", "file '\(path)'", "--id", "print", "--action", "ok=OK", "--run", "ok=true")
    #expect(made.output == "print\n" && made.errors == "")
    try session.wait(for: "now:         false", in: "next", "print")
    try session.folder.write("", to: "done")
    let delivered = try #require(json.readLine())
    #expect(delivered.contains(#""event":"delivered""#) && delivered.contains(#""id":"print""#), "\(delivered)")
    #expect(lines.readLine()?.contains(" delivered dev.suzu.Suzu print") == true)
    #expect(popups.readLines(until: "OK") != nil)
    popups.say("1")
    let responded = try #require(json.readLine())
    #expect(responded.contains(#""event":"responded""#) && responded.contains(#""action":"ok""#), "\(responded)")
    for detail in [#""condition":"file \#(path)""#, #""edge":"enter""#, #""name":"done""#, #""path":"\#(path)""#] {
      #expect(responded.replacing("\\/", with: "/").contains(detail), "\(responded)")
    }
    #expect(lines.readLine()?.contains(" responded dev.suzu.Suzu print: ok") == true)
    for event in ["closed", "outcome"] { #expect(json.readLines(until: #""event":"\#(event)""#) != nil) }
  }

  @Test(arguments: [
    (["--on", "battry < 20%"], "'--on' has the unknown condition 'battry' (column 1); did you mean 'battery'?"),
    (["--on", "power", "--in", "5m"], "'--in' and '--on' cannot be combined; give one of them"),
    (["--on", "power", "--count", "3"], "'--count' requires '--repeat' with '--on'"),
    (
      ["--on", "power", "--during", "8-18"],
      "'--during': '8-18' is not a span of time (column 1); for example '08:00..18:00'"
    ),
    (["--now"], "'--now' applies only to '--on'; for example --on 'battery < 20%'"),
    (
      ["--on", "place office"],
      "'--on': no place has the name 'office'; add it with 'suzu place add'"
    ),
  ])
  func `A wrong condition is refused with the right form`(_ flags: [String], _ problem: String) throws {
    let session = try Session()
    let refused = try session.suzu(["notify", "a"] + flags)
    #expect(
      refused.status == 65 && refused.errors == "notify: \(problem)\n" || refused.errors.contains(problem), "\(refused)"
    )
  }
}
