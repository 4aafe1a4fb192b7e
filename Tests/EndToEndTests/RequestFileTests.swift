// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests the errors of `suzu notify --file`: they name the file, the line and the key.
@Suite(.onOwnThread, .timeLimit(.minutes(5)))
struct RequestFileTests {
  @Test(arguments: [
    (#"{"title": "x",}"#, "line 1, column 15: "), ("{\n  \"title\": tru\n}", "line 2, column 12: "),
    (#"{"title": "ü" "#, "line 1, column 15: "), (#"{"title": null}"#, "line 1, column 11: "),
    (#"{"title": "x"} {}"#, "line 1, column 16: "), (#"{"a": "\ud800"}"#, "line 1, column "),
    (String(repeating: "[", count: 100_000), "line 1, column "),
  ])
  func `Bad JSON gives status 65 with line and column`(json: String, place: String) throws {
    let ended = try BareCommand.suzu(["notify", "--file", "-"], input: json)
    #expect(ended.status == 65)
    #expect(ended.errors.hasPrefix("suzu: notify: standard input, \(place)"), "\(ended.errors)")
    #expect(ended.errors.count { $0 == "\n" } == 1)
  }

  @Test func `A duration without a unit gets the same advice in a file as behind a flag`() throws {
    let ended = try BareCommand.suzu(["notify", "--file", "-"], input: #"{"title": "x", "in": "5"}"#)
    #expect(ended.status == 65 && ended.errors.hasSuffix(", not '5'; did you mean '5m'?\n"), "\(ended.errors)")
  }

  @Test func `The error for a missing, special or binary file names it`() throws {
    let folder = try TemporaryFolder()
    let bytes = folder.path("bytes")
    try Data([0x22, 0xff, 0xfe, 0x22]).write(to: URL(filePath: bytes))
    let utf16 = folder.path("utf16")
    try Data([0xff, 0xfe, 0x7b, 0x00]).write(to: URL(filePath: utf16))
    for (file, status, problem) in [
      ("/no/such", Int32(66), "/no/such: No such file or directory"), (folder.path(""), 66, "Is a directory"),
      (bytes, 65, "bytes is not UTF-8 text (line 1, column 2)"),
      (utf16, 65, "utf16 is UTF-16 text; save it as UTF-8"),
      (try folder.write("{\n  // tea\n}", to: "comment"), 65, "comment, line 2, column 3: JSON has no comments"),
      (
        try folder.write("{\"title\": \"x\",\n # tea\n}", to: "hash"), 65,
        "hash, line 2, column 2: JSON has no comments"
      ), ("/dev/zero", 65, "/dev/zero: larger than"),
      (try folder.write("[1, 2]", to: "list"), 65, "list, line 1, column 2: '[0]' must be a dictionary"),
      (try folder.write("7", to: "number"), 65, "number: a request must be a dictionary"),
    ] {
      let ended = try BareCommand.suzu(["notify", "--file", file])
      #expect(ended.status == status)
      #expect(ended.errors.contains(problem), "\(ended.errors)")
    }
  }

  @Test func `An error of the center about a request in a file names the file and the line`() throws {
    let session = try Session()
    func notify(_ text: String, _ flags: String...) throws -> String {
      let file = try session.folder.write(text, to: "r.json")
      let ended = try session.suzu(["notify", "--file", file] + flags)
      #expect(ended.status == 65 && ended.output == "")
      return ended.errors.replacingOccurrences(of: file, with: "FILE")
    }
    let end = "which is not registered; see 'suzu category list'\n"
    #expect(
      try notify("{\"title\": \"x\",\n \"category\": \"none\"}")
        == "suzu: notify: FILE, line 2, column 14: 'category' names 'none', \(end)")
    #expect(
      try notify("[{\"title\": \"x\"},\n {\"title\": \"y\", \"category\": \"none\"}]")
        == "suzu: notify: FILE, line 2, column 29: '[1].category' names 'none', \(end)")
    #expect(
      try notify(#"{"title": "x"}"#, "--category", "none") == "suzu: notify: '--category' names 'none', \(end)")
    let long = String(repeating: "x", count: 300_000)
    #expect(
      try notify("{\"title\": \"x\", \"body\": \"\(long)\"}").hasPrefix(
        "suzu: notify: FILE: the request has 300023 bytes"))
  }

  @Test func `A file may begin with a byte order mark`() throws {
    let session = try Session()
    let file = try session.folder.write("\u{FEFF}{\"title\": \"x\", \"id\": \"x\", \"in\": \"1h\"}", to: "bom.json")
    let sent = try session.suzu("notify", "--file", file)
    #expect(sent.status == 0 && sent.output == "x\n", "\(sent.errors)")
  }

  @Test func `A calendar given to notify names the command that reads it`() throws {
    let ended = try BareCommand.suzu(["notify", "--file", "-"], input: "BEGIN:VCALENDAR\nEND:VCALENDAR\n")
    #expect(ended.status == 65)
    #expect(
      ended.errors
        == "suzu: notify: standard input is a calendar; its alarms become requests with 'suzu import -'\n")
  }

  // It said that 'title' is missing.
  @Test(
    arguments: [
      #"{"id": "backup", "actions": [{"id": "now", "title": "Now", "run": ["true"]}]}"#,
      #"{"app": "org.example.Tea", "categories": [{"id": "tea", "actions": [{"id": "ok", "title": "OK"}]}]}"#,
      #"[{"id": "tea", "actions": [{"id": "ok", "title": "OK"}]}]"#,
    ])
  func `A file of categories given to notify names the commands that read it`(text: String) throws {
    let ended = try BareCommand.suzu(["notify", "--file", "-"], input: text)
    #expect(ended.status == 65)
    #expect(
      ended.errors
        == "suzu: notify: standard input is a file of categories, not of requests; check it with 'suzu category check "
        + "-', and register them with 'suzu category set --file -'\n")
    #expect(try BareCommand.suzu(["category", "check", "-"], input: text).status == 0)
  }

