// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests `suzu import` and `suzu export` with the real center.
@Suite(.onOwnThread, .timeLimit(.minutes(3)))
struct ImportTests {
  static func session(zone: String = "Europe/Berlin") throws -> Session {
    try Session(variables: ["TZ": zone, "TZDIR": FixedZones.folder])
  }

  static func list(_ session: Session) throws -> [[String: Any]] {
    let listed = try session.suzu("list", "--json")
    #expect(listed.status == 0, "\(listed.errors)")
    return try #require(try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]])
  }

  static func next(_ session: Session) throws -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: try list(session).map { ($0["id"] as? String ?? "", $0["next"] as? String ?? "") })
  }

  static func calendar(_ lines: String) -> String {
    "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//EN\n\(lines)\nEND:VCALENDAR\n"
  }

  static func event(
    _ id: String, _ lines: String, alarm: String = "TRIGGER:-PT15M", kind: String = "VEVENT"
  ) -> String {
    "BEGIN:\(kind)\nUID:\(id)\nSUMMARY:\(id)\n\(lines)\nBEGIN:VALARM\nACTION:DISPLAY\n\(alarm)\nEND:VALARM\nEND:\(kind)"
  }

  // MARK: JSON and property lists

  @Test func `An export of nothing is imported`() throws {
    let session = try Self.session()
    let file = session.folder.path("all.json")
    #expect(try session.suzu("export", file).status == 0)
    let taken = try session.suzu("import", file)
    #expect(taken.status == 0 && taken.output == "")
    #expect(taken.errors == "\(file): the list has no requests\n")
  }

  @Test func `Requests and categories of several files are imported together`() throws {
    let session = try Self.session()
    let requests = try session.folder.write(
      #"[{"title": "One", "id": "one", "in": "2h", "category": "tea"}, {"title": "Old", "at": "2020-01-01 07:00"}]"#,
      to: "requests.json")
    let list = session.folder.path("request.plist")
    try PropertyListSerialization.data(
      fromPropertyList: ["title": "Two", "id": "two", "every": "Mon 07:30"], format: .binary, options: 0
    ).write(to: URL(filePath: list))
    let categories = try session.folder.write(
      "<plist><array><dict><key>id</key><string>tea</string><key>actions</key><array/></dict></array></plist>",
      to: "categories.plist")
    let taken = try session.suzu("import", requests, list, categories, "--app", "a.b")
    #expect(taken.status == 0 && taken.output == "one\ntwo\n", "\(taken.errors)")
    // It said how many, and not which.
    #expect(taken.errors == "suzu: import: warning: skipped because their time has passed: 1 ('Old')\n")
    let rows = try Self.list(session)
    // On a Monday, the second may come first.
    #expect(
      rows.compactMap { $0["id"] as? String }.sorted() == ["one", "two"]
        && rows.allSatisfy { $0["app"] as? String == "a.b" })
    #expect(try session.suzu("category", "show", "tea", "--app", "a.b").status == 0)
    #expect(
      try session.suzu("export", "--categories", "--app", "a.b").output.hasPrefix("{\"app\":\"a.b\",\"categories\":[{"))
    // A second import replaces the requests.
    #expect(try session.suzu("import", requests, list, "--app", "a.b").status == 0)
    #expect(try Self.list(session).count == 2)
  }

  @Test func `A mistake in one file stops the import of all`() throws {
    let session = try Self.session()
    let good = try session.folder.write(#"{"title": "One", "in": "2h"}"#, to: "good.json")
    for (text, place) in [
      ("[{\"title\": \"x\"},\n {\"titel\": \"y\"}]", "line 2, column 3: '[1].titel' is not a known key"),
      ("[{\"title\": \"x\", \"every\": \"Mo 07:30x\"}]", "line 1, column 26: '[0].every'"),
      ("<plist><dict><key>title</key>", "line 1, column 30: "),
      ("[{\"id\": \"c\", \"actions\": 3}]", "line 1, column 25: "),
      ("<plist><array><date>2026-01-01T00:00:00Z</date></array></plist>", "line 1, column 15: a <date> cannot be"),
      ("bplist00\u{1}", ""), ("", "is empty"), ("{\"title\": \"x\"", "line 1, column 14: "),
    ] {
      let bad = try session.folder.write(text, to: "bad")
      let refused = try session.suzu("import", good, bad)
      #expect(refused.status == 65 && refused.output == "", "\(text)")
      #expect(
        refused.errors.hasPrefix("suzu: import: \(bad)") && (place.isEmpty || refused.errors.contains(place)),
        "\(refused.errors)")
      #expect(refused.errors.split(separator: "\n").count == 1)
    }
    // An error that only the center can detect: the categories are unchanged.
    let categories = try session.folder.write(#"[{"id": "new", "actions": []}, {"id": "n2"}]"#, to: "c.json")
    let unknown = try session.folder.write(#"{"title": "x", "in": "1h", "category": "nowhere"}"#, to: "r.json")
    let refused = try session.suzu(
      "import", try session.folder.write(#"{"categories": [{"id": "new"}]}"#, to: "c"), unknown)
    #expect(refused.status == 65 && refused.errors.contains("nowhere"), "\(refused.errors)")
    #expect(try session.suzu("category", "list", "--json").output == "[]\n")
    #expect(try Self.list(session).isEmpty)
    #expect(try session.suzu("import", categories, "/no/such/file").status == 66)
  }

  // The second one replaced the first without a word.
  @Test func `Two requests with one id in one file are refused with both places`() throws {
    let session = try Self.session()
    let file = try session.folder.write(
      "[{\"title\": \"a\", \"id\": \"x\", \"in\": \"1h\"},\n {\"title\": \"b\", \"id\": \"x\"}]", to: "twice.json")
    let problem = "line 2, column 23: '[1].id' is 'x' again, as '[0].id' in line 1, column 23\n"
    for words in [["notify", "--file", file], ["import", file]] {
      let refused = try session.suzu(words)
      #expect(refused.status == 65 && refused.errors == "suzu: \(words[0]): \(file), \(problem)", "\(refused.errors)")
    }
    let whole = "{\"requests\": [{\"title\": \"a\", \"id\": \"x\"},\n {\"title\": \"b\", \"id\": \"x\"}]}"
    #expect(
      try session.suzu("import", "-", input: whole).errors.contains(
        "'requests[1].id' is 'x' again, as 'requests[0].id' in line 1"))
    // Ids of two apps are two ids.
    let two =
      "[{\"title\": \"a\", \"id\": \"x\", \"in\": \"1h\"}, {\"title\": \"b\", \"id\": \"x\", \"in\": \"1h\", \"app\": \"a.b\"}]"
    #expect(try session.suzu("import", "-", input: two).status == 0)
  }

  @Test func `A request with an unknown category is named with its file and place`() throws {
    let session = try Self.session()
    let end =
      "which is not registered; define it first, in ~/.config/suzu/categories.d or with 'suzu category set'\n"
    for (text, place) in [
      (
        "[{\"title\": \"a\", \"in\": \"1h\"},\n {\"title\": \"b\", \"category\": \"hostfail\"}]",
        ", line 2, column 29: '[1].category'"
      ),
      (
        "{\"requests\": [{\"title\": \"b\",\n \"category\": \"hostfail\"}]}",
        ", line 2, column 14: 'requests[0].category'"
      ),
    ] {
      let refused = try session.suzu("import", "-", input: text)
      #expect(refused.status == 65 && refused.output == "")
      #expect(refused.errors == "suzu: import: standard input\(place) names 'hostfail', \(end)", "\(refused.errors)")
    }
  }

  // MARK: There and back

  @Test(.enabled(if: hasLibical, "no libical here"), arguments: ["--ics", "--app=dev.suzu.Suzu"])
  func `An exported list is imported again unchanged`(flag: String) throws {
    let session = try Self.session()
    for arguments in [
      ["Up", "--every", "Mon..Fri 07:30", "--zone", "Europe/Paris", "--style", "alert", "--action", "ok=OK"],
      ["Month's end", "--rule", "FREQ=MONTHLY;BYMONTHDAY=-1", "--from", "2099-01-31 09:00", "--missed", "skip"],
      ["Ends", "--rule", "FREQ=WEEKLY;UNTIL=20991231T120000", "--from", "2099-01-05 12:00", "--zone", "Asia/Tokyo"],
      ["Stretch", "--every", "15m", "--count", "6"], ["Match", "--match", "weekday=2,hour=7", "--repeat"],
      ["Once", "Zeile 1\nZwei; drei, vier \\ fünf", "--at", "2099-12-24 18:00", "--user-info", "a=b"],
      ["There", "--at", "2099-12-24 18:00", "--zone", "America/New_York", "--url", "https://example.org/a?b=c,d;e"],
      [
        "A title that goes on and on, äöü ☕, so that its line is folded more than once, and then some more", "--at",
        "2099-12-24T18:00:00Z",
      ],
    ] {
      let sent = try RunningProgram.run(
        Session.programs + "/suzu", ["notify"] + arguments, environment: session.environment)
      #expect(sent.status == 0, "\(sent.errors)")
    }
    let before = try session.suzu("list", "--json").output
    let file = session.folder.path("out")
    #expect(try session.suzu("export", file, flag).status == 0)
    #expect(try session.suzu("cancel", "--all").output == "8\n")
    let taken = try session.suzu("import", file)
    #expect(taken.status == 0 && taken.errors == "", "\(taken.errors)")
    #expect(try session.suzu("list", "--json").output == before)
    // Standard output gets the same, except for the time of writing.
    let printed = try session.suzu("export", flag).output
    #expect(printed.split(separator: "\n").count == session.folder.read("out")?.split(separator: "\n").count)
  }

  @Test(.enabled(if: hasLibical, "no libical here"))
  func `An exported delay keeps its date, whenever it is imported`() throws {
    let session = try Self.session()
    #expect(try session.suzu("notify", "Tea", "--in", "3h", "--id", "tea").status == 0)
    let before = try Self.next(session)
    let json = try session.suzu("export").output
    let calendar = try session.suzu("export", "--ics").output
    for text in [json, calendar] {
      #expect(try session.suzu("cancel", "--all").output == "1\n")
      #expect(try session.suzu("import", "-", input: text).status == 0)
      #expect(try Self.next(session) == before)
    }
  }

  @Test(.enabled(if: hasICalendar, "no libical and python3-icalendar here"))
  func `Other programs read an export, and their changes count`() throws {
    let session = try Self.session()
    for arguments in [
      ["Up", "--every", "Mon..Fri 07:30", "--zone", "Europe/Paris", "--id", "up"],
      [
        "Ends", "--rule", "FREQ=WEEKLY;UNTIL=20991231T120000", "--from", "2099-01-05 12:00", "--zone", "Asia/Tokyo",
        "--id", "ends",
      ],
      ["Stretch", "--every", "90m", "--id", "s"],
      [
        "Until", "--rule", "FREQ=WEEKLY;BYDAY=MO", "--from", "2099-01-05 09:00", "--until", "2099-03-01", "--id",
        "until",
      ],
      ["Until there", "--every", "Mon 09:00", "--zone", "Asia/Tokyo", "--until", "2099-03-01", "--id", "until2"],
      ["Eve", "Zeile 1\nZwei; drei, vier \\ fünf", "--at", "2099-12-24 18:00", "--id", "eve", "--style", "alert"],
    ] {
      let sent = try RunningProgram.run(
        Session.programs + "/suzu", ["notify"] + arguments, environment: session.environment)
      #expect(sent.status == 0, "\(sent.errors)")
    }
    let text = try session.suzu("export", "--ics").output
    let seen = try RunningProgram.run(
      "/usr/bin/python3",
      [
        "-c",
        """
        import icalendar, json, sys
        calendar = icalendar.Calendar.from_ical(sys.stdin.read())
        for event in sorted(calendar.walk('VEVENT'), key=lambda e: e['UID']):
          print(event['UID'], event['SUMMARY'], event['DTSTART'].params.get('TZID'),
            event['RRULE'].to_ical().decode() if 'RRULE' in event else '-', repr(str(event.get('DESCRIPTION', ''))),
            event.walk('VALARM')[0]['TRIGGER'].dt, sep='|')
        print(sorted(str(z['TZID']) for z in calendar.walk('VTIMEZONE')))
        """,
      ], environment: ["PATH": "/usr/bin:/bin", "PYTHONTZPATH": FixedZones.folder], input: text)
    #expect(
      seen.output == """
        ends|Ends|Asia/Tokyo|FREQ=WEEKLY;UNTIL=20991231T030000Z|''|0:00:00
        eve|Eve|None|-|'Zeile 1\\nZwei; drei, vier \\\\ fünf'|0:00:00
        s|Stretch|None|FREQ=MINUTELY;INTERVAL=90|''|0:00:00
        until|Until|None|FREQ=WEEKLY;UNTIL=20990301T235959;BYDAY=MO|''|0:00:00
        until2|Until there|Asia/Tokyo|FREQ=DAILY;UNTIL=20990301T145959Z;BYSECOND=0;BYMINUTE=0;BYHOUR=9;BYDAY=MO|''|0:00:00
        up|Up|Europe/Paris|FREQ=DAILY;BYSECOND=0;BYMINUTE=30;BYHOUR=7;BYDAY=MO,TU,WE,TH,FR|''|0:00:00
        ['Asia/Tokyo', 'Europe/Paris']

        """, "\(seen.errors)")
    // The user moves and renames it in another program: the rest is unchanged.
    let moved = text.replacing("DTSTART:20991224T180000", with: "DTSTART:20991225T190000")
      .replacing("SUMMARY:Eve", with: "SUMMARY:Day")
    #expect(try session.suzu("import", "-", input: moved).status == 0)
    let eve = try #require(try Self.list(session).first { $0["id"] as? String == "eve" })
    #expect((eve["next"] as? String)?.hasPrefix("2099-12-25T19:00:00") == true && eve["title"] as? String == "Day")
    #expect(eve["style"] as? String == "alert" && (eve["body"] as? String)?.hasPrefix("Zeile 1\nZwei;") == true)
  }

  @Test(.enabled(if: hasLibical, "no libical here"))
  func `A calendar imports programs only with an explicit flag`() throws {
    let session = try Self.session()
    let request = #"{"title": "x", "id": "x", "at": "2099-01-01 07:00", "actions": [{"id": "a", "run": ["true"]}]}"#
    #expect(try session.suzu("import", "-", input: request).status == 0)
    let text = try session.suzu("export", "--ics").output
    let refused = try session.suzu("import", "-", input: text)
    #expect(refused.status == 65 && refused.errors.contains("a button runs a program"), "\(refused.errors)")
    #expect(try session.suzu("import", "-", "--trust", input: text).output == "x\n")
  }

  @Test func `An export that cannot write its file has status 73`() throws {
    let session = try Session()
    let ended = try session.suzu("export", "/no/such/list.json")
    #expect(ended.status == 73 && ended.errors == "suzu: export: /no/such/list.json: No such file or directory\n")
  }

  @Test(arguments: [
    (["import"], "no file given"), (["export", "a", "b"], "unexpected argument 'b'"),
    (["export", "--ics", "--categories"], "'--ics' and '--categories' cannot be combined"),
    (["export", "--everything", "--app", "x"], "'--everything' and '--app' cannot be combined"),
    (["import", "a", "--skpi"], "did you mean '--skip'?"),
  ])
  func `A mistyped command gives one line and status 64`(words: [String], complaint: String) throws {
    let ended = try RunningProgram.run(Session.programs + "/suzu", words, environment: ["PATH": "/usr/bin:/bin"])
    #expect(ended.status == 64 && ended.output == "")
    #expect(ended.errors.contains(complaint) && ended.errors.split(separator: "\n").count == 1, "\(ended.errors)")
  }
}
