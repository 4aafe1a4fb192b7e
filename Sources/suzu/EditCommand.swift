// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

extension Verb {
  static let edit = Verb(
    name: "edit", synopsis: "ID|TITLE [TITLE [BODY]] [flags]",
    summary: "change a scheduled or shown request, and keep the rest",
    flags: [
      Flag(
        "app", "APP", completing: .apps, "name the app that owns it (default: \(NotificationRequest.defaultApp))"),
      Flag("json", nil, "print an object with 'app' and 'id'"),
    ] + NotifyCommand.flags.filter { !["wait", "file", "id", "app", "json"].contains($0.name) },
    shownFlags: ["app", "json"], words: [.ids, .nothing],
    notes: [
      "All flags of 'suzu notify' are accepted except --wait, --file and --id. Each replaces the value that the request has.",
      "--at and --every with only a time keep the days, and with only days keep the time; for every day at another time,",
      "write --every '*-*-* 08:00'. --every also keeps the zone in an expression, and --in the repetition of --repeat;",
      "--every replaces the delay of such a repetition. A repetition keeps the start that --from gave. --action replaces",
      "all buttons; a button that keeps its id keeps what it does, unless a flag gives it something else to do. Without",
      "--action, --run ID=COMMAND and its like change that one button.",
      "A notification that is on the screen is shown again in its place or, with a date such as --in 10m, leaves the",
      "screen until then.",
    ],
    examples: [
      "suzu edit dentist --at 'tomorrow 08:00'",
      "suzu edit alarm --every 'Mon,Tue,Thu 08:00'",
      "suzu edit alarm 'Time to get up' --action later=Later --snooze later=10m",
      "suzu edit alarm --snooze later=5m",
    ]
  ) { arguments, loop in
    let command = try EditCommand(arguments)
    return try await command.run(on: loop)
  }
}

/// `suzu edit`: reads a request from the center, changes it, and stores it under its id.
struct EditCommand {
  private let id: String
  private let app: String
  /// The new values by key.
  let changes: [String: PlainValue]
  private let isJSON: Bool
  private let arguments: Arguments

  init(_ arguments: Arguments) throws(CommandError) {
    guard let id = arguments.words.first else { throw .usage("an id is missing") }
    if let unquoted = UnquotedTime(arguments, bodyIndex: 2)?.problem
      ?? UnquotedCommand(arguments, bodyIndex: 2)?.problem
    {
      throw .usage(unquoted)
    }
    if arguments.words.count == 2, arguments.words[1].contains(":"), UnquotedTime.isTime(arguments.words[1]) {
      let time = CommandWords.quoted(arguments.words[1])
      Console.warn("edit", "\(time) is the new title; for another time, write --at \(time)")
    }
    try NotifyCommand.refuseTwins(arguments)
    try arguments.refuseWords(after: 3)
    self.id = id
    var changes = try NotifyCommand.words(arguments, editing: true)
    // Two hints of notify-send set the id as well.
    changes["id"] = nil
    if case .text(let app)? = changes.removeValue(forKey: "app") {
      self.app = app
    } else {
      app = NotificationRequest.defaultApp
    }
    if arguments.words.count > 1 { changes["title"] = .text(arguments.words[1]) }
    if arguments.words.count > 2 { changes["body"] = .text(arguments.words[2]) }
    self.changes = changes
    isJSON = arguments.has("json")
    self.arguments = arguments
    let keys = TypedKeys(arguments, words: ["title", "body"], actions: changes["actions"])
    do throws(RequestError) { try TextChecks.check(changes) } catch { throw .data(keys.text(error.description)) }
  }

