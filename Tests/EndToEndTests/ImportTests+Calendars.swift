// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests `suzu import` of iCalendar files.
extension ImportTests {
  // MARK: Calendars

  /// The next date of each alarm in a calendar, computed by dateutil with Python's own zones.
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
  func `The alarms of a calendar have the dates that Python computes`() throws {
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
    #expect(taken.errors == "suzu: import: warning: skipped because their time has passed: 1 ('past')\n")
    let reader = ISO8601DateFormatter()
    let ours = try Self.next(session).mapValues { reader.date(from: $0).map { Int($0.timeIntervalSince1970) } ?? 0 }
    #expect(ours == dates)
    #expect(ours.count == 14)
    // The UID is the id: a second import replaces each request.
    #expect(try session.suzu("import", "-", input: text).status == 0)
    #expect(try Self.list(session).count == 14)
  }

  @Test(.enabled(if: hasLibical, "no libical here"))
  func `Events are shown, and finished or cancelled ones are not`() throws {
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
      BEGIN:VEVENT
      UID:e
      DTSTART:20990702T090000
      BEGIN:VALARM
      ACTION:EMAIL
      TRIGGER:PT0S
      END:VALARM
      END:VEVENT
      BEGIN:VEVENT
      UID:f
      DTSTART:20990702T090000
      END:VEVENT
      \(Self.event("b", "DTSTART:20990702T090000\nSTATUS:CANCELLED"))
      \(Self.event("c", "DTSTART:20990702T090000\nCOMPLETED:20260101T000000Z", kind: "VTODO"))
      \(Self.event("d", "DTSTART:20990701T090000\nRRULE:FREQ=DAILY;COUNT=3"))
      \(Self.event("d", "RECURRENCE-ID:20990701T090000\nDTSTART:20990701T120000"))
      """)
    let taken = try session.suzu("import", "-", input: text)
    #expect(taken.status == 0, "\(taken.errors)")
    #expect(
      taken.errors
        // The event whose alarm was skipped was counted as one without an alarm.
        == """
        suzu: import: warning: standard input: line 20: skipped an alarm of kind EMAIL, which shows nothing
        suzu: import: warning: standard input: line 28: skipped an alarm of kind EMAIL, which shows nothing
        suzu: import: warning: standard input: skipped because they have no alarm: 1 ('VEVENT of line 33')

        """)
    let rows = try Self.list(session)
    let next = try Self.next(session).mapValues { String($0.dropLast(6)) }
    #expect(
      next == [
        "a": "2099-07-02T09:55:00", "a/20990703T090000": "2099-07-03T09:55:00",
        "a/20990704T090000": "2099-07-04T09:55:00", "d": "2099-07-02T08:45:00",
        "d/20990701T090000": "2099-07-01T11:45:00",
      ])
    let tea = try #require(rows.first { $0["id"] as? String == "a" })
    #expect(
      tea["title"] as? String == "Tea, with milk"
        && tea["body"] as? String == "Thu 2099-07-02 09:00\nKitchen\nBring\ncups")
    #expect(tea["url"] as? String == "https://example.org/tea" && tea["sound"] as? String == "default")
    #expect(tea["every"] as? String == "5m" && tea["count"] as? Int == 3)
  }

  @Test(.enabled(if: hasLibical, "no libical here"))
  func `A reminder says when its event begins`() throws {
    let session = try Self.session()
    let text = Self.calendar(
      [
        Self.event("once", "DTSTART;TZID=America/New_York:20990702T090000"),
        Self.event("task", "DUE:20990702T090000", kind: "VTODO"),
        Self.event("day", "DTSTART;VALUE=DATE:20990702", alarm: "TRIGGER:-PT9H"),
        Self.event("start", "DTSTART:20990702T090000", alarm: "TRIGGER:PT0S"),
        Self.event("moment", "DTSTART:20990702T090000", alarm: "TRIGGER;VALUE=DATE-TIME:20990701T120000Z"),
        Self.event("weekly", "DTSTART;TZID=Europe/Berlin:20990702T073000\nRRULE:FREQ=WEEKLY"),
        Self.event("there", "DTSTART;TZID=Asia/Tokyo:20990702T000500\nRRULE:FREQ=WEEKLY"),
        Self.event("birthday", "DTSTART;VALUE=DATE:20990615\nRRULE:FREQ=YEARLY", alarm: "TRIGGER:-P2D"),
      ].joined(separator: "\n"))
    let taken = try session.suzu("import", "-", input: text)
    #expect(taken.status == 0, "\(taken.errors)")
    let bodies = Dictionary(
      uniqueKeysWithValues: try Self.list(session).map { ($0["id"] as? String ?? "", $0["body"] as? String ?? "") })
    #expect(
      bodies == [
        "once": "Thu 2099-07-02 15:00 (09:00 America/New_York)", "task": "Thu 2099-07-02 09:00",
        "day": "Thu 2099-07-02", "start": "",
        "moment": "Thu 2099-07-02 09:00", "weekly": "07:30", "there": "tomorrow 00:05 (Asia/Tokyo)",
        "birthday": "in 2 days",
      ])
  }

  @Test(
    .enabled(if: hasLibical, "no libical here"),
    arguments: [
      ("DTSTART:20990702T090000\nRRULE:FREQ=WEKLY", 6, "invalid recurrence rule: "),
      ("DTSTART:20990702T090000\nRRULE:FREQ=WEEKLY;BYDAY=XX", 6, "BYDAY takes MO, TU, WE"),
      ("DTSTART:20991302T090000", 5, "'20991302T090000' is not a date or a date and time"),
      ("DTSTART:soon", 5, "invalid date or date and time 'soon'; write it as 20261124 or 20261124T073000"),
      ("SUMMARY:x", 3, "this VEVENT has an alarm, but neither"),
      (
        "DTSTART;TZID=Customized Time Zone:20990702T090000", 5,
        "unknown time zone 'Customized Time Zone'; use an IANA name such as Europe/Paris"
      ),
      (
        "DTSTART:20990701T000500\nRRULE:FREQ=MONTHLY;BYDAY=1WE", 6,
        "an alarm on another day than its event is not supported for this rule"
      ),
      (
        "DTSTART:20990702T090000\nRRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY", 7,
        "a second RRULE or an EXRULE is not supported"
      ),
      ("DTSTART:20990702T090000\nX-SUZU-REQUEST:nonsense", 6, "this was not written by 'suzu export'"),
    ])
  func `A mistake in a calendar is reported with its line, and stops the import`(
    lines: String, line: Int, problem: String
  ) throws {
    let session = try Self.session()
    let good = Self.event("good", "DTSTART:20990702T090000")
    // Preceded by three lines of the calendar and two of the event.
    let text = Self.calendar(Self.event("bad", lines).replacing("SUMMARY:bad\n", with: "") + "\n" + good)
    let refused = try session.suzu("import", "-", input: text)
    #expect(refused.status == 65 && refused.output == "")
    // Without the summary, the event's own lines begin one line earlier.
    let place = lines.hasPrefix("SUMMARY") ? "line 4" : "line \(line + 1)"
    #expect(refused.errors.contains(", \(place), column ") && refused.errors.contains(problem), "\(refused.errors)")
    #expect(refused.errors.split(separator: "\n").count == 1)
    #expect(try session.process(of: "dev.suzu.Center") == nil)
    #expect(refused.errors.hasSuffix("; use --skip to skip it\n"))
    let skipped = try session.suzu("import", "-", "--skip", input: text)
    #expect(skipped.status == 0 && skipped.output == "good\n" && skipped.errors.contains("\(place): skipped: "))
  }

  // libical reads each of these as an alarm at the start of the event.
  @Test(
    .enabled(if: hasLibical, "no libical here"),
    arguments: ["-PT15", "P", "PT", "foo", "-15M", "-P1DT"])
  func `A broken TRIGGER is an error`(trigger: String) throws {
    let text = Self.calendar(Self.event("a", "DTSTART:20990702T090000", alarm: "TRIGGER:\(trigger)"))
    let refused = try Self.session().suzu("import", "-", input: text)
    #expect(refused.status == 65 && refused.output == "")
    #expect(
      refused.errors.hasSuffix(
        "invalid duration '\(trigger)'; write it as -PT15M, PT0S or -P1D; use --skip to skip it\n"), "\(refused.errors)"
    )
  }

  // The text of the event was lost if the alarm had one.
  @Test(
    .enabled(if: hasLibical, "no libical here"),
    arguments: [("Leave now", "Leave now\nBring cups"), ("Bring cups", "Bring cups"), ("Reminder", "Bring cups")])
  func `The text of the alarm comes before that of the event`(own: String, body: String) throws {
    let session = try Self.session()
    let text = Self.calendar(
      Self.event(
        "a", "DTSTART:20990702T090000\nDESCRIPTION:Bring cups", alarm: "TRIGGER:PT0S\nDESCRIPTION:\(own)"))
    #expect(try session.suzu("import", "-", input: text).status == 0)
    #expect(try Self.list(session).first?["body"] as? String == body)
  }

  @Test(.enabled(if: hasLibical, "no libical here"))
  func `Damaged files give an error of one line`() throws {
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

  @Test func `The error without libical names the package, and other imports work`() throws {
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

  // The export of what was imported could not be imported again.
  @Test func `An app that is no desktop-entry id is refused for a calendar as for a list`() throws {
    let session = try Session()
    let file = try session.folder.write("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", to: "cal.ics")
    let refused = try session.suzu("import", file, "--app", "x y")
    #expect(
      refused.status == 65
        && refused.errors.hasPrefix(
          "suzu: import: '--app' must be a desktop-entry id such as 'org.gnome.Calendar', not 'x y'"),
      "\(refused.errors)")
  }
}
