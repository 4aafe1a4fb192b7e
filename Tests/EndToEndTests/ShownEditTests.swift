// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Tests what happens to a notification on the screen.
@Suite(.onOwnThread, .timeLimit(.minutes(2)))
struct ShownEditTests {
  // 'suzu snooze' recommends it, and the alert stayed.
  @Test func `edit with a date takes a notification from the screen until then, as a snooze does`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.suzu("notify", "Stand up", "--id", "on", "--style", "alert").status == 0)
    #expect(popups.readLines(until: "from") != nil)
    // Without a date it is shown in its place.
    #expect(try session.suzu("edit", "on", "Sit down").status == 0)
    #expect(popups.readLines(until: "Sit down") != nil)
    #expect(try session.suzu("edit", "on", "--in", "2h").status == 0)
    #expect(popups.readLines(until: "closed") != nil)
    #expect(try session.listed("list", "--delivered").isEmpty)
    #expect(Session.ids(try session.listed("list")) == ["on"])
  }

  @Test func `respond lists the actions, and says when the action fails at once`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(
      try session.suzu(
        "notify", "Question2", "--id", "q", "--action", "yes=Yes", "--action", "bad=Bad", "--run", "bad=/nonexistent/x"
      ).status == 0)
    #expect(popups.readLines(until: "from") != nil)
    let wrong = try session.suzu("respond", "Question2", "nope")
    #expect(
      wrong.status == 65 && wrong.errors.hasSuffix("has no action 'nope'; it has yes, bad, default\n"), "\(wrong)")
    #expect(
      try session.suzu("respond", "q").errors
        == "suzu: respond: an action is missing; it has yes, bad, default; see 'suzu respond --help'\n")
    let failed = try session.suzu("respond", "q", "bad")
    #expect(failed.status == 69 && failed.errors.hasPrefix("suzu: respond: the action failed: "), "\(failed)")
    #expect(try session.suzu("notify", "R", "--id", "r", "--action", "yes=Yes", "--run", "yes=true").status == 0)
    #expect(popups.readLines(until: "from") != nil)
    #expect(try session.suzu("respond", "r", "yes") == (0, "", ""))
  }

  // It had the date for which it was due, in the future, and so seemed to be sorted wrongly.
  @Test func `The history has the time of a cancellation, not the date that was cancelled`() throws {
    let session = try Session()
    #expect(try session.suzu("notify", "T", "--id", "later", "--at", "2035-06-14 7:30").status == 0)
    #expect(try session.suzu("cancel", "later").status == 0)
    let table = try session.suzu("history").output
    #expect(table.hasPrefix("WHEN ") && !table.contains("2035"), "\(table)")
    #expect(try session.listed("history").first?["due"] as? String == "2035-06-14T07:30:00+00:00")
    // It was cancelled in the last hour, so it happened then.
    #expect(Session.ids(try session.listed("history", "--since", "1h")) == ["later"])
  }
}
