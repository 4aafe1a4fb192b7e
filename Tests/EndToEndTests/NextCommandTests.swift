// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Tests `suzu next`, which needs neither a bus nor a center.
@Suite(.onOwnThread, .timeLimit(.minutes(2)))
struct NextCommandTests {
  private static func next(
    _ arguments: String..., zone: String = "Europe/Paris"
  ) throws -> (status: Int32, output: String, errors: String) {
    try RunningProgram.run(
      Session.programs + "/suzu", ["next"] + arguments, environment: ["TZ": zone, "TZDIR": FixedZones.folder])
  }

  // It was looked for in the first 10,000 of the list.
  @Test func `A request is found by its id behind ten thousand others`() throws {
    let session = try Session()
    let requests = (0...10_000).map { "{\"id\":\"\($0)\",\"title\":\"t\",\"in\":\"1h\"}" }
    let file = try session.folder.write("[" + requests.joined(separator: ",") + "]", to: "many.json")
    #expect(try session.suzu("import", file).status == 0)
    #expect(try session.suzu("notify", "E", "--id", "daily", "--every", "10:00", "--from", "2099-01-01").status == 0)
    let both = try session.suzu("next", "daily", "-n1")
    #expect(both.errors.contains("'daily' is read as a schedule; for the request with this id, add --app"))
    #expect(try session.suzu("next", "daily", "-n1", "--app", "dev.suzu.Suzu").output.contains("2099-01-01T10:00:00Z"))
    let replaced = try session.suzu("notify", "E", "--id", "daily")
    #expect(replaced.errors.contains("'daily' replaced a pending request, whose repetition"), "\(replaced.errors)")
  }

