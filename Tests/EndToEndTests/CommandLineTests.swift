// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Tests the errors of `suzu` for wrong arguments, and its help: one line, and a status of sysexits.h.
@Suite(.onOwnThread, .timeLimit(.minutes(5)))
struct CommandLineTests {
  @Test(
    arguments: [
      (["notfiy", "x"], "'notfiy' is not a command; did you mean 'notify'?; see 'suzu --help'"),
      (["remove", "x"], "'remove' is not a command; use 'suzu cancel ID'; see 'suzu --help'"),
      (["delete"], "'delete' is not a command; use 'suzu cancel ID'; see 'suzu --help'"),
      (["allow"], "'allow' is not a command; use 'suzu apps allow APP'; see 'suzu --help'"),
      (["deny", "x"], "'deny' is not a command; use 'suzu apps deny APP'; see 'suzu --help'"),
      (
        ["silence", "x"],
        "'silence' is not a command; use 'suzu apps deny APP sound', or without 'sound' for everything; see 'suzu --help'"
      ),
      (["delivered"], "'delivered' is not a command; use 'suzu list --delivered'; see 'suzu --help'"),
      (["-v"], "'-v' is not an option; use 'suzu --version'; see 'suzu --help'"),
      (
        ["list", "--pending"],
        "list: '--pending' is not an option; 'suzu list' alone lists these; see 'suzu list --help'"
      ),
      (["list", "--history"], "list: '--history' is not an option; use 'suzu history'; see 'suzu list --help'"),
      (["history", "--delete"], "history: '--delete' is not an option; use '--clear'; see 'suzu history --help'"),
      (["notify", "-v"], "notify: '-v' is not an option; use 'suzu --version'; see 'suzu notify --help'"),
      (
        ["notify", "T", "--buton", "x"], "notify: '--buton' is not an option; use '--action'; see 'suzu notify --help'"
      ),
      (
        ["notify", "T", "--weekdays", "x"],
        "notify: '--weekdays' is not an option; use '--every', such as --every 'Mon,Tue 07:30'; see 'suzu notify --help'"
      ),
      (["edit", "x", "--tiem", "8"], "edit: '--tiem' is not an option; use '--at'; see 'suzu edit --help'"),
      (["ls"], "'ls' is not a command; use 'suzu list'; see 'suzu --help'"),
      (
        ["snooze", "x"],
        "'snooze' is not a command; use 'suzu edit ID --in 10m', which takes it from the screen; a request that repeats is snoozed by its own button: "
          + "'suzu respond ID BUTTON'; see 'suzu --help'"
      ),
      (
        ["notify", "T", "--ID", "5"], "notify: '--ID' is not an option; did you mean '--id'?; see 'suzu notify --help'"
      ),
      (["list", "--hlep"], "list: '--hlep' is not an option; did you mean '--help'?; see 'suzu list --help'"),
      (["list", "--usr", "x"], "list: '--usr' is not an option; did you mean '--user'?; see 'suzu list --help'"),
      (
        ["notify", "T", "--daily"], "notify: '--daily' is not an option; use '--every daily'; see 'suzu notify --help'"
      ),
      (
        ["notify", "T", "--repeat", "15m"],
        "notify: '--repeat' takes no value; write --every 15m; see 'suzu notify --help'"
      ),
      (
        ["notify", "T", "--action", "ok="],
        "notify: '--action ok=' needs a title: --action ok=TITLE; see 'suzu notify --help'"
      ),
      (["notify", "T", "--times", "3"], "notify: '--times' is not an option; use '--count'; see 'suzu notify --help'"),
      (["notify", "T", "--tz", "x"], "notify: '--tz' is not an option; use '--zone'; see 'suzu notify --help'"),
      (
        ["notify", "T", "--button", "x"],
        "notify: '--button' is not an option; use '--action'; see 'suzu notify --help'"
      ),
      (
        ["notify", "T", "--body", "x"],
        "notify: '--body' is not an option; BODY is the second argument, without a flag; see 'suzu notify --help'"
      ),
      (
        ["notify", "--title", "x"],
        "notify: '--title' is not an option; TITLE is the first argument, without a flag; see 'suzu notify --help'"
      ),
      (
        ["notify", "T", "--in", "1h", "--repeat", "6"],
        "notify: '--repeat' takes no value; for 6 dates add --count 6; see 'suzu notify --help'"
      ),
      (
        ["edit", "q", "--title", "y"],
        "edit: '--title' is not an option; TITLE is the second argument, without a flag; see 'suzu edit --help'"
      ),
      (["edit", "q", "--id", "r"], "edit: '--id' is not an option; an id cannot be changed; see 'suzu edit --help'"),
      (["edit", "q", "--wait"], "edit: '--wait' is not an option; only 'suzu notify' has it; see 'suzu edit --help'"),
      (
        ["edit", "q", "--file", "x"],
        "edit: '--file' is not an option; only 'suzu notify' and 'suzu category' have it; see 'suzu edit --help'"
      ),
      // It said that only two other commands have the flag.
      (
        ["apps", "deny", "--app", "X"],
        "apps: '--app' is not an option; APP is an argument, without a flag: suzu apps deny APP; see 'suzu apps --help'"
      ),
      (["doctor", "--app", "X"], "doctor: '--app' is not an option; see 'suzu doctor --help'"),
      (
        ["list", "--icon", "X"],
        "list: '--icon' is not an option; only 'suzu notify', 'suzu ask', 'suzu run' and 'suzu edit' have it; see 'suzu list --help'"
      ),
      (
        ["Tea is ready", "--in", "4m"],
        "'Tea is ready' is not a command; use suzu notify 'Tea is ready' --in 4m; see 'suzu --help'"
      ),
      (["list", "--shown"], "list: '--shown' is not an option; use '--delivered'; see 'suzu list --help'"),
      (["backup"], "'backup' is not a command; use 'suzu export --everything FILE'; see 'suzu --help'"),
      (["version"], "'version' is not a command; use 'suzu --version'; see 'suzu --help'"),
      (["export", "--all"], "export: '--all' is not an option; use '--everything'; see 'suzu export --help'"),
      (
        ["category", "set", "tea.json"],
        "category: a file is given by '--file': suzu category set --file tea.json; see 'suzu category --help'"
      ),
      (["frobnicate"], "'frobnicate' is not a command; see 'suzu --help'"),
      (["notify"], "notify: a title is missing; see 'suzu notify --help'"),
      (
        ["notify", "a", "b", "c"],
        "notify: unexpected argument 'c'; put the title and the body in quotes; see 'suzu notify --help'"
      ),
      (
        ["notify", "T", "--actoin", "a=A"],
        "notify: '--actoin' is not an option; did you mean '--action'?; see 'suzu notify --help'"
      ),
      (["notify", "T", "--wait=yes"], "notify: '--wait' takes no value; see 'suzu notify --help'"),
      (["notify", "T", "--url"], "notify: '--url' needs a value: --url [ID=]URL; see 'suzu notify --help'"),
      (["notify", "T", "-x"], "notify: '-x' is not an option; see 'suzu notify --help'"),
      (["notify", "T", "--action", "=x"], "notify: '--action =x' must be [ID=]TITLE; see 'suzu notify --help'"),
      (
        ["notify", "T", "-level", "x"],
        "notify: '-level' is not an option; did you mean '--level'?; see 'suzu notify --help'"
      ),
      (["help", "lst"], "'lst' is not a command; did you mean 'list'?; see 'suzu --help'"),
      (["--hlep"], "'--hlep' is not an option; did you mean '--help'?; see 'suzu --help'"),
      (["notify", "T", "--repeat=yes"], "notify: '--repeat' takes no value; see 'suzu notify --help'"),
      (["list", "x"], "list: unexpected argument 'x'; see 'suzu list --help'"),
      (["history", "x", "y"], "history: unexpected argument 'y'; see 'suzu history --help'"),
      (["list", "-n"], "list: '--limit' needs a value: --limit N; see 'suzu list --help'"),
      (["list", "-m"], "list: '-m' is not an option; see 'suzu list --help'"),
      (
        ["history", "--lmit", "3"],
        "history: '--lmit' is not an option; did you mean '--limit'?; see 'suzu history --help'"
      ),
      (["cancel"], "cancel: an id or '--all' is missing; see 'suzu cancel --help'"),
      (["dismiss"], "dismiss: an id or '--all' is missing; see 'suzu dismiss --help'"),
      (["cancel", "--all", "x"], "cancel: '--all' and 'x' cannot be combined; see 'suzu cancel --help'"),
      (["respond"], "respond: an id is missing; see 'suzu respond --help'"),
      (["respond", "x"], "respond: an action is missing; see 'suzu respond --help'"),
      (["respond", "x", "a", "b"], "respond: unexpected argument 'b'; see 'suzu respond --help'"),
      (["next"], "next: an expression or an id is missing, such as 'Mon 07:30'; see 'suzu next --help'"),
      (["watch", "x"], "watch: unexpected argument 'x'; see 'suzu watch --help'"),
      (["doctor", "x"], "doctor: unexpected argument 'x'; see 'suzu doctor --help'"),
      (["popups", "x"], "popups: unexpected argument 'x'; see 'suzu popups --help'"),
      (["doctor", "--jsno"], "doctor: '--jsno' is not an option; did you mean '--json'?; see 'suzu doctor --help'"),
    ] as [([String], String)])
  func `A wrong command line gives status 64, and a suggestion if one is near`(arguments: [String], line: String) throws
  {
    let ended = try BareCommand.suzu(arguments)
    #expect(ended.status == 64)
    #expect(ended.errors == "suzu: \(line)\n")
    #expect(ended.output == "")
  }

