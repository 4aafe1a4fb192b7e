// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import Testing

@testable import suzu

/// Tests the flags that say what a button does, and the splitting of their commands into words.
@Suite struct ButtonFlagsTests {
  private static func buttons(_ words: [String], inCategory: Bool = false) throws(CommandError) -> ButtonFlags {
    try ButtonFlags(try Arguments(words, flags: ButtonFlags.flags), mustHaveIDs: inCategory)
  }

  private static func json(_ words: String..., inCategory: Bool = false) throws -> String {
    try #require(try buttons(words, inCategory: inCategory).value).json
  }

  @Test func `A button does what the flags with its id say`() throws {
    #expect(
      try Self.json("-A", "ok=OK", "--run", "ok=touch '/tmp/a b'")
        == #"[{"id":"ok","run":["touch","/tmp/a b"],"title":"OK"}]"#)
    #expect(
      try Self.json("--url", "web=https://a.example/?q=1", "-A", "web=See", "-A", "no=No")
        == #"[{"id":"web","title":"See","url":"https://a.example/?q=1"},{"id":"no","title":"No"}]"#)
    #expect(
      try Self.json(
        "-A", "cal=Calendar", "--launch", "cal=org.gnome.Calendar", "-A", "later=Later", "--snooze", "later=10m")
        == #"[{"id":"cal","launch":"org.gnome.Calendar","title":"Calendar"},{"id":"later","snooze":"10m","title":"Later"}]"#
    )
    #expect(
      try Self.json("-A", "t=Answer", "--reply", "t=On my way", "--run", "t=tell {reply}")
        == #"[{"id":"t","input":{"placeholder":"On my way"},"run":["tell","{reply}"],"title":"Answer"}]"#)
    #expect(
      try Self.json("-A", "later=Later", "--snooze", "later=5m, tomorrow 08:00,unlocked")
        == #"[{"id":"later","snooze":["5m","tomorrow 08:00","unlocked"],"title":"Later"}]"#)
    #expect(
      try Self.json(
        "-A", "on=On", "--http", "on=put https://a.example/?q=1", "--http-header", "on=X-Reason: a: b",
        "--http-body", #"on={"on": "{reply}"}"#)
        == ##"[{"http":{"body":{"on":"{reply}"},"headers":{"X-Reason":"a: b"},"method":"PUT","##
        + ##""url":"https://a.example/?q=1"},"id":"on","title":"On"}]"##)
    // Without an id, as notify-send counts them.
    #expect(try Self.json("-A", "Yes", "--run", "0=true") == #"[{"id":"0","run":["true"],"title":"Yes"}]"#)
  }

  @Test func `Without an id a flag is about a click on the notification itself`() throws {
    #expect(
      try Self.json("--run", "/usr/bin/touch x")
        == #"[{"id":"default","run":["/usr/bin/touch","x"],"title":"Run touch"}]"#)
    #expect(try Self.json("--launch", "firefox") == #"[{"id":"default","launch":"firefox","title":"Open"}]"#)
    #expect(
      try Self.json("--http", "https://a.example/?q=1", "--http-body", "default={reply}")
        == #"[{"http":{"body":"{reply}","url":"https://a.example/?q=1"},"id":"default","title":"Send"}]"#)
    let web = try Self.buttons(["--url", "https://a.example/?q=1"])
    #expect(web.url == "https://a.example/?q=1" && web.value == nil)
  }

