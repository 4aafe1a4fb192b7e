// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Tests `suzu cancel` and `suzu dismiss` with the real programs.
@Suite(.onOwnThread, .timeLimit(.minutes(5)))
struct CancelCommandTests {
  @Test func `A cancelled request is gone, and an unknown one gives status 65`() throws {
    let session = try Session()
    for id in ["a", "b", "c", "d"] {
      #expect(try session.suzu("notify", "x", "--in", "1h", "--id", id).status == 0)
    }
    #expect(try session.suzu("notify", "x", "--in", "1h", "--id", "a", "--app", "other").status == 0)
    let gone = try session.suzu("cancel", "a", "b")
    #expect(gone.status == 0 && gone.output == "" && gone.errors == "")
    let partly = try session.suzu("cancel", "a", "c", "nothing")
    #expect(partly.status == 65)
    #expect(
      partly.errors
        == "suzu: cancel: cancelled 1 of 3: no pending request is called 'a' or 'nothing' (app dev.suzu.Suzu); the app 'other' has 'a': use 'suzu cancel a --app other'\n"
    )
    #expect(try session.suzu("cancel", "nothing").errors.hasSuffix("(app dev.suzu.Suzu); see 'suzu list'\n"))
    let near = try session.suzu("notify", "x", "--in", "1h", "--id", "rent").output
    #expect(near == "rent\n")
    #expect(try session.suzu("cancel", "rnet").errors.hasSuffix("; did you mean 'rent'?\n"))
    #expect(try session.suzu("cancel", "rent").status == 0)
    // It named the ids that begin like this one.
    #expect(try session.suzu("notify", "x", "--in", "1h", "--id", "rental").status == 0)
    let again = try session.suzu("cancel", "rent")
    #expect(again.status == 65 && again.errors == "suzu: cancel: 'rent' has ended already: cancelled\n")
    #expect(try session.suzu("cancel", "rental").status == 0)
    #expect(Session.ids(try session.listed()).sorted() == ["a", "d"])
    #expect(try session.suzu("cancel", "--all").output == "1\n")
    #expect(try session.suzu("cancel", "--all").output == "0\n")
    #expect(try session.suzu("cancel", "a", "--app", "other").status == 0)
    let unseen = try session.suzu("dismiss", "a")
    #expect(unseen.status == 65)
    #expect(
      unseen.errors
        == "suzu: dismiss: no notification on the screen is called 'a' (app dev.suzu.Suzu); see 'suzu list --delivered'\n"
    )
  }

  // 'suzu why' told of the cancellation under the date of the request, which was still to come.
  @Test func `why dates a cancelled request by its cancellation, and names the date that it had`() throws {
    let session = try Session()
    #expect(try session.suzu("notify", "T", "--at", "2099-01-01 08:00", "--id", "a").status == 0)
    #expect(try session.suzu("edit", "a", "--at", "2098-01-01 08:00").status == 0)
    #expect(try session.suzu("cancel", "a").status == 0)
    let lines = try session.suzu("why", "a").output.split(separator: "\n").map(String.init)
    #expect(lines.count == 2)
    let (cancelled, edited) = (lines.first ?? "", lines.last ?? "")
    #expect(
      !cancelled.hasPrefix("Wed 2098")
        && cancelled.hasSuffix(": cancelled before it was shown; it was due on Wed 2098-01-01 08:00"), "\(cancelled)")
    #expect(
      edited.hasSuffix(
        ": edited before it was shown, or replaced by another request with this id; it was due on Thu 2099-01-01 08:00"
      ), "\(edited)")
  }

  @Test func `A request is cancelled by its title if only one has it`() throws {
    let session = try Session()
    for (id, title) in [("a", "Tea is ready"), ("b", "Twice"), ("c", "Twice"), ("d", "a")] {
      #expect(try session.suzu("notify", title, "--in", "1h", "--id", id).status == 0)
    }
    let twice = try session.suzu("cancel", "Twice")
    #expect(twice.status == 65)
    #expect(twice.errors == "suzu: cancel: 2 requests have the title 'Twice'; give an id: 'b', 'c'\n")
    let gone = try session.suzu("cancel", "Tea is ready")
    #expect(gone.status == 0 && gone.output == "" && gone.errors == "cancelled 'a'\n")
    // An id counts before a title.
    #expect(try session.suzu("notify", "x", "--in", "1h", "--id", "Twice").status == 0)
    #expect(try session.suzu("cancel", "Twice").errors == "")
    #expect(Session.ids(try session.listed()).sorted() == ["b", "c", "d"])
  }
}
