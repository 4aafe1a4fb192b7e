// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import CenterContract
internal import DBus
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

extension Verb {
  static let next = Verb(
    name: "next", synopsis: "EXPRESSION|ID|TITLE [flags]",
    summary: "preview the next dates of a schedule or of a request",
    flags: [
      Flag("number", letter: "n", "N", "print N dates (default: 5)"),
      Flag("match", "PARTS", "preview the dates with these parts: weekday=2,hour=7 (1 is Sunday); or JSON"),
      Flag(
        "zone", "ZONE", completing: .zones, "read the times in this zone, such as Europe/Paris, not in the machine's"),
      Flag("from", "TIME", "start at this time; a rule begins there"),
      Flag("until", "TIME", "end at this time; a date includes that whole day"),
      Flag("count", "N", "end after N dates, as 'notify --count' does"),
      Flag(
        "app", "APP", completing: .apps,
        "read the word as the id of this app's request (without it, an id of \(NotificationRequest.defaultApp))"),
      Flag("json", nil, "print an array of {\"at\": local time, \"utc\": …, \"note\": the effect of daylight saving}"),
    ],
    words: [.pendingIDs],
    notes: [
      "A word that can be a schedule is one: if a request has the id 'daily', 'suzu next daily' still shows the schedule,",
      "and says so; 'suzu next daily --app \(NotificationRequest.defaultApp)' shows the request.",
    ],
    examples: [
      "suzu next 'Mon,Tue,Thu 07:30'",
      "suzu next 02:30 --zone Europe/Paris --from 2027-03-27",
      "suzu next 'FREQ=MONTHLY;BYDAY=-1FR' --from '2027-01-01 17:00' -n 12",
      "suzu next 'tomorrow 7:30'",
      "suzu next 15m --json",
      "suzu next --match weekday=6,hour=17 --until 2027-03-31",
      "suzu next alarm -n 3                     (of the pending request 'alarm')",
    ]
  ) { arguments, loop in
    let command = try await NextCommand.find(arguments, on: loop)
    switch command {
    case .dates(let command):
      Console.print(arguments.has("json") ? command.json : command.table(width: Console.columns, .output))
    case .condition(let answer): Console.print(arguments.has("json") ? answer.json : answer.text)
    }
    return EX_OK
  }
}

/// `suzu next`: prints the next dates of an expression with notes, without the center, or those of a pending request.
struct NextCommand {
  let rules: ZoneRules
  let zone: String
  /// What the dates are of; nil if only one date is known.
  let trigger: Trigger?
  let dates: [Trigger.Occurrence]

  /// What comes next: dates, or what a condition says.
  enum Answer {
    case dates(NextCommand)
    case condition(ConditionAnswer)

    init(_ row: ListedRequest, count: Int, time: LocalTime) throws(CommandError) {
      if let answer = ConditionAnswer(row) {
        self = .condition(answer)
      } else {
        self = .dates(try NextCommand(row, count: count, time: time))
      }
    }
  }

