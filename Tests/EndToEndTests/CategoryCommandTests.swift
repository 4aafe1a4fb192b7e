// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests `suzu category` and `suzu apps` with the real center.
@Suite(.onOwnThread, .timeLimit(.minutes(2)))
struct CategoryCommandTests {
  private static func json(_ text: String) throws -> [[String: Any]] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
  }

  @Test func `A category is set, shown, used by a request, and removed`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.suzu("category", "list").output == "")
    let set = try session.suzu(
      "category", "set", "invite", "--action", "accept=Accept", "--action", "no=Decline", "--action", "later=Later",
      "--minimal", "accept,later", "--type", "im.received", "--custom-dismiss")
    #expect(set.status == 0 && set.output == "" && set.errors == "")
    #expect(try session.suzu("category", "set", "other", "--action", "x=X").status == 0)
    let listed = try Self.json(try session.suzu("category", "list", "--json").output)
    #expect(listed.compactMap { $0["id"] as? String } == ["invite", "other"])
    #expect(listed[0]["minimal"] as? [String] == ["accept", "later"])
    let shown = try session.suzu("category", "show", "invite").output
    #expect(shown.contains("on banners: Accept, Later") && shown.contains("on alerts:  Accept, Decline, Later"))
    #expect(try session.suzu("notify", "Lunch", "--category", "invite").status == 0)
    #expect(popups.readLines(until: "from")?.contains { $0.contains("[1] Accept") && $0.contains("[2] Later") } == true)
    // A category that was set again is replaced, and the others stay.
    #expect(try session.suzu("category", "set", "invite", "--action", "y=Yes").status == 0)
    #expect(try session.suzu("category", "list").output.split(separator: "\n").count == 3)
    #expect(try session.suzu("category", "remove", "invite").status == 0)
    let gone = try session.suzu("category", "show", "invite")
    #expect(gone.status == 65)
    #expect(
      gone.errors == "suzu: category: no category is called 'invite' (app dev.suzu.Suzu); see 'suzu category list'\n")
    #expect(try session.suzu("notify", "Lunch", "--category", "invite").status == 65)
  }

  @Test func `A category file is accepted whole or not at all, and the JSON output is such a file`() throws {
    let session = try Session()
    let file = try session.folder.write(
      #"[{"id": "a", "actions": [{"id": "x", "run": ["echo", "{reply}"], "input": {}}]}, {"id": "b"}]"#, to: "c.json")
    #expect(try session.suzu("category", "set", "--file", file).status == 0)
    let json = try session.suzu("category", "show", "a", "b", "--json").output
    let again = try RunningProgram.run(
      Session.programs + "/suzu", ["category", "set", "--file", "-", "--app", "b.c"], environment: session.environment,
      input: json)
    #expect(again.status == 0, "\(again.errors)")
    #expect(try Self.json(try session.suzu("category", "list", "--app", "b.c", "--json").output).count == 2)
    let bad = try session.folder.write("[{\"id\": \"c\"},\n {\"id\": \"d\", \"minimal\": [\"x\"]}]", to: "bad.json")
    let refused = try session.suzu("category", "set", "--file", bad)
    #expect(refused.status == 65)
    #expect(refused.errors.hasPrefix("suzu: category: \(bad), line 2, column "))
    #expect(refused.errors.hasSuffix("'[1].minimal[0]' names 'x', which is not one of its actions\n"))
    #expect(try Self.json(try session.suzu("category", "list", "--app", "dev.suzu.Suzu", "--json").output).count == 2)
  }

  @Test func `A category from a file is listed with its file, and the command does not remove it`() throws {
    let session = try Session()
    let home = try #require(session.environment["HOME"])
    let folder = URL(filePath: home).appending(path: ".config/suzu/categories.d")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "mine.json").path
    try #"{"id": "mine", "actions": [{"id": "x", "title": "X"}]}"#.write(
      toFile: path, atomically: true, encoding: .utf8)
    let table = try session.suzu("category", "list").output
    #expect(table.contains("mine") && table.contains("(any)") && table.contains(path))
    let refused = try session.suzu("category", "remove", "mine")
    #expect(refused.status == 65 && refused.errors.contains(path))
  }

  // Each command replaces the whole set that it has read, so the last one won.
  @Test func `Several commands at the same time lose no category`() throws {
    let session = try Session()
    #expect(try session.suzu("category", "set", "first", "--action", "a=A").status == 0)
    let setting = try (0..<8).map { try session.start("category", "set", "c\($0)", "--action", "a=A") }
    let removing = try session.start("category", "remove", "first")
    for command in setting + [removing] { #expect(command.waitForExit() == 0, "\(command.errors)") }
    let ids = try session.suzu("category", "list").output.split(separator: "\n").dropFirst()
      .compactMap { $0.split(separator: " ").first }
    #expect(ids.sorted() == (0..<8).map { "c\($0)" })
  }

  @Test func `A broken category file is in doctor with its line, and check finds it without the center`() throws {
    let session = try Session()
    let home = try #require(session.environment["HOME"])
    let folder = URL(filePath: home).appending(path: ".config/suzu/categories.d")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    func write(_ text: String, _ name: String) throws -> String {
      let path = folder.appending(path: name).path
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      return path
    }
    let good = try write(#"[{"id": "tea"}, {"id": "milk"}]"#, "good.json")
    let bad = try write("{\"id\": \"a\",\n \"minimal\": [\"x\"]}", "bad.json")
    let open = try write(#"{"id": "b"}"#, "open.json")
    #expect(chmod(open, 0o666) == 0)
    let checked = try session.suzu("category", "check", good, bad, open)
    #expect(checked.status == 65 && checked.output == "\(good): tea, milk\n")
    #expect(
      checked.errors.split(separator: "\n") == [
        "suzu: category: warning: \(good): 'tea' has no actions, so it adds no buttons",
        "suzu: category: warning: \(good): 'milk' has no actions, so it adds no buttons",
        "suzu: category: \(bad), line 2, column 14: 'minimal[0]' names 'x', which is not one of its actions",
        "suzu: category: \(open): is writable by all users; use: chmod o-w",
      ])
    #expect(try session.suzu("category", "check", "/no/such").status == 66)
    let calendar = try session.folder.write("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", to: "cal.ics")
    #expect(
      try session.suzu("category", "check", calendar).errors
        == "suzu: category: \(calendar) is a calendar, and categories are JSON or a property list; for its alarms, use 'suzu "
        + "import \(calendar)'\n")
    #expect(try session.suzu("category", "check", "-", input: "[]").output == "standard input: no categories\n")
    #expect(try session.process(of: "dev.suzu.Center") == nil)
    #expect(try session.suzu("category", "list").output.contains("tea"))
    let findings = try session.suzu("doctor").output
    #expect(
      findings.contains(
        "partly   category file: \(bad):2:14: 'minimal[0]' names 'x', which is not one of its actions\n"), "\(findings)"
    )
    #expect(findings.contains("partly   category file: \(open): is writable by all users\n"))
    let used = try session.suzu("notify", "T", "--category", "bad")
    #expect(
      used.errors
        == "suzu: notify: '--category' names 'bad', which is not registered; its file has an error: \(bad):2:14: "
        + "'minimal[0]' names 'x', which is not one of its actions\n")
    let other = try session.suzu("notify", "T", "--category", "others").errors
    #expect(other.contains("which is not registered; a file of categories has an error: \(folder.path)/"), "\(other)")
    #expect(!findings.contains(good))
  }

  @Test(arguments: [
    (["category"], "no command given; use list, show, set, remove or check"),
    (["category", "shwo"], "did you mean 'show'?"),
    (["category", "check"], "no file given"), (["category", "set"], "an id or '--file' is missing"),
    (["category", "set", "a", "b"], "unexpected argument 'b'"),
    (["category", "set", "a"], "a button is missing: --action ID=TITLE"),
    (["category", "show"], "an id is missing"), (["category", "set", "a", "--action", "x"], "must be ID=TITLE"),
    (["apps", "forbid"], "not one of list, allow, deny, deliver, away, previews and reset"),
    (["apps", "previews", "a.b"], "'previews' needs always, unlocked or never: suzu apps previews a.b unlocked"),
    (["apps", "previews", "a.b", "unlock"], "'previews' needs always, unlocked or never; did you mean 'unlocked'?"),
    (["apps", "deny"], "an app is missing"),
    (["apps", "deny", "a", "sonud"], "did you mean 'sound'?"), (["apps", "list", "x"], "unexpected argument 'x'"),
  ])
  func `A mistyped command gives one line and status 64`(words: [String], complaint: String) throws {
    let ended = try RunningProgram.run(Session.programs + "/suzu", words, environment: ["PATH": "/usr/bin:/bin"])
    #expect(ended.status == 64 && ended.output == "")
    #expect(ended.errors.contains(complaint) && ended.errors.split(separator: "\n").count == 1, "\(ended.errors)")
  }

  @Test func `The user decides what an app may do`() throws {
    let session = try Session()
    let popups = try session.start("popups")
    #expect(try session.suzu("apps", "--json").output == "[]\n")
    #expect(try session.suzu("apps", "deny", "a.b", "sound").status == 0)
    let apps = try Self.json(try session.suzu("apps", "--json").output)
    #expect(apps.first?["app"] as? String == "a.b" && apps.first?["allowed"] as? [String] == ["alert", "badge"])
    #expect(try session.suzu("apps").output.split(separator: "\n").last?.contains("alert badge") == true)
    #expect(try session.suzu("apps", "deny", "a.b").status == 0)
    #expect(try session.suzu("notify", "unseen", "--app", "a.b").status == 0)
    #expect(try session.suzu("apps", "allow", "a.b").status == 0)
    #expect(try session.suzu("notify", "seen", "--app", "a.b").status == 0)
    #expect(popups.readLines(until: "from")?.first == "#1 seen")
  }
}
