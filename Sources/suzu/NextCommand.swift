// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

extension Verb {
  static let next = Verb(
    name: "next", synopsis: "EXPRESSION [flags]", summary: "preview the next dates of a schedule",
    flags: [
      Flag("number", letter: "n", "N", "print N dates (default: 5)"),
      Flag(
        "zone", "ZONE", completing: .zones, "read the times in this zone, such as Europe/Paris, not in the machine's"),
      Flag("from", "TIME", "start at this time; a rule begins there"),
      Flag("json", nil, "print an array of {\"at\": local time, \"utc\": …, \"note\": the effect of daylight saving}"),
    ],
    examples: [
      "suzu next 'Mon,Tue,Thu 07:30'",
      "suzu next 02:30 --zone Europe/Paris --from 2027-03-27",
      "suzu next 'FREQ=MONTHLY;BYDAY=-1FR' --from '2027-01-01 17:00' -n 12",
      "suzu next 'tomorrow 7:30'",
      "suzu next 15m --json",
    ]
  ) { arguments, _ in
    guard !arguments.words.isEmpty else { throw CommandError.usage("an expression is missing, such as 'Mon 07:30'") }
    let command = try NextCommand(
      // Quotes around the expression are optional.
      arguments.words.joined(separator: " "), zone: arguments.value("zone"), from: arguments.value("from"),
      count: arguments.count("number") ?? 5, time: LocalTime.current())
    Console.print(arguments.has("json") ? command.json : command.table(width: Console.columns, .output))
    return EX_OK
  }
}

/// `suzu next`: prints the next dates of an expression with notes, without the center.
struct NextCommand {
  private let rules: ZoneRules
  private let zone: String
  let dates: [Trigger.Occurrence]

  init(_ expression: String, zone: String?, from: String?, count: Int, time: LocalTime) throws(CommandError) {
    let found: (trigger: Trigger, rules: ZoneRules, dates: [Trigger.Occurrence])?
    do throws(TriggerError) {
      found = try Self.trigger(expression, zone, from, time).map { trigger throws(TriggerError) in
        let rules = try time.rules(trigger.zone)
        return (trigger, rules, try Self.dates(of: trigger, in: rules, count))
      }
    } catch {
      if let problem = time.problem { throw problem }
      // Drop the key: the user typed only an expression.
      throw .data((["every", "at", "rule"].contains(error.key) ? error.about("") : error).description)
    }
    guard let (trigger, rules, dates) = found else { throw .usage("an expression is missing, such as 'Mon 07:30'") }
    self.rules = rules
    self.zone = if let name = trigger.zone { name } else { try time.zone().name }
    self.dates = dates
  }

  private static func dates(
    of trigger: Trigger, in rules: ZoneRules, _ count: Int
  ) throws(TriggerError) -> [Trigger.Occurrence] {
    var dates: [Trigger.Occurrence] = []
    var search = DateSearch()
    var next = try trigger.first(in: rules, &search)
    while let date = next {
      dates.append(date)
      if dates.count >= count { break }
      search.renew()
      next = try trigger.next(after: date.instant, in: rules, last: date.number == nil ? nil : date, &search)
    }
    return dates
  }

  /// Tries a rule, then a repeating time, then a single date.
  private static func trigger(
    _ expression: String, _ zone: String?, _ from: String?, _ time: LocalTime
  ) throws(TriggerError) -> Trigger? {
    let (made, start) = try begin(from, zone, time)
    func trigger(_ pattern: Schedule.Pattern) throws(TriggerError) -> Trigger? {
      let repetition = Schedule.Repetition(pattern, Schedule.Bounds(from: start, until: nil), count: nil)
      // The parsers check the texts.
      return try Schedule(trusted: .repeating(repetition), zone: zone).trigger(made: made, rules: time.rules)
    }
    let head = expression.uppercased()
    if ["FREQ=", "RRULE:"].contains(where: head.hasPrefix) { return try trigger(.rule(expression)) }
    do throws(TriggerError) {
      return try trigger(.every(expression))
    } catch {
      guard error.key == "every", error.code == .invalid else { throw error }
      return try single(expression, zone, time, otherwise: error)
    }
  }

  /// The start of the dates, and a creation time that is not after it, so that past dates are allowed.
  private static func begin(
    _ from: String?, _ zone: String?, _ time: LocalTime
  ) throws(TriggerError) -> (made: Instant, start: String?) {
    guard let from else { return (time.now, nil) }
    let rules = try time.rules(zone)
    do throws(TriggerError) {
      let start = try HumanTime.parse(from, now: time.now, zone: rules)
      return (min(time.now, start.instant(now: time.now, zone: rules)), start.description)
    } catch {
      throw error.about("from")
    }
  }

  private static func single(
    _ expression: String, _ zone: String?, _ time: LocalTime, otherwise problem: TriggerError
  ) throws(TriggerError) -> Trigger? {
    do throws(TriggerError) {
      return try Schedule(trusted: .at(expression), zone: zone).trigger(made: time.now, rules: time.rules)
    } catch {
      // Report the error of the parser that got further.
      throw error.code != .invalid || error.column ?? 0 > problem.column ?? 0 ? error : problem
    }
  }

  // MARK: Output

  /// Nothing is cut, because the notes matter. In a narrow terminal they move below the date.
  func table(width: Int?, _ ink: Ink = .none) -> String {
    let notes = dates.map { $0.note(in: rules) }
    var columns = [zone, "UTC"].map { Table.Column($0, least: 20, rank: 0) }
    if notes.contains(where: { $0 != nil }) { columns.append(Table.Column("NOTE", least: 4, rank: 0)) }
    let rows = zip(dates, notes).map { date, note in
      [rules.text(date.instant, isShort: true), date.instant.description, note ?? ""].prefix(columns.count).map(\.self)
    }
    let table = Table(columns, rows: rows, width: nil)
    guard let width, ([table.heading] + rows.map(table.line)).contains(where: { DisplayWidth.of($0) > width }) else {
      return table.text(rows, ink)
    }
    return narrowTable(notes, width, ink)
  }

  private func narrowTable(_ notes: [String?], _ width: Int, _ ink: Ink) -> String {
    let whole = dates.map { rules.text($0.instant, isShort: true) }
    let fits = whole.allSatisfy { $0.count <= width }
    var lines = [ink.bold(zone.fitted(to: width, mark: "…"))]
    for (index, note) in notes.enumerated() {
      lines += WordWrap.lines(of: fits ? whole[index] : rules.shortText(dates[index].instant), columns: width)
      lines += WordWrap.lines(of: note ?? "", columns: max(1, width - 2)).map { "  " + $0 }
    }
    return lines.joined(separator: "\n")
  }

  /// One date per line.
  var json: String {
    let objects = dates.map { date in
      var words: [String: PlainValue] = ["utc": .text(date.instant.description)]
      words["at"] = date.instant.rfc3339(at: rules.offset(at: date.instant)).map { .text($0) }
      words["note"] = date.note(in: rules).map { .text($0) }
      return PlainValue.dictionary(words).json
    }
    return "[" + objects.joined(separator: "\n,") + "\n]"
  }
}
