// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Tests how the verbs find a request of another app by its id or title, with the real programs.
@Suite(.onOwnThread, .timeLimit(.minutes(5)))
struct OtherAppTests {
  private static func adding(to session: borrowing Session, _ id: String, _ title: String, of app: String) throws {
    #expect(try session.suzu("notify", title, "--in", "1h", "--id", id, "--app", app).status == 0)
  }

  // They said that no request had the id, and asked for --app.
  @Test func `why, show and next find the only request with an id or title, and say whose it is`() throws {
    let session = try Session()
    try Self.adding(to: session, "tea", "Green tea", of: "org.a")
    for word in ["tea", "Green tea"] {
      let why = try session.suzu("why", word)
      #expect(why.status == 0 && why.errors == "app: org.a\n" && why.output.hasSuffix(": will come then\n"), "\(why)")
      let next = try session.suzu("next", word)
      #expect(next.status == 0 && next.errors == "app: org.a\n" && next.output.contains("T"), "\(next)")
      let show = try session.suzu("show", word)
      #expect(show.status == 0 && show.errors == "" && show.output.contains("\napp:    org.a\n"), "\(show)")
      #expect(try session.suzu("history", word).errors.contains("'\(word)' is scheduled"))
    }
    // Only the history knows it.
    #expect(try session.suzu("cancel", "tea", "--app", "org.a").status == 0)
    #expect(try session.suzu("why", "tea").errors == "app: org.a\n")
    #expect(try session.suzu("show", "tea").output.contains("reason:"))
    #expect(try session.suzu("history", "tea").output.contains(" org.a "))
    // The request of the default app comes first.
    #expect(try session.suzu("notify", "Own", "--in", "2h", "--id", "tea").status == 0)
    #expect(try session.suzu("why", "tea").errors == "")
    #expect(try session.suzu("show", "tea").output.contains("title:  Own\n"))
    let named = try session.suzu("show", "tea", "--app", "org.c")
    #expect(named.status == 65, "\(named)")
  }

  @Test func `An id of several other apps gives the commands for each`() throws {
    let session = try Session()
    for app in ["org.a", "org.b"] { try Self.adding(to: session, "tea", "Tea of \(app)", of: app) }
    for verb in ["why", "show", "next"] {
      let answer = try session.suzu(verb, "tea")
      #expect(answer.status == 65 && answer.output == "")
      #expect(
        answer.errors
          == "suzu: \(verb): 2 requests of other apps are called 'tea': 'suzu \(verb) tea --app org.a' or "
          + "'suzu \(verb) tea --app org.b'\n")
    }
    #expect(try session.suzu("show", "Tea of org.b").output.contains("\napp:    org.b\n"))
  }

  // The title of another app's request was 'no request', without a word about that app.
  @Test func `A verb that changes something names the command for the request of another app`() throws {
    let session = try Session()
    try Self.adding(to: session, "tea", "Green tea", of: "org.a")
    try Self.adding(to: session, "tea", "Black tea", of: "org.b")
    let one = try session.suzu("cancel", "Green tea")
    #expect(one.status == 65)
    #expect(
      one.errors
        == "suzu: cancel: no pending request is called 'Green tea' (app dev.suzu.Suzu); the app 'org.a' has one with "
        + "this title: use 'suzu cancel tea --app org.a'\n")
    let several = try session.suzu("cancel", "tea").errors
    #expect(
      several.hasSuffix("; other apps have one: use 'suzu cancel tea --app org.a' or 'suzu cancel tea --app org.b'\n"),
      "\(several)")
    let edit = try session.suzu("edit", "Black tea", "--in", "5m")
    #expect(edit.status == 65 && edit.errors.hasSuffix("use 'suzu edit tea --app org.b …'\n"), "\(edit)")
    #expect(Session.ids(try session.listed()) == ["tea", "tea"])
    let popups = try session.start("popups")
    defer { popups.kill() }
    #expect(try session.awaitOwner(of: "org.freedesktop.Notifications"))
    #expect(try session.suzu("notify", "Now", "--id", "now", "--app", "org.a", "--action", "ok=OK").status == 0)
    #expect(popups.readLines(until: "from") != nil)
    let dismiss = try session.suzu("dismiss", "Now")
    #expect(dismiss.status == 65 && dismiss.errors.hasSuffix("use 'suzu dismiss now --app org.a'\n"), "\(dismiss)")
    let respond = try session.suzu("respond", "now", "ok")
    #expect(respond.status == 65 && respond.errors.hasSuffix("use 'suzu respond now --app org.a ok'\n"), "\(respond)")
    #expect(try session.suzu("respond", "now", "--app", "org.a", "ok").status == 0)
  }
}