  @Test func `A file without a title gets it from the command line, also if it could be a category`() throws {
    let session = try Session()
    let file = try session.folder.write(
      #"{"id": "x", "actions": [{"id": "ok", "title": "OK"}]}"#, to: "request.json")
    let sent = try session.suzu("notify", "Tea", "--in", "1h", "--file", file)
    #expect(sent.status == 0 && sent.output == "x\n", "\(sent.errors)")
  }

  @Test(
    arguments: [
      (#"{"titel": "x"}"#, [], "standard input, line 1, column 2: 'titel' is not a known key; did you mean 'title'?"),
      (
        "{\"title\": \"x\", \"actions\": [\n  {\"id\": \"a\"},\n  {\"id\": \"b\", \"url\": \"nowhere\"}]}", [],
        "standard input, line 3, column 22: 'actions[1].url' must be a URL such as 'https://example.org/', at most 2048 bytes, without blanks, not 'nowhere'"
      ),
      (
        "{\"title\": \"x\",\n \"every\": \"Mon,Tues 07:30\"}", [],
        "standard input, line 2, column 11: 'every': 'Tues' is neither a weekday nor a shorthand (column 5); write 'Mon,Tue 07:30'"
      ),
      (
        "[{\"title\": \"x\"},\n {\"title\": \"y\", \"at\": \"soon\"}]", [],
        "standard input, line 2, column 23: '[1].at': 'soon' is not a date or time; for example 'tomorrow 07:30'"
      ),
      (
        #"[{"title": "x", "every": "1h", "zone": "Europe/Pari"}]"#, [],
        "standard input, line 1, column 40: '[0].zone': 'Europe/Pari': unknown time zone; for example 'Europe/Paris'"
      ),
      (
        #"[{"title": "x", "every": "1h", "zone": "Paris"}]"#, [],
        "standard input, line 1, column 40: '[0].zone': 'Paris': unknown time zone; did you mean 'Europe/Paris'?"
      ),
      (
        #"{"title": "x", "in": "1h", "count": 3}"#, [],
        "standard input, line 1, column 37: 'count': applies only to repetitions; for example 'every: 15m'"
      ),
      (
        "<plist><dict><key>title</key>\n<integer>7</integer></dict></plist>", [],
        "standard input, line 2, column 1: 'title' must be a string, not 7"
      ),
      // A value from a flag has no line in the file.
      (
        #"{"title": "x", "level": "active"}"#, ["--level", "loud"],
        "'--level' must be one of 'passive', 'active', 'timeSensitive', 'critical', not 'loud'"
      ),
      (
        #"[{"title": "x"}]"#, ["--badge", "many"],
        "'--badge' must be an integer from 0 to 2147483647, not 'many'"
      ),
    ] as [(String, [String], String)])
  func `An error in a file is reported with its place, without a bus`(
    file: String, flags: [String], line: String
  ) throws {
    let ended = try BareCommand.suzu(["notify", "--file", "-"] + flags, input: file)
    #expect(ended.status == 65)
    #expect(ended.errors == "suzu: notify: \(line)\n")
  }

  @Test func `An error in a binary property list names the key`() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("request.plist")
    let list = [["title": "x"], ["title": "y", "style": "loud"]]
    try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0).write(
      to: URL(filePath: file))
    let ended = try BareCommand.suzu(["notify", "--file", file])
    #expect(ended.status == 65)
    #expect(ended.errors == "suzu: notify: \(file): '[1].style' must be one of 'banner', 'alert', not 'loud'\n")
  }
}