  /// Tries an expression first: it needs no center.
  static func find(_ arguments: Arguments, on loop: EventLoop) async throws -> Answer {
    let flags = try ScheduleFlags(arguments)
    if flags.match == nil, let parts = MatchText(flags.expression) {
      throw CommandError.data(
        "'\(PrintableText.line(flags.expression, atMost: 60))' is for --match; write --match \(parts.text)")
    }
    if arguments.words.count > 1, arguments.words.allSatisfy({ (try? Duration.parse($0)) != nil }),
      (try? Duration.parse(flags.expression)) == nil
    {
      let names = arguments.words.map { "'\(PrintableText.line($0, atMost: 20))'" }.joined(separator: " and ")
      throw CommandError.usage("\(names) are different schedules; preview one at a time")
    }
    let (count, time) = (try arguments.count("number") ?? 5, LocalTime.current())
    let id = arguments.words.count == 1 && flags.match == nil ? arguments.words[0] : nil
    if let app = arguments.value("app") {
      guard let id else { throw CommandError.usage("'--app' is for the id of a request") }
      try flags.refuseWithID()
      let search = StoredRequestSearch(center: try await Center.connect(on: loop))
      guard let row = try await search.pending(idOrTitle: id, app: app) else {
        if let held = await HeldRemark(center: search.center).error(for: id, app: app) { throw held }
        throw await search.missing(id, app: app, verb: "next")
      }
      if !arguments.has("json"), let remark = await HeldRemark(center: search.center).line(about: row) {
        Console.remark(remark)
      }
      if !arguments.has("json"), let remark = await search.remarkOnCopy(of: row, in: LocalTime.rulesForTables) {
        Console.remark(remark)
      }
      return try .init(row, count: count, time: time)
    }
    do throws(CommandError) {
      let command = try NextCommand(flags, count: count, time: time, keys: TypedKeys(arguments))
      let doubts = [
        MonthOrHours.warning(flags.expression),
        ZoneGuess.warning(zone: flags.zone, every: flags.match == nil ? flags.expression : nil),
        CompletedSchedule.warning(every: flags.expression, from: flags.from),
      ]
      for doubt in doubts.compactMap(\.self) { Console.warn("next", doubt) }
      if let id, await isPending(id, on: loop) {
        let name = PrintableText.line(id, atMost: 60)
        Console.warn(
          "next",
          "'\(name)' is read as a schedule; for the request with this id, add --app "
            + NotificationRequest.defaultApp)
      }
      if !arguments.has("json"), Console.hasReader, let flag = command.flag(for: flags.expression) {
        for line in WordWrap.lines(of: "read as \(flag)", columns: Console.columns ?? .max) { Console.remark(line) }
      }
      return .dates(command)
    } catch {
      // An error of a flag stays. A request may have its own zone where that of the machine is missing.
      guard let id, !id.isEmpty, [EX_DATAERR, EX_CONFIG].contains(error.status), !error.message.hasPrefix("'--"),
        let center = try? await Center.connect(on: loop)
      else {
        throw error
      }
      let search = StoredRequestSearch(center: center)
      var row: ListedRequest?
      do {
        row = try await search.pending(idOrTitle: id, app: NotificationRequest.defaultApp)
        if row == nil, let other = try await search.elsewhere(id, in: [.pending], for: "next", isAppGiven: false) {
          Console.remark("app: \(PrintableText.line(other.app, atMost: 255))")
          row = other
        }
      } catch let ambiguity as CommandError {
        throw ambiguity
      } catch {}  // without a center, the word is no request
      guard let row else {
        if let held = await HeldRemark(center: center).error(for: id, app: NotificationRequest.defaultApp) {
          throw held
        }
        throw await search.similar(to: id, app: NotificationRequest.defaultApp, verb: "next")
          ?? Self.unknown(id, error)
      }
      try flags.refuseWithID()
      if !arguments.has("json"), let remark = await search.remarkOnCopy(of: row, in: LocalTime.rulesForTables) {
        Console.remark(remark)
      }
      if !arguments.has("json"), let remark = await HeldRemark(center: center).line(about: row) {
        Console.remark(remark)
      }
      return try .init(row, count: count, time: time)
    }
  }

  /// Whether a request has this id. A schedule needs no center, so none is started.
  private static func isPending(_ id: String, on loop: EventLoop) async -> Bool {
    let rows = await RunningCenter(loop: loop).ask(CenterMethods.why, NotificationRequest.defaultApp, id, 1)
    return rows?.first?.values[ListingKey.state.rawValue] == .string(ListedRequest.State.pending.rawValue)
  }

  /// The error for a word that is neither an expression nor an id.
  private static func unknown(_ id: String, _ error: CommandError) -> CommandError {
    guard error.message.contains("is neither a weekday nor a shorthand; for example") else { return error }
    return .data(
      "'\(PrintableText.line(id, atMost: 60))' is neither an expression such as 'Mon 07:30' nor the id of a pending "
        + "request; see 'suzu list'")
  }

  init(_ flags: ScheduleFlags, count: Int, time: LocalTime, keys: TypedKeys? = nil) throws(CommandError) {
    let found: (trigger: Trigger, rules: ZoneRules, dates: [Trigger.Occurrence])?
    do throws(TriggerError) {
      found = try Self.trigger(flags, time).map { trigger throws(TriggerError) in
        let rules = try time.rules(trigger.zone)
        var search = DateSearch()
        return (
          trigger, rules, try Self.dates(of: trigger, from: try trigger.first(in: rules, &search), in: rules, count)
        )
      }
    } catch {
      if let problem = time.problem { throw problem }
      // Drop the key of an expression: the user typed none, and its zone may be a part of it.
      let isOfExpression = ["every", "at", "rule"].contains(error.key) || error.key == "zone" && flags.zone == nil
      let text = (isOfExpression ? error.about("") : error).description
      throw .data(isOfExpression ? TypedKeys.inFlags(text) : keys?.text(text) ?? text)
    }
    guard let (trigger, rules, dates) = found else { throw .usage("an expression is missing, such as 'Mon 07:30'") }
    switch trigger.timing {
    case .moment, .wall:
      if let problem = Self.problem(ofSingle: flags) { throw .data(keys?.text(problem) ?? problem) }
    case .interval, .calendar, .rule, .match: break
    }
    self.rules = rules
    self.trigger = trigger
    self.zone = if let name = trigger.zone { name } else { try time.zone().name }
    self.dates = dates
  }

