// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests what `suzu cancel`, `dismiss` and `show` say of several requests, with the real programs.
@Suite(.onOwnThread, .timeLimit(.minutes(3)))
struct RemovalTests {
  // The first id was cancelled without a word, and only the second one was named.
  @Test func `What was removed is counted if another id is unknown`() throws {
    let session = try Session()
    for id in ["a", "b", "c"] { #expect(try session.suzu("notify", "T" + id, "--id", id, "--in", "1h").status == 0) }
    let partly = try session.suzu("cancel", "a", "zzz", "Tb")
    #expect(partly.status == 65 && partly.output == "")
    #expect(
      partly.errors
        == "cancelled 'b'\nsuzu: cancel: cancelled 2 of 3: no pending request is called 'zzz' (app dev.suzu.Suzu); see "
        + "'suzu list'\n")
    let none = try session.suzu("cancel", "zzz", "yyy")
    #expect(none.errors.hasPrefix("suzu: cancel: no pending request is called 'zzz' or 'yyy'"), "\(none.errors)")
    let popups = try session.start("popups")
    #expect(try session.suzu("notify", "Now", "--id", "now").status == 0)
    #expect(popups.readLines(until: "from") != nil)
    let dismissed = try session.suzu("dismiss", "now", "c")
    #expect(dismissed.status == 65)
    #expect(
      dismissed.errors
        == "suzu: dismiss: dismissed 1 of 2: 'c' is scheduled, and not on the screen; use 'suzu cancel c'\n")
  }

  @Test func `The lines of a body are shown as lines, and the beginning of an id finds it`() throws {
    let session = try Session()
    let sent = try session.suzu("notify", "Team", "One\nTwo", "--id", "team-1@example.org", "--at", "2035-06-14 8:00")
    #expect(sent.status == 0, "\(sent.errors)")
    let shown = try session.suzu("show", "team-1@example.org").output
    #expect(shown.contains("\nbody:   One\n        Two\n"), "\(shown)")
    let missing = try session.suzu("show", "team")
    #expect(missing.status == 65)
    #expect(
      missing.errors
        == "suzu: show: no request is called 'team' (app dev.suzu.Suzu); these ids begin with it: 'team-1@example.org'\n"
    )
  }
}
