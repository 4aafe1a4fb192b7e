// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Tests that `suzu notify` says at once what keeps a request from being seen, or a button from working.
@Suite(.onOwnThread, .timeLimit(.minutes(2)))
struct ObstacleTests {
  private static func errors(_ session: Session, _ arguments: String...) throws -> String {
    try errors(session, arguments)
  }

  private static func errors(_ session: Session, _ arguments: [String]) throws -> String {
    let ended = try session.suzu(["notify", "T"] + arguments)
    #expect(ended.status == 0, "\(ended.errors)")
    return ended.errors
  }

  @Test func `Without a notification server a request that is due says that it waits`() throws {
    let session = try Session()
    let line = "suzu: notify: warning: no notification server runs, so the request waits for one; see 'suzu doctor'\n"
    #expect(try Self.errors(session) == line)
    #expect(try Self.errors(session, "--json") == line)
    #expect(try Self.errors(session, "--in", "2h") == "")
    let popups = try session.start("popups")
    defer { popups.kill() }
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    #expect(try Self.errors(session) == "")
  }

  // Such a server was reported as one that the bus starts when it is needed.
  @Test func `A notification server that does not start is named, here and by doctor`() throws {
    let session = try Session(hasCenter: false, services: ["org.freedesktop.Notifications": "/bin/false"])
    let center = try session.startCenter()
    defer { center.kill() }
    #expect(try session.awaitOwner(of: "dev.suzu.Center"))
    let warning =
      "suzu: notify: warning: the notification server does not start, so the request waits for one: "
    // The bus may have found that out already when the command asks, or not.
    let first = try Self.errors(session)
    #expect(first.isEmpty || first.hasPrefix(warning), "\(first)")
    #expect(center.readErrors(until: "notifications wait for one") != nil, "\(center.errors)")
    let again = try Self.errors(session)
    #expect(again.hasPrefix(warning), "\(again)")
    let doctor = try session.suzu("doctor")
    #expect(doctor.status == 69)
    #expect(doctor.output.contains("MISSING  notification server: it does not start: "), "\(doctor.output)")
  }