  func run(on loop: EventLoop) async throws -> Int32 {
    let center = try await Center.connect(on: loop)
    let search = StoredRequestSearch(center: center)
    let found = try await search.find(idOrTitle: id, app: app)
    guard let row = found.pending ?? found.delivered else {
      if found.past == nil { throw await search.missing(id, app: app, verb: "edit", rest: ["…"]) }
      throw CommandError.data("'\(PrintableText.line(id, atMost: 60))' has ended; schedule it again with 'suzu notify'")
    }
    if changes.isEmpty { throw CommandError.usage("nothing to change; give a title or a flag such as --at") }
    let request = try Self.merge(row, changes, isPending: found.pending != nil)
    do throws(RequestError) { try TextChecks.checkVisible(request) } catch {
      throw CommandError.data(TypedKeys(arguments, words: ["title", "body"]).text(error.description))
    }
    NotifyCommand.warnOfFiles(changes, by: "edit")
    do throws(SuzuError) { _ = try await center.notify(request) } catch {
      guard error.code == .invalidRequest else { throw error }
      if let problem = Self.passedOnKeptDay(row, changes, request, error.message) { throw CommandError.data(problem) }
      // The center counts all buttons of the request.
      let keys = TypedKeys(arguments, words: ["title", "body"], actions: request["actions"])
      throw CommandError.data(keys.text(await CategoryHint(center).message(error.message, for: [request])))
    }
    // As a snooze does: what is to be shown later is not shown now.
    if found.pending == nil, isLater(request) { _ = try await center.dismiss(app: app, ids: [row.id]) }
    warn()
    if !isJSON, let understood = NotifyCommand.understood(request) { Console.remark(understood) }
    let obstacles = Obstacles(center, environment: ChildProcess.inheritedEnvironment)
    if changes["on"] != nil, let line = await obstacles.unknownCondition(of: row.id, request, on: loop) {
      Console.warn("edit", line)
    }
    if isJSON { Console.print(PlainValue.dictionary(["app": .text(app), "id": .text(row.id)]).json) }
    return EX_OK
  }

  /// Warns of values that are accepted, but may mean something else.
  private func warn() {
    func text(_ key: String) -> String? { if case .text(let text)? = changes[key] { text } else { nil } }
    let doubts = [
      text("every").flatMap(MonthOrHours.warning), ZoneGuess.warning(zone: text("zone"), every: text("every")),
    ]
    for doubt in doubts.compactMap(\.self) { Console.warn("edit", doubt) }
  }

  /// Whether the changes have a date, and that is far enough away not to have been shown already.
  private func isLater(_ request: [String: PlainValue]) -> Bool {
    guard NotifyCommand.times.contains(where: { changes[$0] != nil }) else { return false }
    guard case .text(let delay)? = request["in"], let duration = try? Duration.parse(delay) else { return true }
    return duration >= .seconds(1)
  }

  /// The request of a row with the changes.
  ///
  /// - Parameter isPending: whether its dates are still to come; if not, it is shown at once unless the changes have a
  ///   date.
  static func merge(
    _ row: ListedRequest, _ changes: [String: PlainValue], isPending: Bool,
    now: Instant = Instant(Int64(Glibc.time(nil)))
  ) throws(CommandError) -> [String: PlainValue] {
    var request = ListingKey.request(in: row.words)
    let changed = NotifyCommand.times.first { changes[$0] != nil }
    let times = EditedTimes(row, request)
    if isPending { try times.refuseSingle(changes) }
    if isPending, changes["every"] != nil || changes["rule"] != nil || changes["repeat"] == .flag(true),
      times.repetition == nil, let date = date(of: row)
    {
      throw .usage(
        "'\(row.id)' is shown once (\(date)); change that with --at or --in, or use 'suzu notify --id' for one that "
          + "repeats")
    }
    if changed != nil || !isPending {
      let start = KeptStart(request, now: now)
      // Other components, and another pause, repeat as those before did.
      let isSameKind = changed.map { ["match", "in"].contains($0) && request[$0] != nil } ?? false
      let repeats = isPending && isSameKind ? request["repeat"] : nil
      for key in NotifyCommand.times + ["repeat", "from", "cooldown", "during", "now"] { request[key] = nil }
      request["repeat"] = repeats
      let key = changed == "in" && repeats == nil ? nil : changed
      if isPending, let key, let from = start?.from(for: key) { request["from"] = .text(from) }
    } else if request["in"] != nil, request["repeat"] != .flag(true), let next = row.next {
      // The delay began when the request was made.
      request["in"] = nil
      request["at"] = .text(next)
    }
    if !isPending { for key in ["until", "count", "zone"] { request[key] = nil } }
    let old = request
    request.merge(changes) { $1 }
    try EditedActions(old, changes).apply(to: &request)
    guard isPending else { return request }
    // A time without a day keeps the day, and a day without a time keeps the time.
    if case .text(let text)? = changes["at"] {
      if let day = day(of: row), let time = EditedTimes.timeAlone(text) {
        let kept = request["zone"] == nil ? offset(of: row).map { "\(day)T\(time)\($0)" } : nil
        request["at"] = .text(kept ?? "\(day) \(text)")
      } else if let time = time(of: row), isDayAlone(text) {
        request["at"] = .text("\(text) \(time)")
      }
    }
    if case .text(let text)? = changes["every"] { try times.complete(text, changes, in: &request) }
    return request
  }