  @Test func `An argument that is not UTF-8 is refused before anything is sent`() throws {
    let session = try Session()
    let ended = try session.run(
      "/bin/sh", "-c", "exec '\(Session.programs)/suzu' notify T \"$(printf 'a\\377')\"")
    #expect(ended.status == 64 && ended.output == "")
    #expect(ended.errors.hasPrefix("suzu: argument 3 is not UTF-8 text: 'a"), "\(ended.errors)")
    #expect(try session.process(of: "dev.suzu.Center") == nil)
  }

  @Test func `Every verb prints help and version on standard output`() throws {
    for arguments in [["--help"], ["-h"], ["help"], ["help", "notify"], ["notify", "--help"], ["watch", "-h"]] {
      let ended = try BareCommand.suzu(arguments)
      #expect(ended.status == 0 && ended.errors == "")
      #expect(ended.output.hasPrefix("suzu"))
    }
    #expect(try BareCommand.suzu(["--version"]).output.wholeMatch(of: /suzu \d+\.\d+\.\d+\n/) != nil)
    #expect(try BareCommand.suzu(["notify", "--help"]).output.contains("--action [ID=]TITLE"))
  }

  @Test func `Everything behind two dashes is a word`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.suzu("notify", "--", "--help", "-x").status == 0)
    #expect(popups.readLines(until: "from")?.prefix(2) == ["#1 --help", "    -x"])
  }

  @Test func `Without a command the first ones are listed`() throws {
    let ended = try BareCommand.suzu([])
    #expect(ended.status == 0 && ended.errors.isEmpty)
    #expect(ended.output.contains("suzu notify 'Tea is ready' --in 4m") && ended.output.contains("suzu --help"))
    #expect(ended.output.split(separator: "\n", omittingEmptySubsequences: false).allSatisfy { $0.count <= 110 })
  }
}