  @Test func `A request of an app that is not allowed says so, and the history does not show it as seen`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    defer { popups.kill() }
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    #expect(try session.suzu("apps", "deny", "org.example.App").status == 0)
    #expect(
      try Self.errors(session, "--app", "org.example.App")
        == "suzu: notify: warning: 'org.example.App' may not show notifications; to allow it, run 'suzu apps allow "
        + "org.example.App'\n")
    let lines = try session.suzu("history").output.split(separator: "\n")
    #expect(lines.first?.split(separator: " ").prefix(3) == ["WHEN", "SHOWN", "WHY"])
    #expect(lines.last?.contains("  no     not allowed  ") == true, "\(lines)")
    #expect(try session.suzu("apps", "allow", "org.example.App").status == 0)
    #expect(try Self.errors(session, "--app", "org.example.App") == "")
  }

  // 'apps deny' of the command's own app silenced everything, and only the history showed it.
  @Test func `Denying the command's own app is said by apps, doctor, why and notify-send`() throws {
    let session = try Session()
    #expect(try session.suzu("notify", "T", "--id", "t", "--in", "1h").status == 0)
    #expect(try session.suzu("doctor").output.contains("denied apps") == false)
    let deny = try session.suzu("apps", "deny", "dev.suzu.Suzu")
    #expect(deny.status == 0)
    #expect(
      deny.errors
        == "suzu: apps: warning: this is the app of every request without --app, so nothing that 'suzu notify' sends is "
        + "shown now; to take it back, run 'suzu apps reset dev.suzu.Suzu'\n")
    #expect(
      try session.suzu("doctor").output.contains(
        "partly   denied apps: notifications of 'dev.suzu.Suzu' are not shown, and so nothing that 'suzu notify' sends; "
          + "to change that, run 'suzu apps allow APP'\n"))
    #expect(try session.suzu("why", "t").output.contains(": will not be shown: you do not allow its app to notify you"))
    let sent = try session.suzu("notify-send", "Hi")
    #expect(sent.status == 0 && sent.output == "")
    #expect(
      sent.errors.hasSuffix(
        "'dev.suzu.Suzu' may not show notifications; to allow it, run 'suzu apps allow dev.suzu.Suzu'\n"))
    #expect(try session.suzu("apps", "deny", "dev.suzu.Suzu", "sound").errors == "")
  }

  @Test func `A button that cannot work is named, with the remedy`() throws {
    let session = try Session()
    let later = ["--in", "2h"]
    let gap = try session.suzu(["notify", "T", "--action", "go=Go", "--run", "go=echo {userInfo.track}"] + later)
    #expect(
      gap.errors
        == "suzu: notify: warning: the action 'go' will fail, because it needs {userInfo.track}; add --user-info "
        + "track=VALUE\n")
    let filled = try session.suzu(
      ["notify", "T", "--action", "go=Go", "--run", "go=echo {userInfo.track}", "--user-info", "track=7"] + later)
    #expect(filled.errors == "")
    let refused = try session.suzu(["notify", "T", "--url", "strange:thing"] + later)
    #expect(refused.errors.hasPrefix("suzu: notify: warning: a click may not open 'strange:'; to allow it, add it to "))
    #expect(refused.errors.hasSuffix("/suzu/schemes\n") && refused.status == 0)
    // Adding it to the file would not help.
    let never = try session.suzu(["notify", "T", "--url", "javascript:alert(1)"] + later)
    #expect(
      never.errors == "suzu: notify: '--url' has the scheme 'javascript', which a click never opens\n"
        && never.status == 65)
    let button = try session.suzu(
      ["notify", "T", "--action", "a=A", "--url", "a=data:text/html,x"] + later)
    #expect(
      button.errors == "suzu: notify: '--url a=…' has the scheme 'data', which a click never opens\n"
        && button.status == 65)
    #expect(try session.suzu(["notify", "T", "--url", "https://example.org/"] + later).errors == "")
  }

  @Test func `An app or a program that is not installed is named`() throws {
    let session = try Session()
    let actions = ["--action", "a=A", "--action", "b=B", "--action", "c=C", "--action", "d=D"]
    let sent = try session.suzu(
      ["notify", "T", "--in", "2h"] + actions + [
        "--run", "a=/no/such/program x", "--run", "b=no-such-program", "--launch", "c=org.example.Fake:window", "--run",
        "d=true {id}",
      ])
    #expect(sent.status == 0)
    #expect(
      sent.errors == """
        suzu: notify: warning: the action 'a' will fail, because there is no program '/no/such/program'
        suzu: notify: warning: the action 'b' will fail, because no program 'no-such-program' is in PATH
        suzu: notify: warning: the action 'c' will fail, because no app 'org.example.Fake' is installed; 'suzu launcher list' shows the ids

        """)
    try session.folder.write(
      "[Desktop Entry]\nType=Application\nName=Fake\nExec=true\nActions=window;\n\n"
        + "[Desktop Action window]\nName=Window\nExec=true\n",
      to: "home/.local/share/applications/org.example.Real.desktop")
    let action = try session.suzu("notify", "T", "--in", "2h", "--launch", "org.example.Real:nope")
    #expect(
      action.errors
        == "suzu: notify: warning: a click on the notification will fail, because the app 'org.example.Real' has no action "
        + "'nope'; it has 'window'\n")
    #expect(try session.suzu("notify", "T", "--in", "2h", "--launch", "org.example.Real:window").errors == "")
    let click = try session.suzu("notify", "T", "--in", "2h", "--launch", "Fake").errors
    #expect(
      click.contains("a click on the notification will fail, because no app 'Fake' is installed; did you mean "),
      "\(click)")
    #expect(click.hasSuffix("'org.example.Real'?\n"), "\(click)")
    let misspelt = try session.suzu("notify", "T", "--in", "2h", "--launch", "org.example.Rael").errors
    #expect(misspelt.hasSuffix("; did you mean 'org.example.Real'?\n"), "\(misspelt)")
  }

  @Test func `A request of an app that is not allowed says so while it waits, and is shown under its app`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    defer { popups.kill() }
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    #expect(try session.suzu("apps", "deny", "org.example.App").status == 0)
    let waited = try session.suzu("notify", "T", "--id", "h", "--app", "org.example.App", "--wait")
    #expect(waited.status == 77 && waited.output == "")
    #expect(
      waited.errors
        == "suzu: notify: 'org.example.App' may not show notifications; to allow it, run 'suzu apps allow "
        + "org.example.App'\n")
    let shown = try session.suzu("show", "h").output
    #expect(shown.contains("reason:  not allowed"), "\(shown)")
    let edited = try session.suzu("edit", "h", "--app", "org.example.App", "--in", "1h")
    #expect(edited.errors == "suzu: edit: 'h' has ended; schedule it again with 'suzu notify'\n" && edited.status == 65)
  }

  // It was accepted in silence, and its click waited for a day for a program that cannot come.
  @Test func `A request whose buttons do nothing says so, and a click on one is unhandled`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    #expect(
      try Self.errors(session, "--action", "ok=OK", "--id", "idle")
        == "suzu: notify: warning: the button 'ok' only closes the notification; to do more, add --run ok=COMMAND, --url, "
        + "--launch, --http or --snooze, or print the answer with --wait\n")
    #expect(popups.readLines(until: "from") != nil)
    #expect(try session.suzu("respond", "idle", "ok").status == 0)
    #expect(popups.readLines(until: "closed") != nil)
    #expect(try session.suzu("show", "idle").output.contains("outcome:  unhandled\n"))
    // It named the button '0'.
    #expect(
      try Self.errors(session, "--in", "1h", "--action", "Not now")
        == "suzu: notify: warning: the button 'Not now' has no id and only closes the notification; to do more, write --action "
        + "not='Not now' --run not=COMMAND, or print the answer with --wait\n")
    // The shell would take what follows the blank for another word.
    #expect(
      try Self.errors(session, "--in", "1h", "--action", "a b=X").contains(
        "; to do more, add --run 'a b=COMMAND', --url"))
    let two = try Self.errors(session, "--in", "1h", "--action", "a=A", "--action", "b=B")
    #expect(
      two.hasPrefix("suzu: notify: warning: no button does more than close the notification; to do more, add --run a="))
    #expect(try session.suzu("category", "set", "plain", "--action", "ok=OK").status == 0)
    #expect(
      try Self.errors(session, "--in", "1h", "--category", "plain")
        == "suzu: notify: warning: the button 'ok' only closes the notification; give the actions of the category 'plain' a 'run', "
        + "'url', 'launch', 'http' or 'snooze', or print the answer with --wait\n")
    let file = try session.folder.write(
      #"{"title": "T", "in": "1h", "actions": [{"id": "ok", "title": "OK"}]}"#, to: "idle.json")
    let read = try session.suzu("notify", "--file", file)
    let advice = "; give its action a 'run', 'url', 'launch', 'http' or 'snooze', or print"
    #expect(read.errors.contains(advice), "\(read.errors)")
    // One of them does something, the app is told, or the answer is asked for.
    for fine in [
      ["--action", "a=A", "--run", "a=true", "--action", "no=No"], ["--action", "a=A", "--app", "org.example.App"],
      ["--action", "a=A", "--reply", "a=Text"],
    ] {
      #expect(try session.suzu(["notify", "T", "--in", "1h"] + fine).errors == "")
    }
  }

  // It was accepted in silence, and pressing the button did nothing.
  @Test func `A command without the id of the only button is for a click, and the warning says so`() throws {
    let session = try Session()
    let later = ["notify", "T", "--in", "1h"]
    let start = "suzu: notify: warning: the button 'Play' only closes the notification: "
    #expect(
      try session.suzu(later + ["--action", "Play", "--run", "true"]).errors
        == start + "'--run' without an id is for a click on the notification itself; did you mean --action play=Play "
        + "--run play=…?\n")
    #expect(
      try session.suzu(later + ["--action", "p=Play", "--url", "https://a.example"]).errors.hasPrefix(
        start + "'--url' without an id is for a click on the notification itself; did you mean --url p=…?\n"))
    for fine in [
      ["--action", "p=Play", "--run", "true", "--run", "p=true"],
      ["--action", "p=Play", "--action", "no=No", "--run", "true"],
    ] {
      #expect(try session.suzu(later + fine).errors == "")
    }
  }

  @Test func `The actions of a category are checked, too`() throws {
    let session = try Session()
    #expect(
      try session.suzu("category", "set", "mail", "--action", "open=Open", "--run", "open=echo {userInfo.number}")
        .status
        == 0)
    #expect(
      try Self.errors(session, "--category", "mail", "--in", "2h")
        == "suzu: notify: warning: the action 'open' will fail, because it needs {userInfo.number}; add --user-info "
        + "number=VALUE\n")
  }

  @Test func `A URL that a click will not open is named when it is sent`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "[Desktop Entry]\nType=Application\nName=Vi\nExec=vi\nTerminal=true\n", to: "share/applications/vi.desktop")
    let session = try Session(
      variables: [
        "XDG_DATA_HOME": folder.path("share"), "XDG_DATA_DIRS": folder.path("none"), "BROWSER": "/nonexistent",
      ],
      in: folder)
    for (flags, problem) in [
      (
        ["--url", "https://example.org"],
        "a click on the notification will fail, because no browser is installed; see 'suzu doctor'"
      ),
      (
        ["--url", "https:/example.org"],
        "a click on the notification will fail, because the URL is refused: no host; did you mean 'https://example.org'?"
      ),
      (
        ["--url", "file:///bin/sh"],
        "a click on the notification will fail, because the URL is refused: an executable file"
      ),
      (
        ["--url", "htps://example.org"],
        "a click on the notification will fail: no program is known for 'htps:'; did you mean 'https:'?"
      ),
      (["--launch", "vi"], "a click on the notification will fail, because the app 'vi' needs a terminal"),
    ] {
      #expect(try Self.errors(session, ["--in", "2h"] + flags) == "suzu: notify: warning: \(problem)\n")
    }
    for (url, better) in [("/etc/passwd", "file:///etc/passwd"), ("https://a b", "https://a%20b")] {
      let refused = try session.suzu("notify", "T", "--url", url)
      #expect(refused.status == 65 && refused.errors.hasSuffix("; did you mean '\(better)'?\n"), "\(refused.errors)")
    }
  }

  @Test func `An unknown app is named when it is denied, and the decision can be taken back`() throws {
    let session = try Session()
    let denied = try session.suzu("apps", "deny", "org.exampel.Typo")
    #expect(
      denied.status == 0
        && denied.errors
          == "suzu: apps: warning: stored, but no app 'org.exampel.Typo' is installed or has sent anything; see 'suzu launcher "
          + "list', or take it back with 'suzu apps reset org.exampel.Typo'\n",
      "\(denied.errors)")
    #expect(try session.suzu("apps").output.contains("org.exampel.Typo"))
    #expect(try session.suzu("apps", "reset", "org.exampel.Typo").status == 0)
    #expect(try !session.suzu("apps").output.contains("org.exampel.Typo"))
  }
}
