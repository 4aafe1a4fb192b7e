// SPDX-License-Identifier: Apache-2.0
import NotificationModel
import TestSupport
import Testing
import Triggers
import Zoneinfo

/// Tests that no rule makes a search for dates longer than its budget, which counts steps and not time.
@Suite struct StepTests {
  private static let made = Instant(rfc3339: "2026-11-20T10:00:00Z") ?? Instant(0)

  private static func rules(_ name: String?) throws(TriggerError) -> ZoneRules {
    do {
      return try ZoneDatabase(folder: FixedZones.folder).zone(named: name ?? "Europe/Paris").rules
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// Runs all that is done with a request: at intake, when a date has come, and after a sleep of some years.
  ///
  /// - Returns: the most steps that one of these took.
  private static func play(_ schedule: Schedule, years: [Int64] = [0, 1, 400]) throws -> Int {
    var most = 0
    func search(_ body: (inout DateSearch) throws -> Void) throws {
      var search = DateSearch()
      defer { most = max(most, search.taken) }
      do { try body(&search) } catch let error as TriggerError {
        if error.code == .tooLong { #expect(error.description.contains("simplify it"), "\(error)") }
      }
    }
    try search { search in _ = try schedule.trigger(made: made, rules: rules, &search) }
    for years in years {
      let moment = made.adding(seconds: years * 31_556_952)
      try search { search in
        guard let trigger = try schedule.storedTrigger(made: made, rules: rules, &search) else { return }
        let zone = try rules(trigger.zone)
        _ = try trigger.next(after: moment, in: zone, &search)
      }
      try search { search in
        guard let trigger = try schedule.storedTrigger(made: made, rules: rules, &search) else { return }
        let zone = try rules(trigger.zone)
        _ = try trigger.last(after: years == 400 ? Instant(-62_000_000_000) : made, through: moment, in: zone, &search)
      }
    }
    return most
  }

  @Test func `A rule with many excluded dates and a start long ago needs few steps`() throws {
    let excluded = (0..<1000).map { "EXDATE:2026\(10 + $0 % 3)0\(1 + $0 % 9)T0\($0 % 10)\(10 + $0 % 50)00" }
    let rule = (["FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=1;COUNT=1000000000"] + excluded).joined(separator: "\n")
    let steps = try Self.play(Schedule.rule(rule, from: "0001-01-01 00:00"), years: [0, 1])
    print("steps: 1000 excluded dates: \(steps)")
    #expect(steps < DateSearch.mostSteps)
  }

  @Test(arguments: [2027, 2500, 9999]) func `A year of weeks is found directly`(year: Int) throws {
    var search = DateSearch()
    let schedule = try Schedule.match(["yearForWeekOfYear": year], zone: "Europe/Paris")
    let trigger = try #require(try schedule.trigger(made: Self.made, rules: Self.rules, &search))
    let found = try trigger.first(in: Self.rules("Europe/Paris"), &search)?.wall?.date
    // The week with 1 January in it may begin in December.
    #expect(found.map { $0.year == year || $0.month == 12 && $0.day > 25 && $0.year == year - 1 } == true)
    #expect(search.taken < 1000, "\(search.taken)")
  }

  @Test func `Each date is counted from the previous one, and not from the start`() throws {
    for text in [
      "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1;COUNT=100000", "FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=1;COUNT=100000",
      "FREQ=DAILY;COUNT=100000", "FREQ=MINUTELY;INTERVAL=17;COUNT=100000;BYHOUR=3",
    ] {
      var search = DateSearch()
      let trigger = try #require(
        try Schedule.rule(text).trigger(made: Self.made, rules: Self.rules, &search))
      var date = try trigger.first(in: .utc, &search)
      for _ in 0..<5000 {
        guard let known = date else { break }
        date = try trigger.next(after: known.instant, in: .utc, &search)
        search.renew()
      }
      #expect(date != nil && search.taken < 5000 * 40, "\(text): \(search.taken)")
    }
  }

  @Test func `Usual dates are found, however rare`() throws {
    for text in [
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", "FREQ=YEARLY;BYWEEKNO=53;BYDAY=SU;BYSETPOS=1",
      "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=1000", "FREQ=MONTHLY;BYMONTHDAY=31;BYSETPOS=-1",
      "FREQ=WEEKLY;INTERVAL=2;COUNT=1000;BYDAY=MO,FR", "FREQ=DAILY;INTERVAL=13;BYMONTHDAY=29;BYMONTH=2",
    ] {
      for from in ["2026-11-20 10:00", "1970-01-01 00:00", "0001-01-01 00:00"] {
        let schedule = try Schedule.rule(text, zone: "Australia/Lord_Howe", from: from)
        let steps = try Self.play(schedule, years: [0, 1, 10])
        var search = DateSearch()
        let trigger = try schedule.storedTrigger(made: Self.made, rules: Self.rules, &search)
        _ = try trigger?.next(after: Self.made, in: Self.rules("Australia/Lord_Howe"), &search)
        print("steps: \(text) from \(from): \(search.taken), at most \(steps)")
      }
    }
  }

  /// A count of the ticks of a day was charged with all of them, not only those at allowed times: finding the sixth
  /// date of the first rule took more steps than a search has.
  @Test(arguments: [
    "FREQ=SECONDLY;INTERVAL=2;BYDAY=MO,SU;BYHOUR=17;BYMINUTE=21,22,48;BYSECOND=5",
    "FREQ=SECONDLY;BYHOUR=3;BYMINUTE=0,30;BYSECOND=59;BYSETPOS=1",
    "FREQ=SECONDLY;INTERVAL=3;BYHOUR=9,10,11;BYMINUTE=0", "FREQ=MINUTELY;INTERVAL=2;BYHOUR=3;BYMINUTE=7,8",
  ])
  func `Rare moments of a rule of seconds are numbered in few steps`(text: String) throws {
    let recurrence = try Recurrence(try RecurrenceRule.parse(text), from: wall("2021-08-31T11:51:39"))
    let dates = Array(recurrence.dates(from: recurrence.start).prefix(200))
    for (index, date) in dates.enumerated() {
      var search = DateSearch()
      #expect(try recurrence.number(of: date, &search) == index + 1)
      search.renew()
      #expect(try recurrence.date(index + 1, &search) == date)
      #expect(search.taken < 20_000)
    }
  }

  @Test func `A search that is too long is refused with its key and a remedy`() throws {
    let schedule = try Schedule.rule(
      "FREQ=SECONDLY;INTERVAL=86399;BYMONTH=2;BYMONTHDAY=29;BYHOUR=20;BYMINUTE=59;BYDAY=MO")
    var search = DateSearch(steps: 1000)
    let error = #expect(throws: TriggerError.self) {
      try schedule.trigger(made: Self.made, rules: Self.rules, &search)
    }
    #expect(error?.code == .tooLong && error?.key == "rule")
    #expect(
      error?.description
        == "'rule': finding the next date takes more than 1000 steps; simplify it or give a later 'from'")
    #expect(search.taken <= 1000 + 200)
  }