  /// The dates of a pending request, from its next one on.
  init(_ row: ListedRequest, count: Int, time: LocalTime) throws(CommandError) {
    let name = "'\(PrintableText.line(row.id, atMost: 60))'"
    guard let next = row.next.flatMap({ Instant(rfc3339: $0) }) else {
      throw .data("the next date of \(name) is not known")
    }
    do {
      let words = try row.request().schedule
      var search = DateSearch()
      let trigger = try words.storedTrigger(made: time.now, rules: time.rules, &search)
        .map { trigger throws(TriggerError) in try Self.goingOn(trigger, of: row, at: next, time) }
      self.trigger = trigger
      rules = try time.rules(trigger?.zone)
      search.renew()
      // The stored date of a delay counts from when the request was made, which is not known here.
      if case .moment? = trigger?.timing {
        dates = [Trigger.Occurrence(instant: next)]
      } else if let trigger, let first = try trigger.next(after: next.adding(seconds: -1), in: rules, &search) {
        dates = try Self.dates(of: trigger, from: first, in: rules, count)
      } else {
        dates = [Trigger.Occurrence(instant: next)]
      }
      zone = if let name = trigger?.zone { name } else { try time.zone().name }
    } catch {
      throw time.problem ?? (error as? CommandError) ?? .data("\(name): \(error)")
    }
  }

  /// The trigger of a stored request. The center counts an interval on from its stored date, wherever that came from.
  private static func goingOn(
    _ trigger: Trigger, of row: ListedRequest, at next: Instant, _ time: LocalTime
  ) throws(TriggerError) -> Trigger {
    guard case .interval(let interval) = trigger.timing else { return trigger }
    let left = RemainingDates(time: time).count(of: row)
    return try Trigger(
      .interval(Interval(first: next, every: interval.seconds, count: left)), zone: trigger.zone, made: time.now,
      until: trigger.until)
  }

  private static func dates(
    of trigger: Trigger, from first: Trigger.Occurrence?, in rules: ZoneRules, _ count: Int
  ) throws(TriggerError) -> [Trigger.Occurrence] {
    var dates: [Trigger.Occurrence] = []
    var search = DateSearch()
    var next = first
    while let date = next {
      dates.append(date)
      if dates.count >= count { break }
      search.renew()
      next = try trigger.next(after: date.instant, in: rules, last: date.number == nil ? nil : date, &search)
    }
    return dates
  }

  /// Tries a rule, then a repeating time, then a single date.
  private static func trigger(_ flags: ScheduleFlags, _ time: LocalTime) throws(TriggerError) -> Trigger? {
    let (made, start) = try begin(flags.from, flags.zone, time)
    func trigger(_ pattern: Schedule.Pattern) throws(TriggerError) -> Trigger? {
      let bounds = Schedule.Bounds(from: start, until: flags.until)
      let repetition = Schedule.Repetition(pattern, bounds, count: flags.count)
      // The parsers check the texts.
      return try Schedule(trusted: .repeating(repetition), zone: flags.zone).trigger(made: made, rules: time.rules)
    }
    if let match = flags.match { return try trigger(.match(match)) }
    let head = flags.expression.uppercased()
    if ["FREQ=", "RRULE:"].contains(where: head.hasPrefix) { return try trigger(.rule(flags.expression)) }
    do throws(TriggerError) {
      return try trigger(.every(flags.expression))
    } catch {
      guard error.key == "every", error.code == .invalid else { throw error }
      return try single(flags, time, otherwise: error)
    }
  }

  /// The start of the dates, and a creation time that is not after it, so that past dates are allowed.
  private static func begin(
    _ from: String?, _ zone: String?, _ time: LocalTime
  ) throws(TriggerError) -> (made: Instant, start: String?) {
    guard let from else { return (time.now, nil) }
    let rules = try time.rules(zone)
    do throws(TriggerError) {
      let start = try HumanTime.parse(from, now: time.now, zone: rules, acceptsToday: true)
      return (min(time.now, start.instant(now: time.now, zone: rules)), start.description)
    } catch {
      throw error.about("from")
    }
  }

  private static func single(
    _ flags: ScheduleFlags, _ time: LocalTime, otherwise problem: TriggerError
  ) throws(TriggerError) -> Trigger? {
    do throws(TriggerError) {
      return try Schedule(trusted: .at(flags.expression), zone: flags.zone).trigger(made: time.now, rules: time.rules)
    } catch {
      // Report the error that knows better, or of the parser that got further.
      if problem.advice != nil, error.advice == nil { throw problem }
      if error.code != .invalid { throw error }
      if (error.advice == nil) != (problem.advice == nil) { throw error.advice == nil ? problem : error }
      throw error.column ?? 0 > problem.column ?? 0 ? error : problem
    }
  }

  /// The error for a single date with `--until` or `--count`; nil if there is neither.
  private static func problem(ofSingle flags: ScheduleFlags) -> String? {
    var words: [String: PlainValue] = ["at": .text(flags.expression)]
    words["until"] = flags.until.map { .text($0) }
    words["count"] = flags.count.map { .integer(Int64($0)) }
    do throws(RequestError) { _ = try Schedule(words) } catch { return error.description }
    return nil
  }
}
