// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `suzu import` and `suzu export`, with the center as it is.
@Suite(.onOwnThread, .timeLimit(.minutes(3)))
struct ImportTests {
  private static func session(zone: String = "Europe/Berlin") throws -> Session {
    try Session(variables: ["TZ": zone, "TZDIR": FixedZones.folder])
  }

  private static func list(_ session: Session) throws -> [[String: Any]] {
    let listed = try session.suzu("list", "--json")
    #expect(listed.status == 0, "\(listed.errors)")
    return try #require(try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]])
  }

  private static func next(_ session: Session) throws -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: try list(session).map { ($0["id"] as? String ?? "", $0["next"] as? String ?? "") })
  }

  private static func calendar(_ lines: String) -> String {
    "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//EN\n\(lines)\nEND:VCALENDAR\n"
  }

  static func event(
    _ id: String, _ lines: String, alarm: String = "TRIGGER:-PT15M", kind: String = "VEVENT"
  ) -> String {
    "BEGIN:\(kind)\nUID:\(id)\nSUMMARY:\(id)\n\(lines)\nBEGIN:VALARM\nACTION:DISPLAY\n\(alarm)\nEND:VALARM\nEND:\(kind)"
  }

  // MARK: JSON and property lists

  @Test func `Requests and categories of several files are taken together`() throws {
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
    #expect(taken.errors == "skipped because their time has passed: 1\n")
    let rows = try Self.list(session)
    #expect(
      rows.compactMap { $0["id"] as? String } == ["one", "two"] && rows.allSatisfy { $0["app"] as? String == "a.b" })
    #expect(try session.suzu("category", "show", "tea", "--app", "a.b").status == 0)
    #expect(
      try session.suzu("export", "--categories", "--app", "a.b").output.hasPrefix("{\"app\":\"a.b\",\"categories\":[{"))
    // Again is no second one.
    #expect(try session.suzu("import", requests, list, "--app", "a.b").status == 0)
    #expect(try Self.list(session).count == 2)
  }

  @Test func `A mistake in one file keeps all of them out`() throws {
    let session = try Self.session()
    let good = try session.folder.write(#"{"title": "One", "in": "2h"}"#, to: "good.json")
    for (text, place) in [
      ("[{\"title\": \"x\"},\n {\"titel\": \"y\"}]", "line 2, column 3: '[1].titel' is not a known key"),
      ("[{\"title\": \"x\", \"every\": \"Mo 07:30x\"}]", "line 1, column 26: '[0].every'"),
      ("<plist><dict><key>title</key>", "line 1, column 30: "),
      ("[{\"id\": \"c\", \"actions\": 3}]", "line 1, column 25: "),
      ("<plist><array><date>2026-01-01T00:00:00Z</date></array></plist>", "line 1, column 15: a <date> cannot be"),
      ("bplist00\u{1}", ""), ("", "line 1, column 1: "), ("{\"title\": \"x\"", "line 1, column 14: "),
    ] {
      let bad = try session.folder.write(text, to: "bad")
      let refused = try session.suzu("import", good, bad)
      #expect(refused.status == 65 && refused.output == "", "\(text)")
      #expect(
        refused.errors.hasPrefix("suzu: import: \(bad)") && (place.isEmpty || refused.errors.contains(place)),
        "\(refused.errors)")
      #expect(refused.errors.split(separator: "\n").count == 1)
    }
    // What only the center can know: the categories are as they were.
    let categories = try session.folder.write(#"[{"id": "new", "actions": []}, {"id": "n2"}]"#, to: "c.json")
    let unknown = try session.folder.write(#"{"title": "x", "in": "1h", "category": "nowhere"}"#, to: "r.json")
    let refused = try session.suzu(
      "import", try session.folder.write(#"{"categories": [{"id": "new"}]}"#, to: "c"), unknown)
    #expect(refused.status == 65 && refused.errors.contains("nowhere"), "\(refused.errors)")
    #expect(try session.suzu("category", "list", "--json").output == "[]\n")
    #expect(try Self.list(session).isEmpty)
    #expect(try session.suzu("import", categories, "/no/such/file").status == 66)
  }

  // MARK: Calendars

  /// What a calendar's alarms are, by dateutil and Python's own zones: the next date of each.
  private static let oracle = """
    import datetime, json, sys
    from zoneinfo import ZoneInfo
    from dateutil.rrule import rrulestr
    from dateutil.rrule import rruleset
    import icalendar
    now = datetime.datetime.now(datetime.timezone.utc)
    local = ZoneInfo('Europe/Berlin')
    calendar = icalendar.Calendar.from_ical(sys.stdin.read())
    found = {}
    for event in calendar.walk():
      if event.name not in ('VEVENT', 'VTODO'): continue
      start = (event.get('DTSTART') or event.get('DUE')).dt
      if not isinstance(start, datetime.datetime): start = datetime.datetime.combine(start, datetime.time())
      zone = ZoneInfo(str((event.get('DTSTART') or event.get('DUE')).params['TZID'])) if start.tzinfo and \\
        'TZID' in (event.get('DTSTART') or event.get('DUE')).params else (start.tzinfo or local)
      wall = start.replace(tzinfo=None)
      dates = [wall]
      if 'RRULE' in event:
        rules = rruleset()
        rules.rrule(rrulestr(event['RRULE'].to_ical().decode(), dtstart=wall))
        if 'EXDATE' in event:
          for one in (event['EXDATE'] if isinstance(event['EXDATE'], list) else [event['EXDATE']]):
            for date in one.dts: rules.exdate(date.dt.replace(tzinfo=None))
        dates = [d for d, _ in zip(rules, range(2000))]
      for number, alarm in enumerate(event.walk('VALARM')):
        trigger = alarm['TRIGGER'].dt
        if isinstance(trigger, datetime.datetime): moments = [trigger]
        else:
          moments = [(d + trigger).replace(tzinfo=zone) for d in dates] if 'RRULE' in event else \\
            [(d.replace(tzinfo=zone).astimezone(datetime.timezone.utc) + trigger) for d in dates]
        coming = [m for m in moments if m > now]
        if coming: found[str(event['UID']) + ('' if number == 0 else '#%d' % (number + 1))] = \\
          int(coming[0].timestamp())
    print(json.dumps(found))
    """

  static let hasLibical = ["/usr/lib", "/usr/lib64"].contains { folder in
    let folders =
      [folder] + ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).map { "\(folder)/\($0)" }
    return folders.contains { FileManager.default.fileExists(atPath: $0 + "/libical.so.3") }
  }
  static let hasICalendar =
    hasLibical
    && (try? RunningProgram.run("/usr/bin/python3", ["-c", "import icalendar, dateutil"], environment: [:]).status) == 0

  @Test(.enabled(if: hasICalendar, "no libical, python3-icalendar and python3-dateutil here"))
  func `The alarms of a calendar come when Python says they do`() throws {
    let year = 2 + Calendar(identifier: .gregorian).component(.year, from: Date())
    let events = [
      Self.event("once", "DTSTART;TZID=America/New_York:\(year)0702T090000"),
      Self.event("utc", "DTSTART:\(year)0702T090000Z", alarm: "TRIGGER:-P1DT2H"),
      Self.event("floating", "DTSTART:\(year)0702T090000", alarm: "TRIGGER:PT5M"),
      Self.event("day", "DTSTART;VALUE=DATE:\(year)1224", alarm: "TRIGGER:-PT15H"),
      Self.event("task", "DUE;TZID=Asia/Tokyo:\(year)0702T090000", alarm: "TRIGGER:-PT30M", kind: "VTODO"),
      Self.event("gap", "DTSTART;TZID=Europe/Berlin:\(year)0702T000500", alarm: "TRIGGER:-PT10M"),
      Self.event("moment", "DTSTART:\(year)0702T090000", alarm: "TRIGGER;VALUE=DATE-TIME:\(year)0101T120000Z"),
      Self.event("weekly", "DTSTART;TZID=Europe/Paris:20260105T073000\nRRULE:FREQ=WEEKLY;BYDAY=MO,TU,TH"),
      Self.event(
        "night", "DTSTART;TZID=Europe/Paris:20260105T000500\nRRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SA",
        alarm: "TRIGGER:-PT10M"),
      Self.event("last", "DTSTART:20260131T090000\nRRULE:FREQ=MONTHLY;BYMONTHDAY=-1", alarm: "TRIGGER:-P2D"),
      Self.event(
        "except",
        "DTSTART;TZID=Europe/Paris:\(year)0102T090000\nRRULE:FREQ=DAILY;COUNT=5\n"
          + "EXDATE;TZID=Europe/Paris:\(year)0102T090000,\(year)0103T090000"),
      Self.event("birthday", "DTSTART;VALUE=DATE:19800615\nRRULE:FREQ=YEARLY", alarm: "TRIGGER:-PT15H"),
      Self.event(
        "twice", "DTSTART;TZID=Europe/Paris:\(year)0702T090000",
        alarm: "TRIGGER:-PT1H\nEND:VALARM\nBEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT5M"),
      Self.event("past", "DTSTART:20200101T090000Z"),
    ]
    let text = Self.calendar(events.joined(separator: "\n"))
    let expected = try RunningProgram.run(
      "/usr/bin/python3", ["-c", Self.oracle],
      environment: ["PATH": "/usr/bin:/bin", "PYTHONTZPATH": FixedZones.folder], input: text)
    #expect(expected.status == 0, "\(expected.errors)")
    let dates = try JSONDecoder().decode([String: Int].self, from: Data(expected.output.utf8))
    let session = try Self.session()
    let taken = try session.suzu("import", "-", input: text)
    #expect(taken.status == 0, "\(taken.errors)")
    #expect(taken.errors == "skipped because their time has passed: 1\n")
    let reader = ISO8601DateFormatter()
    let ours = try Self.next(session).mapValues { reader.date(from: $0).map { Int($0.timeIntervalSince1970) } ?? 0 }
    #expect(ours == dates)
    #expect(ours.count == 14)
    // The UID is the id: again, and nothing is there twice.
    #expect(try session.suzu("import", "-", input: text).status == 0)
    #expect(try Self.list(session).count == 14)
  }

  @Test(.enabled(if: hasLibical, "no libical here"))
  func `What an event says is shown, and what is done or cancelled is not`() throws {
    let session = try Self.session()
    let text = Self.calendar(
      """
      BEGIN:VEVENT
      UID:a
      DTSTART:20990702T090000
      DTEND:20990702T100000
      RDATE:20990703T090000,20990704T090000
      SUMMARY:Tea\\, with mil
       k
      LOCATION:Kitchen
      DESCRIPTION:Bring\\ncups
      URL:https://example.org/tea
      BEGIN:VALARM
      ACTION:AUDIO
      TRIGGER;RELATED=END:-PT5M
      REPEAT:2
      DURATION:PT5M
      END:VALARM
      BEGIN:VALARM
      ACTION:EMAIL
      TRIGGER:PT0S
      END:VALARM
      END:VEVENT
      \(Self.event("b", "DTSTART:20990702T090000\nSTATUS:CANCELLED"))
      \(Self.event("c", "DTSTART:20990702T090000\nCOMPLETED:20260101T000000Z", kind: "VTODO"))
      \(Self.event("d", "DTSTART:20990701T090000\nRRULE:FREQ=DAILY;COUNT=3"))
      \(Self.event("d", "RECURRENCE-ID:20990701T090000\nDTSTART:20990701T120000"))
      """)
    let taken = try session.suzu("import", "-", input: text)
    #expect(taken.status == 0, "\(taken.errors)")
    #expect(
      taken.errors == "standard input: line 20: skipped an alarm of kind EMAIL, which shows nothing\n")
    let rows = try Self.list(session)
    let next = try Self.next(session).mapValues { String($0.dropLast(6)) }
    #expect(
      next == [
        "a": "2099-07-02T09:55:00", "a/20990703T090000": "2099-07-03T09:55:00",
        "a/20990704T090000": "2099-07-04T09:55:00", "d": "2099-07-02T08:45:00",
        "d/20990701T090000": "2099-07-01T11:45:00",
      ])
    let tea = try #require(rows.first { $0["id"] as? String == "a" })
    #expect(tea["title"] as? String == "Tea, with milk" && tea["body"] as? String == "Kitchen\nBring\ncups")
    #expect(tea["url"] as? String == "https://example.org/tea" && tea["sound"] as? String == "default")
    #expect(tea["every"] as? String == "5m" && tea["count"] as? Int == 3)
  }

  @Test(
    .enabled(if: hasLibical, "no libical here"),
    arguments: [
      ("DTSTART:20990702T090000\nRRULE:FREQ=WEKLY", 6, "invalid recurrence rule"),
      ("DTSTART:20991302T090000", 5, "'20991302T090000' is not a date or a date and time"),
      ("DTSTART:soon", 5, "invalid date or date and time"),
      ("SUMMARY:x", 3, "this VEVENT has an alarm, but neither"),
      (
        "DTSTART;TZID=W. Europe Standard Time:20990702T090000", 5,
        "unknown time zone 'W. Europe Standard Time'; use an IANA name such as Europe/Paris; use --skip to skip it"
      ),
      (
        "DTSTART:20990701T000500\nRRULE:FREQ=MONTHLY;BYDAY=1WE", 6,
        "an alarm on another day than its event is not supported for this rule; use --skip to skip it"
      ),
      (
        "DTSTART:20990702T090000\nRRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY", 7,
        "a second RRULE or an EXRULE is not supported"
      ),
      ("DTSTART:20990702T090000\nX-SUZU-REQUEST:nonsense", 6, "this was not written by 'suzu export'"),
    ])
  func `A mistake is told with its line, and nothing is taken`(lines: String, line: Int, problem: String) throws {
    let session = try Self.session()
    let good = Self.event("good", "DTSTART:20990702T090000")
    // The lines before: the calendar's three, and two of the event's.
    let text = Self.calendar(Self.event("bad", lines).replacing("SUMMARY:bad\n", with: "") + "\n" + good)
    let refused = try session.suzu("import", "-", input: text)
    #expect(refused.status == 65 && refused.output == "")
    // Without the summary the event's own lines begin one earlier.
    let place = lines.hasPrefix("SUMMARY") ? "line 4" : "line \(line + 1)"
    #expect(refused.errors.contains(", \(place), column ") && refused.errors.contains(problem), "\(refused.errors)")
    #expect(refused.errors.split(separator: "\n").count == 1)
    #expect(try session.process(of: "dev.suzu.Center") == nil)
    guard problem.contains("--skip") else { return }
    let skipped = try session.suzu("import", "-", "--skip", input: text)
    #expect(skipped.status == 0 && skipped.output == "good\n" && skipped.errors.contains("\(place): skipped: "))
  }

  @Test(.enabled(if: hasLibical, "no libical here"))
  func `Files of nothing but damage end in one line`() throws {
    let whole = Self.calendar(Self.event("a", "DTSTART:20990702T090000\nRRULE:FREQ=DAILY;COUNT=3"))
    let bytes = Array(whole.utf8)
    var inputs = stride(from: 16, to: bytes.count - 1, by: 23).map { String(decoding: bytes[..<$0], as: UTF8.self) }
    inputs.append("BEGIN:VCALENDAR\n" + String(repeating: " \n\t\n", count: 20_000))
    inputs.append("BEGIN:VCALENDAR\nX:" + String(repeating: "a", count: 2_000_000))
    inputs.append(String(repeating: "BEGIN:VCALENDAR\n", count: 50_000))
    for input in inputs {
      let ended = try RunningProgram.run(
        Session.programs + "/suzu", ["import", "-"], environment: ["TZ": "UTC"], input: input)
      #expect(ended.status == 65 && ended.output == "", "\(input.prefix(200))")
      #expect(
        ended.errors.hasPrefix("suzu: import: standard input, line ") && ended.errors.count < 200, "\(ended.errors)")
    }
  }

  @Test func `Without libical it is said what to install, and nothing else is missed`() throws {
    let folder = try TemporaryFolder()
    try folder.write("none", to: "libical.so.3")
    let environment = ["TZ": "UTC", "LD_LIBRARY_PATH": folder.path("")]
    for (words, input) in [(["import", "-"], Self.calendar("")), (["export", "--ics"], "")] {
      let ended = try RunningProgram.run(
        Session.programs + "/suzu", words, environment: environment, input: input)
      #expect(ended.status == 69 && ended.output == "")
      #expect(ended.errors.hasSuffix("get it with: apt install libical3\n"), "\(ended.errors)")
    }
    let help = try RunningProgram.run(Session.programs + "/suzu", ["import", "--help"], environment: environment)
    #expect(help.status == 0 && help.errors == "")
  }

  // MARK: There and back

  @Test(.enabled(if: hasLibical, "no libical here"), arguments: ["--ics", "--app=dev.suzu.Suzu"])
  func `What is exported and imported again is the same list`(flag: String) throws {
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
    // On standard output it is the same, but for when it was written.
    let printed = try session.suzu("export", flag).output
    #expect(printed.split(separator: "\n").count == session.folder.read("out")?.split(separator: "\n").count)
  }

  @Test(.enabled(if: hasLibical, "no libical here"))
  func `What comes after a while comes then, and not that long after the import`() throws {
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
  func `Other programs read what is exported, and what they change counts`() throws {
    let session = try Self.session()
    for arguments in [
      ["Up", "--every", "Mon..Fri 07:30", "--zone", "Europe/Paris", "--id", "up"],
      [
        "Ends", "--rule", "FREQ=WEEKLY;UNTIL=20991231T120000", "--from", "2099-01-05 12:00", "--zone", "Asia/Tokyo",
        "--id", "ends",
      ],
      ["Stretch", "--every", "90m", "--id", "s"],
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
        up|Up|Europe/Paris|FREQ=DAILY;BYSECOND=0;BYMINUTE=30;BYHOUR=7;BYDAY=MO,TU,WE,TH,FR|''|0:00:00
        ['Asia/Tokyo', 'Europe/Paris']

        """, "\(seen.errors)")
    // Somebody moves it, and calls it something else: the rest is as it was.
    let moved = text.replacing("DTSTART:20991224T180000", with: "DTSTART:20991225T190000")
      .replacing("SUMMARY:Eve", with: "SUMMARY:Day")
    #expect(try session.suzu("import", "-", input: moved).status == 0)
    let eve = try #require(try Self.list(session).first { $0["id"] as? String == "eve" })
    #expect((eve["next"] as? String)?.hasPrefix("2099-12-25T19:00:00") == true && eve["title"] as? String == "Day")
    #expect(eve["style"] as? String == "alert" && (eve["body"] as? String)?.hasPrefix("Zeile 1\nZwei;") == true)
  }

  @Test(.enabled(if: hasLibical, "no libical here"))
  func `A calendar may bring programs along only where one says so`() throws {
    let session = try Self.session()
    let request = #"{"title": "x", "id": "x", "at": "2099-01-01 07:00", "actions": [{"id": "a", "run": ["true"]}]}"#
    #expect(try session.suzu("import", "-", input: request).status == 0)
    let text = try session.suzu("export", "--ics").output
    let refused = try session.suzu("import", "-", input: text)
    #expect(refused.status == 65 && refused.errors.contains("a button runs a program"), "\(refused.errors)")
    #expect(try session.suzu("import", "-", "--trust", input: text).output == "x\n")
  }

  @Test(arguments: [
    (["import"], "no file given"), (["export", "a", "b"], "unexpected argument 'b'"),
    (["export", "--ics", "--categories"], "'--ics' and '--categories' cannot be combined"),
    (["import", "a", "--skpi"], "did you mean '--skip'?"),
  ])
  func `A mistyped line is one line and 64`(words: [String], complaint: String) throws {
    let ended = try RunningProgram.run(Session.programs + "/suzu", words, environment: ["PATH": "/usr/bin:/bin"])
    #expect(ended.status == 64 && ended.output == "")
    #expect(ended.errors.contains(complaint) && ended.errors.split(separator: "\n").count == 1, "\(ended.errors)")
  }
}