  @Test(
    arguments: [
      (
        ["-A", "ok=OK", "--run", "okk=true"],
        "'--run okk=true': no button has the id 'okk'; did you mean 'ok'?"
      ),
      (["--run", "ok=true"], "'--run ok=true': no button has the id 'ok'; add --action ok='…' for it"),
      (
        ["--url", "web=https://a.example"],
        "'--url web=https://a.example': no button has the id 'web'; add --action web='…' for it"
      ),
      (
        ["-A", "ok=OK", "--run", "ok=true", "--url", "ok=https://a.example"],
        "the button 'ok' can do one thing; '--run' and '--url' cannot be combined"
      ),
      (["-A", "ok=OK", "--run", "ok=true", "--run", "ok=false"], "'--run' is given twice for the button 'ok'"),
      (
        ["--run", "a", "--launch", "b"],
        "a click on the notification can do one thing; '--run' and '--launch' cannot be combined"
      ),
      (
        ["--url", "https://a.example", "--launch", "b"],
        "a click on the notification can do one thing; '--url' and '--launch' cannot be combined"
      ),
      (
        ["--run", "a", "--url", "https://a.example"],
        "a click on the notification can do one thing; '--run' and '--url' cannot be combined"
      ),
      (
        ["--url", "https://a.example", "--url", "https://b.example"],
        "'--url' is given twice for a click on the notification"
      ),
      (["--snooze", "10m"], "'--snooze 10m' must be ID=DURATION, such as later=10m"),
      (
        ["--http", "on=https://a.example"],
        "'--http on=https://a.example': no button has the id 'on'; add --action on='…' for it"
      ),
      (["-A", "a=A", "--http-body", "a=x"], "'--http-body a=…' needs a call: --http a=URL"),
      (
        ["-A", "a=A", "--http", "a=https://a.example", "--http-header", "a=hush"],
        "'--http-header a=…' must be ID='NAME: VALUE', such as on='X-Reason: suzu'"
      ),
      (
        ["--http-header", "hush"], "'--http-header …' must be ID='NAME: VALUE', such as on='X-Reason: suzu'"
      ),
      (
        ["-A", "a=A", "--http", "a=https://a.example", "--run", "a=true"],
        "the button 'a' can do one thing; '--run' and '--http' cannot be combined"
      ),
      (["-A", "a=A", "--run", "a="], "'--run a=' must name a program"),
    ] as [([String], String)])
  func `A flag that belongs to no button is refused`(words: [String], message: String) {
    let error = #expect(throws: CommandError.self) { try Self.buttons(words) }
    #expect(error == .usage(message))
  }

  @Test func `In a category each flag names a button`() throws {
    #expect(
      try Self.json("-A", "a=A", "--run", "a=true", inCategory: true) == #"[{"id":"a","run":["true"],"title":"A"}]"#)
    for words in [
      ["--run", "true"], ["--url", "https://a.example"], ["--launch", "firefox"], ["--run", "default=true"],
    ] {
      #expect(throws: CommandError.self) { try Self.buttons(words, inCategory: true) }
    }
  }

  @Test(arguments: [
    ("a  b\tc", ["a", "b", "c"]), ("a 'b c' \"d e\"", ["a", "b c", "d e"]),
    (#"a\ b "c\"d" 'e\f'"#, ["a b", "c\"d", #"e\f"#]),
    (#"a "b\c" '' x"#, ["a", #"b\c"#, "", "x"]), ("sh -c 'ls | wc >x'", ["sh", "-c", "ls | wc >x"]),
    (#"sh -c "echo $SUZU_REPLY""#, ["sh", "-c", "echo $SUZU_REPLY"]), ("a/~b --c=~", ["a/~b", "--c=~"]),
    ("tell {reply} é", ["tell", "{reply}", "é"]),
  ])
  func `A command is split as in a shell`(text: String, words: [String]) throws {
    #expect(try CommandWords.split(text, of: "--run") == words)
  }

  @Test(arguments: [
    ("ls | wc", "no shell runs this, so '|' has no effect"), ("a; b", "';'"), ("echo $HOME", "'$'"), ("ls ~/x", "'~'"),
    ("~/bin/music", "write the whole path"), ("echo *", "no shell runs this, so '*' has no effect"),
    ("a > b", "'>'"), ("a & b", "'&'"), ("a `b`", "'`'"), ("a 'b", "the quotation mark ' is not closed"),
    ("a \"b", "is not closed"), ("a \\", "ends with a backslash"), ("  ", "must name a program"),
    ("''", "must name a program"),
  ])
  func `A command that needs a shell is refused`(text: String, message: String) {
    let error = #expect(throws: CommandError.self) { try CommandWords.split(text, of: "--run") }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }
}