  @Test func `The dates form a table with notes about daylight saving`() throws {
    let spring = try Self.next("02:30", "--from", "2027-03-27", "-n", "3")
    #expect(spring.status == 0 && spring.errors == "")
    #expect(
      spring.output == """
        Europe/Paris                    UTC                   NOTE
        Sat 2027-03-27 02:30:00 +01:00  2027-03-27T01:30:00Z
        Sun 2027-03-28 03:30:00 +02:00  2027-03-28T01:30:00Z  clocks skip 02:30:00 on 2027-03-28: at 03:30:00 instead
        Mon 2027-03-29 02:30:00 +02:00  2027-03-29T00:30:00Z

        """)
    let autumn = try Self.next("*-*-* 02:30", "--from", "2027-10-31", "-n1", "--zone", "Europe/Berlin", zone: "UTC")
    #expect(
      autumn.output == """
        Europe/Berlin                   UTC                   NOTE
        Sun 2027-10-31 02:30:00 +02:00  2027-10-31T00:30:00Z  the first of two 02:30:00 of that day

        """)
    let plain = try Self.next("Mon,Tue,Thu", "07:30", "--from=2027-01-01")
    #expect(
      plain.output == """
        Europe/Paris                    UTC
        Mon 2027-01-04 07:30:00 +01:00  2027-01-04T06:30:00Z
        Tue 2027-01-05 07:30:00 +01:00  2027-01-05T06:30:00Z
        Thu 2027-01-07 07:30:00 +01:00  2027-01-07T06:30:00Z
        Mon 2027-01-11 07:30:00 +01:00  2027-01-11T06:30:00Z
        Tue 2027-01-12 07:30:00 +01:00  2027-01-12T06:30:00Z

        """)
  }

  @Test func `The JSON has a note only if there is one`() throws {
    let ended = try Self.next("02:30", "--from", "2027-03-28", "-n", "2", "--json")
    #expect(ended.status == 0)
    #expect(
      ended.output == """
        [{"at":"2027-03-28T03:30:00+02:00","note":"clocks skip 02:30:00 on 2027-03-28: at 03:30:00 instead",\
        "utc":"2027-03-28T01:30:00Z"}
        ,{"at":"2027-03-29T02:30:00+02:00","utc":"2027-03-29T00:30:00Z"}
        ]

        """)
    #expect(try JSONSerialization.jsonObject(with: Data(ended.output.utf8)) is [[String: String]])
  }

  private static func dates(_ arguments: String...) throws -> [String] {
    let ended = try RunningProgram.run(
      Session.programs + "/suzu", ["next", "--json"] + arguments,
      environment: ["TZ": "Europe/Paris", "TZDIR": FixedZones.folder])
    let dates = try JSONSerialization.jsonObject(with: Data(ended.output.utf8)) as? [[String: String]]
    return dates?.compactMap { $0["at"] } ?? []
  }

  @Test func `Rules, calendar expressions, durations and human times are told apart`() throws {
    #expect(
      try Self.dates("FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=17;BYMINUTE=0;BYSECOND=0", "--from", "2027-01-01", "-n", "2")
        == ["2027-01-29T17:00:00+01:00", "2027-02-26T17:00:00+01:00"])
    #expect(
      try Self.dates("freq=daily;count=1", "--from", "2027-01-01 12:00") == ["2027-01-01T12:00:00+01:00"])
    #expect(
      try Self.dates("6h", "--from", "2027-03-28 00:00", "-n", "2")
        == ["2027-03-28T00:00:00+01:00", "2027-03-28T07:00:00+02:00"])
    #expect(try Self.dates("24 dec 2099 18:00") == ["2099-12-24T18:00:00+01:00"])
    #expect(try Self.dates("2099-12-24T18:00:00Z") == ["2099-12-24T19:00:00+01:00"])
    #expect(try Self.dates("in 10m").count == 1)
    #expect(try Self.dates("tomorrow 7:30").first?.contains("T07:30:00") == true)
    // Past dates are shown if 'from' is in the past.
    #expect(try Self.dates("Mon 07:30", "--from", "2001-01-01", "-n1") == ["2001-01-01T07:30:00+01:00"])
  }

  @Test(
    arguments: [
      ("tomorow 7:30", "'tomorow' is not a date or time (column 1); did you mean 'tomorrow'?\n"),
      ("daily 07:30", "'daily' stands alone; write '07:30'\n"),
      ("14/06/2035", "'14/06/2035' is not a date; write 2035-06-14\n"),
      (
        "tomorrow 7:30 Europe/Paris",
        "'Europe/Paris' is not a date or time (column 15); give a time zone by '--zone Europe/Paris'\n"
      ),
      ("tomorrow 7:60", "'7:60' is not a time: the minute must be 0 to 59 (column 10)"),
      (
        "FREQ=DAYLY",
        "FREQ must be one of SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY, YEARLY, but found 'DAYLY'"
      ),
      ("mon tue thu 7:30", "weekdays are separated by ',' or joined by '..' (column 5); write 'Mon,Tue,Thu 7:30'\n"),
      ("2001-01-01 07:30", "every date of this schedule has passed"), ("*-02-30", "'*-02-30 00:00:00' never occurs: "),
      ("0s", "cannot repeat more than once a second"), ("", "the expression is empty"),
      ("07:30 Europe/Pari", "'Europe/Pari': unknown time zone"),
      ("Mon 7.30", "'Mon 7.30' is not a schedule; write 'Mon 07:30'\n"),
      ("daly", "'daly' is neither a weekday nor a shorthand; write 'daily'\n"),
      (
        "last friday",
        "'last friday' needs a rule; use the rule 'FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=9'\n"
      ),
    ])
  func `An invalid time gives status 65 with the column`(expression: String, problem: String) throws {
    let ended = try Self.next(expression)
    #expect(ended.status == 65 && ended.output == "")
    #expect(ended.errors.hasPrefix("suzu: next: \(problem)"), "\(ended.errors)")
    #expect(ended.errors.count { $0 == "\n" } == 1)
  }

  @Test func `A schedule may have an end, a number of dates, and parts of a date`() throws {
    #expect(try Self.dates("15m", "--from", "2027-01-01 12:00", "--count", "2", "-n", "9").count == 2)
    #expect(
      try Self.dates("07:30", "--from", "2027-01-01", "--until", "2027-01-02")
        == ["2027-01-01T07:30:00+01:00", "2027-01-02T07:30:00+01:00"])
    #expect(
      try Self.dates("FREQ=DAILY", "--from", "2027-01-01 12:00", "--count", "1") == ["2027-01-01T12:00:00+01:00"])
    #expect(
      try Self.dates("--match", "weekday=6,hour=17", "--from", "2027-01-01", "-n", "2")
        == ["2027-01-01T17:00:00+01:00", "2027-01-08T17:00:00+01:00"])
    // 'tomorrow' was accepted, and 'today' was not.
    let today = try Self.dates("1h", "--from", "today", "--until", "today", "-n", "99")
    #expect((23...25).contains(today.count) && Set(today.map { $0.prefix(10) }).count == 1, "\(today)")
    for (arguments, problem) in [
      (["tomorrow 7:30", "--count", "3"], "'--count' applies only to repetitions; for example '--every 15m'\n"),
      (["15m", "--match", "day=1"], "'--match' and '15m' cannot be combined"),
      // It named the schedule, which is right.
      (["Mon 07:30", "--until", "2020-01-01"], "'--until': '2020-01-01' has passed; give a later time, or none\n"),
      (
        ["*-12-24 18:00", "--from", "2027-01-01", "--until", "2027-02-01"],
        "'--until': no date of this schedule is before '2027-02-01'; give a later time, or none\n"
      ),
      (["--match", "weekday=9"], "'--match': weekday must be 1 to 7, not 9"),
    ] {
      let ended = try RunningProgram.run(
        Session.programs + "/suzu", ["next"] + arguments, environment: ["TZ": "UTC", "TZDIR": FixedZones.folder])
      #expect(ended.output == "" && ended.errors.hasPrefix("suzu: next: \(problem)"), "\(ended.errors)")
    }
  }

  @Test func `The coming dates of a pending request are shown by its id`() throws {
    let session = try Session(variables: ["TZDIR": FixedZones.folder])
    for arguments in [
      ["W", "--id", "alarm", "--every", "Mon 07:30", "--zone", "Asia/Tokyo"],
      ["S", "--id", "stretch", "--every", "15m", "--count", "3"], ["O", "--id", "once", "--at", "2099-01-01 09:00"],
      ["D", "--id", "daily", "--every", "09:00", "--app", "a.b"],
    ] {
      #expect(try session.suzu(["notify"] + arguments).status == 0)
    }
    let alarm = try session.suzu("next", "alarm", "-n", "2").output.split(separator: "\n")
    #expect(alarm.count == 3 && alarm[0].hasPrefix("Asia/Tokyo "), "\(alarm)")
    #expect(alarm.dropFirst().allSatisfy { $0.hasPrefix("Mon ") && $0.contains(" 07:30:00 +09:00") }, "\(alarm)")
    #expect(try session.suzu("next", "stretch", "-n", "9").output.split(separator: "\n").count == 4)
    #expect(try session.suzu("next", "once").output.contains("Thu 2099-01-01 09:00:00 +00:00"))
    // The word is an expression, too.
    let daily = try session.suzu("next", "daily", "-n1")
    #expect(daily.output.contains(" 00:00:00 ") && daily.errors == "")
    #expect(try session.suzu("notify", "E", "--id", "daily", "--every", "10:00").status == 0)
    let both = try session.suzu("next", "daily", "-n1")
    #expect(both.output == daily.output)
    #expect(
      both.errors
        == "suzu: next: warning: 'daily' is read as a schedule; for the request with this id, add --app dev.suzu.Suzu\n"
    )
    #expect(try session.suzu("next", "daily", "-n1", "--app", "dev.suzu.Suzu").output.contains(" 10:00:00 "))
    #expect(try session.suzu("next", "daily", "-n1", "--app", "a.b").output.contains(" 09:00:00 "))
    let near = try session.suzu("next", "alram")
    #expect(near.status == 65 && near.errors.hasSuffix("; did you mean 'alarm'?\n"), "\(near.errors)")
    for arguments in [["dentist"], ["dentist", "--from", "2027-03-27"]] {
      let unknown = try session.suzu(["next"] + arguments)
      #expect(unknown.status == 65)
      #expect(
        unknown.errors
          == "suzu: next: 'dentist' is neither an expression such as 'Mon 07:30' nor the id of a pending request; see "
          + "'suzu list'\n")
    }
    // It said that 'alarm' is no weekday.
    for arguments in [["alarm", "--from", "2027-03-27"], ["daily", "--app", "a.b", "--from", "2027-03-27"]] {
      let combined = try session.suzu(["next"] + arguments)
      #expect(combined.status == 64)
      #expect(combined.errors.hasPrefix("suzu: next: '--from' cannot be combined with the id of a request; "))
    }
    let none = try session.suzu("next", "x", "--app", "a.b")
    #expect(none.status == 65 && none.errors.contains("no request is called 'x' (app a.b)"), "\(none.errors)")
  }

  @Test func `A time that names its zone does not need the machine's`() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("Some"), withIntermediateDirectories: false)
    try FixedZones.file("Europe/Paris").write(to: folder.url.appending(path: "Some/Zone"))
    let environment = ["TZ": "UTC", "TZDIR": folder.url.path]
    func next(_ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
      try RunningProgram.run(Session.programs + "/suzu", ["next"] + arguments, environment: environment)
    }
    let named = try next("04:30", "--zone", "Some/Zone", "--from", "2027-01-01", "-n1")
    #expect(named.status == 0 && named.errors == "", "\(named.errors)")
    #expect(named.output.contains("Fri 2027-01-01 04:30:00 +01:00  2027-01-01T03:30:00Z"), "\(named.output)")
    let unnamed = try next("04:30")
    #expect(unnamed.status == 78 && unnamed.errors.contains("the machine's time zone: 'UTC'"), "\(unnamed.errors)")
  }

  @Test func `A rule that takes too many steps gives status 65 and a remedy`() throws {
    let ended = try Self.next(
      "FREQ=SECONDLY;INTERVAL=86399;BYHOUR=20;BYMINUTE=59;BYSECOND=1", "--from", "2026-11-21 20:59:00", zone: "UTC")
    #expect(ended.status == 65)
    #expect(
      ended.errors
        == "suzu: next: finding the next date takes more than 100000 steps; simplify it or give a later '--from'\n")
  }

  @Test func `The error for a wrong zone or start names it`() throws {
    #expect(try Self.next("15m", "--zone", "Mars").errors.hasPrefix("suzu: next: '--zone': 'Mars': unknown time zone"))
    #expect(
      try Self.next("15m", "--from", "soon").errors.hasPrefix("suzu: next: '--from': 'soon' is not a date or time"))
    let nowhere = try Self.next("15m", zone: "Nowhere/Land")
    #expect(nowhere.status == 78)
    #expect(nowhere.errors.hasPrefix("suzu: next: the machine's time zone: 'Nowhere/Land': "), "\(nowhere.errors)")
  }
}