  // MARK: Hostile schedules at random

  private static func hostileRule(_ random: inout SeededNumbers) -> String {
    let frequency = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"][random.number(0...6)]
    var rule = "FREQ=\(frequency)"
    let isOfDays = ["YEARLY", "MONTHLY", "WEEKLY", "DAILY"].contains(frequency)
    if random.chance(60) {
      let intervals = [2, 3, 7, 61, 86_399, 86_401, 9973, 1_000_003, 999_999_999]
      rule += ";INTERVAL=\(intervals[random.number(0...intervals.count - 1)])"
    }
    if random.chance(60) { rule += ";COUNT=\([1, 1000, 100_000, 1_000_000_000][random.number(0...3)])" }
    if random.chance(50) { rule += ";BYMONTH=\(random.list(1...12, most: 3))" }
    if random.chance(40), frequency != "WEEKLY" {
      rule += ";BYMONTHDAY=\(random.chance(50) ? "29,30,31" : random.list(1...31, most: 31))"
    }
    if random.chance(30), frequency == "YEARLY" { rule += ";BYWEEKNO=\(random.list(1...53, most: 53))" }
    if random.chance(30), frequency == "YEARLY" || !isOfDays {
      rule += ";BYYEARDAY=\((1...random.number(1...366)).map(String.init).joined(separator: ","))"
    }
    if random.chance(60) { rule += ";BYDAY=\(random.chance(50) ? "MO" : "MO,TU,WE,TH,FR,SA,SU")" }
    if random.chance(40) { rule += ";BYHOUR=\(random.list(0...23, most: 24))" }
    if random.chance(40) { rule += ";BYMINUTE=\(random.list(0...59, most: 60))" }
    if random.chance(40) { rule += ";BYSECOND=\(random.list(0...59, most: 60))" }
    if random.chance(50) { rule += ";BYSETPOS=\(random.chance(50) ? "366" : random.list(-366...366, most: 100))" }
    if random.chance(40) {
      for _ in 0..<random.number(1...300) {
        let day = "\(random.number(2000...2600))\(random.number(10...12))\(random.number(10...28))"
        rule += "\nEXDATE:\(random.chance(50) ? day : day + "T\(random.number(10...23))0000")"
      }
    }
    return rule
  }

  private static func hostileSchedule(_ random: inout SeededNumbers) throws -> Schedule {
    let zone = ["Europe/Paris", "Australia/Lord_Howe", "UTC"][random.number(0...2)]
    let from = ["0001-01-01 00:00", "1600-02-29 12:34:56", "2026-11-20 10:00", "9000-01-01"][random.number(0...3)]
    switch random.number(0...4) {
    case 0:
      let names = ComponentMatch.Component.allCases
      var match: [String: Int] = [:]
      for _ in 0..<random.number(1...6) {
        let name = names[random.number(0...names.count - 1)]
        match[name.rawValue] = random.number(1...(name.rawValue.contains("year") ? 9999 : 7))
      }
      return try Schedule.repeating(.match(match), zone: zone, from: from, count: random.chance(50) ? 5000 : nil)
    case 1:
      let years = random.chance(50) ? "*" : "\(random.number(1...9999))/\(random.number(1...400))"
      let many = (0..<random.number(1...400)).map { "\(2 * $0 + 1)" }.joined(separator: ",")
      return try Schedule.every(
        "Mon \(random.chance(30) ? many : years)-02-29 \(random.number(0...23)):00", zone: zone, from: from,
        count: random.chance(50) ? 100_000 : nil)
    default: return try Schedule.rule(hostileRule(&random), zone: zone, from: from)
    }
  }

  @Test func `No input makes a search longer than its budget`() throws {
    var random = SeededNumbers(seed: 12)
    let schedules = 250
    var most = 0
    for _ in 0..<schedules {
      let schedule = try Self.hostileSchedule(&random)
      let steps = try Self.play(schedule)
      most = max(most, steps)
      // The step that exceeds the limit may be several: a day of seconds, or a month with long lists.
      #expect(steps <= DateSearch.mostSteps + 12_000, "\(schedule)")
    }
    print("steps: at most \(most) in \(schedules) hostile schedules; a search ends after \(DateSearch.mostSteps)")
  }
}