  /// The error for a time that has passed on the day that was kept; nil if the error of the center is another one.
  ///
  /// The center names the whole date, which the user has not typed.
  static func passedOnKeptDay(
    _ row: ListedRequest, _ changes: [String: PlainValue], _ request: [String: PlainValue], _ message: String
  ) -> String? {
    guard case .text(let typed)? = changes["at"], case .text(let at)? = request["at"], at != typed,
      message.contains("'\(at)' has passed"), EditedTimes.isTimeAlone(typed),
      let day = day(of: row).flatMap({ CivilDate($0) })
    else { return nil }
    let date = ZoneRules.utc.shortText(ZoneRules.utc.resolve(CivilDateTime(day, .midnight))).prefix(14)
    return "--at with only a time keeps the day (\(date)), on which '\(PrintableText.line(typed, atMost: 60))' has "
      + "passed; for the next day, use --at \(CommandWords.quoted("tomorrow \(typed)"))"
  }

  /// The date of the row, in its own zone or at its own offset; nil if it has none.
  private static func day(of row: ListedRequest) -> String? {
    var texts: [String?] = [{ if case .text(let at)? = row.words["at"] { at } else { nil } }(), row.next]
    // A delay is stored in UTC, and the next date is that of the clocks.
    if texts[0]?.hasSuffix("Z") == true { texts.reverse() }
    return texts.lazy.compactMap { $0 }.map { String($0.prefix(10)) }.first { CivilDate($0) != nil }
  }

  /// The offset that the row's date was given with, such as `+01:00`; nil if it has none.
  private static func offset(of row: ListedRequest) -> UTCOffset? {
    if case .text(let at)? = row.words["at"] { HumanTime.offset(in: at) } else { nil }
  }

  /// The time of day of the row's date, in its own zone; nil if it has none.
  private static func time(of row: ListedRequest) -> String? {
    if case .text(let at)? = row.words["at"], let time = try? HumanTime.parse(at, now: Instant(0), zone: .utc),
      case .wall(let wall) = time.meaning
    {
      return "\(wall.time)"
    }
    // A moment is stored in UTC, and the next date is that of the clocks.
    return row.next.flatMap { CivilDateTime(String($0.prefix(19))) }.map { "\($0.time)" }
  }

  /// Whether the text names a day, and no time of day.
  private static func isDayAlone(_ text: String) -> Bool {
    let time = try? HumanTime.parse(text, now: Instant(0), zone: .utc, acceptsToday: true)
    if case .day? = time?.meaning { return true }
    return false
  }

  /// The date of a request that is shown once; nil if it waits for something that is no date.
  private static func date(of row: ListedRequest) -> String? {
    if case .text(let at)? = row.words["at"] { return "at: \(PrintableText.line(at, atMost: 100))" }
    return row.next.map { "on \($0)" }
  }
}
