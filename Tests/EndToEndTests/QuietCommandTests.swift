// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Foundation
import TestSupport
import Testing

/// Tests `suzu quiet`, and what the other verbs say about what it holds.
@Suite(.onOwnThread, .timeLimit(.minutes(3)))
struct QuietCommandTests {
  @Test func `What is held is listed with its end, explained, and comes when it is over`() async throws {
    let session = try Session()
    try await withLoop { loop in
      let server = try await ScriptedServer.start(on: session.bus, loop)
      func suzu(_ words: String...) async throws -> (status: Int32, output: String, errors: String) {
        try await offPool { try session.suzu(words) }
      }
      #expect(try await suzu("quiet", "until", "2999-01-02 07:00").status == 0)
      let held = try await suzu("notify", "Tea", "--id", "tea")
      #expect(
        held.errors
          == "suzu: notify: warning: quiet hours hold it until Wed 2999-01-02 07:00; to see it at once, add --level timeSensitive\n"
      )
      #expect(try await suzu("notify", "Fire", "--level", "critical").errors == "")
      #expect(try await server.posted.next(within: .seconds(15)).summary == "Fire")
      #expect(try await suzu("list").output.contains("held"))
      #expect(try await suzu("history", "tea").output.contains("held until 2999-01-02 07:00"))
      #expect(try await suzu("why", "tea").output.contains("has come, and is held until 2999-01-02 07:00"))
      let next = try await suzu("next", "tea", "--app", "dev.suzu.Suzu")
      #expect(next.status == 65 && next.errors.contains("'tea' has come, and is held until 2999-01-02 07:00"))
      #expect(try await suzu("quiet").output.hasPrefix("quiet: until Wed 2999-01-02 07:00, in 97"))
      #expect(try await suzu("quiet").output.contains("; 1 held\n"))
      let doctor = try await suzu("doctor").output
      #expect(
        doctor.contains("quiet hours: until Wed 2999-01-02 07:00; held: 1; still shown: timeSensitive and critical;"))
      // A question does not wait, so nothing is said about it.
      async let answer = suzu("ask", "Deploy?", "--action", "yes=Yes", "--timeout", "30s")
      let question = try await server.posted.next(within: .seconds(15))
      #expect(question.summary == "Deploy?")
      try await server.press(question.number, "yes")
      let answered = try await answer
      #expect(answered.status == 0 && answered.output == "yes\n" && answered.errors == "")
      // What comes later is held as well, and said beforehand.
      #expect(try await suzu("notify", "Later", "--id", "later", "--at", "2998-12-31 12:00").status == 0)
      #expect(
        try await suzu("next", "later", "--app", "dev.suzu.Suzu").errors
          == "held from then until Wed 2999-01-02 07:00 by quiet hours; see 'suzu quiet'\n")
      let alarm = ["notify", "Up", "--id", "up", "--at", "2998-12-31 12:00", "--sound", "bell"]
      #expect(try await offPool { try session.suzu(alarm) }.status == 0)
      #expect(try await suzu("next", "up", "--app", "dev.suzu.Suzu").errors == "")
      #expect(try await suzu("quiet", "off").status == 0)
      #expect(try await server.posted.next(within: .seconds(15)).summary == "Tea")
      #expect(try await suzu("why", "tea").output.contains("came, as soon as quiet hours let it"))
      #expect(try await suzu("history").output.contains("HELD BY"))
      #expect(try await suzu("quiet").output.hasPrefix("quiet: no\n"))
    }
  }

  @Test func `What is set outlives the center, and programs read it`() throws {
    let session = try Session()
    #expect(try session.suzu("quiet", "add", "Mon..Fri 22:00..07:00", "Sat 14:00 for 2h").status == 0)
    #expect(try session.suzu("quiet", "pass", "critical").status == 0)
    #expect(try session.suzu("quiet", "pass", "all", "--app", "org.example.B").status == 0)
    #expect(try session.suzu("quiet", "on", "--app", "org.example.A").status == 0)
    try session.endCenter()
    // Until the next center answers.
    try session.wait(for: "org.example.B", in: "quiet")
    let json = try session.suzu("quiet", "show", "--json", "--app", "org.example.A").output
    #expect(
      json == #"{"app":"org.example.A","held":0,"hours":[],"pass":"critical","quiet":true,"until":"quiet off"}"# + "\n")
    let all = try session.suzu("quiet", "show", "--json").output
    #expect(all.contains(#""hours":["Mon..Fri 22:00..07:00","Sat 14:00 for 2h"]"#))
    #expect(all.contains(#""after":"digest""#) && all.contains(#""desktop":false"#))
    #expect(try session.suzu("quiet", "remove", "all").status == 0)
    #expect(try session.suzu("quiet", "show", "--json").output.contains(#""hours":[],"pass":"critical""#))
    #expect(try session.suzu("quiet", "pass", "default", "--app", "org.example.B").status == 0)
    #expect(try !session.suzu("quiet").output.contains("org.example.B"))
  }

  @Test(
    arguments: [
      (["until"], 64, "a time is missing, such as 07:00"), (["for"], 64, "a duration is missing, such as 2h"),
      (["for", "soon"], 65, "'soon' must be a duration such as 2h"),
      (["for", "07:00"], 65, "'07:00' must be a duration such as 2h"),
      (["until", "soon"], 65, "'soon' must be a time such as 07:00 or 'tomorrow 08:00'"),
      (["until", "2001-01-01 00:00"], 65, "'2001-01-01 00:00' "), (["on", "now"], 64, "unexpected argument 'now'"),
      (["add"], 64, "hours are missing, such as 'Mon..Fri 22:00..07:00'"),
      (
        ["add", "22:00-07:00"], 65,
        "'22:00-07:00': '22:00-07:00' is not a span of time (column 1); write '22:00..07:00'"
      ),
      (["add", "Sat 14:00 for 9d"], 65, "'Sat 14:00 for 9d': the length '9d' must be 1 minute to 7 days"),
      (["remove"], 64, "hours are missing; see 'suzu quiet', or use 'suzu quiet remove all'"),
      (["remove", "x"], 65, "there are no quiet hours 'x'"), (["pass"], 64, "a level is missing: one of all, "),
      (
        ["pass", "critcal"], 65,
        "'critcal' is not one of all, active, timeSensitive, critical, nothing, default; did"
      ),
      (["desktop", "maybe"], 64, "'desktop' needs on or off"), (["after"], 64, "'after' needs digest or each"),
      (["desktop", "on", "--app", "a"], 64, "'desktop' is for all apps together"),
      (["of"], 64, "'of' is not one of show, on, off, until, for, add, remove, pass, desktop, after; did you mean"),
      (["on", "--json"], 64, "'--json' is for 'suzu quiet show'"),
      (["on", "--app", ""], 65, "'' must be a desktop-entry id"),
    ] as [([String], Int32, String)])
  func `A mistake is an error`(words: [String], status: Int32, message: String) throws {
    let session = try Session()
    let ended = try session.suzu(["quiet"] + words)
    #expect(ended.status == status && ended.output == "", "\(ended)")
    #expect(ended.errors.hasPrefix("suzu: quiet: \(message)"), "\(ended.errors)")
  }
}
