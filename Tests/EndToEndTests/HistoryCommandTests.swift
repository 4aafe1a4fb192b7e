// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Tests `suzu history` with the real programs: its filters and its columns.
@Suite(.onOwnThread, .timeLimit(.minutes(5)))
struct HistoryCommandTests {
  @Test func `The history is filtered by id, date and state`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    for (id, app) in [("a", "x.y"), ("b", "x.y"), ("a", "z")] {
      #expect(try session.suzu("notify", "T", "--id", id, "--app", app).status == 0)
      #expect(popups.readLines(until: "from") != nil)
    }
    #expect(try session.suzu("dismiss", "b", "--app", "x.y").status == 0)
    #expect(popups.readLines(until: "#2 closed") != nil)
    #expect(Session.ids(try session.listed("history", "a")) == ["a", "a"])
    #expect(Session.ids(try session.listed("history", "a", "--app", "z")) == ["a"])
    #expect(Session.ids(try session.listed("history", "--state", "closed")) == ["b"])
    #expect(Session.ids(try session.listed("history", "--state", "delivered", "-n", "1")) == ["a"])
    #expect(Session.ids(try session.listed("history", "--since", "1h")) == ["a", "b", "a"])
    #expect(try session.suzu("history", "--state", "folded").output == "")
    for (arguments, problem) in [
      (
        ["--state", "close"],
        "'--state close' must be one of due, delivered, unanswered, closed, expired, skipped, folded, failed, or a word of the "
          + "column WHY such as 'expired on screen'; did you mean 'closed'?"
      ),
      (["--since", "soon"], "'--since soon' must be a time in the past, such as 2h, yesterday or '2026-11-21 07:30'"),
      (["--since", "tomorrow"], "'--since tomorrow' is in the future"),
    ] {
      let wrong = try session.suzu(["history"] + arguments)
      #expect(wrong.status == 65 && wrong.errors.hasPrefix("suzu: history: \(problem)"), "\(wrong.errors)")
    }
  }

  @Test func `The history is deleted for one app or for all, and what is pending stays`() throws {
    let session = try Session()
    for (id, app) in [("a", "dev.suzu.Suzu"), ("b", "org.b"), ("c", "org.c")] {
      #expect(try session.suzu("notify", "T", "--in", "1h", "--id", id, "--app", app).status == 0)
    }
    for (id, app) in [("a", "dev.suzu.Suzu"), ("b", "org.b")] {
      #expect(try session.suzu("cancel", id, "--app", app).status == 0)
    }
    #expect(try session.suzu("history", "--clear", "--before", "1h").output == "0\n")
    let own = try session.suzu("history", "--clear")
    #expect(own.status == 0 && own.output == "1\n" && own.errors == "")
    #expect(Session.ids(try session.listed("history")) == ["b"])
    #expect(try session.suzu("history", "--clear", "--app", "org.b", "-y").output == "1\n")
    #expect(try session.suzu("history", "--clear", "--all").output == "0\n")
    #expect(Session.ids(try session.listed()) == ["c"])
    for (arguments, problem) in [
      (["--yes"], "'--yes' needs '--clear'; see 'suzu history --help'"),
      (["--before", "7d"], "'--before' needs '--clear'; see 'suzu history --help'"),
      (["--clear", "a"], "'--clear' is for whole apps, not for 'a'; see 'suzu history --help'"),
      (["--clear", "--since", "1d"], "'--clear' and '--since' cannot be combined; see 'suzu history --help'"),
      (["--clear", "--all", "--app", "x"], "'--all' and '--app' cannot be combined; see 'suzu history --help'"),
      (["--clear", "--before", "tomorrow"], "'--before tomorrow' is in the future"),
      (["--clear", "--app", ""], "'--app' needs the id of an app; for all apps, use --all"),
    ] {
      let wrong = try session.suzu(["history"] + arguments)
      #expect([64, 65].contains(wrong.status) && wrong.output == "")
      #expect(wrong.errors == "suzu: history: \(problem)\n", "\(wrong.errors)")
    }
  }

  @Test func `A response by command counts, and the history shows it`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    let asking = try session.start("notify", "Q", "--id", "q", "--action", "yes=Yes", "--wait")
    #expect(popups.readLines(until: "from") != nil)
    #expect(Session.ids(try session.listed("list", "--delivered")) == ["q"])
    let wrong = try session.suzu("respond", "q", "no")
    #expect(
      wrong.status == 65 && wrong.errors.hasSuffix("has no action 'no'; it has yes, default\n"), "\(wrong.errors)")
    #expect(try session.suzu("respond", "q", "yess").errors.hasSuffix("; did you mean 'yes'?\n"))
    #expect(try session.suzu("respond", "p", "yes").errors.hasSuffix("; see 'suzu list --delivered'\n"))
    #expect(try session.suzu("respond", "q", "yes", "--reply", "with milk").status == 0)
    #expect(asking.readLine() == "yes" && asking.readLine() == "with milk")
    #expect(try session.suzu("respond", "q", "yes").status == 65)
    #expect(try session.suzu("notify", "N", "--id", "n").status == 0)
    #expect(popups.readLines(until: "from") != nil)
    #expect(try session.suzu("dismiss", "n").status == 0)
    #expect(popups.readLines(until: "#2 closed") != nil)
    let history = try session.listed("history")
    #expect(Session.ids(history) == ["n", "q"])
    #expect(history[1]["action"] as? String == "yes" && history[1]["state"] as? String == "closed")
    let table = try session.suzu("history", "-n", "1").output.split(separator: "\n")
    #expect(table.first?.split(separator: " ") == ["WHEN", "SHOWN", "WHY", "APP", "ID", "TITLE", "OUTCOME"])
    #expect(table.count == 2)
  }
}
