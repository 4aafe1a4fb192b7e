// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

extension Verb {
  static let notify = Verb(
    name: NotifyCommand.name, synopsis: "TITLE [BODY] [flags]", summary: "show a notification, now or later",
    groups: NotifyCommand.groups + [FlagGroup("Flags of notify-send", NotifyCommand.notifySendFlags)],
    notes: [
      "'man suzu' lists every form of a time, and says more about each flag.",
      "Hints with a flag of their own set that flag (urgency, value, image-path,",
      "sound-name, sound-file, suppress-sound); x-canonical-private-synchronous and",
      "x-dunst-stack-tag also set the id. All other hints reach the server unchanged.",
      "Four things differ from notify-send: the body is plain text without --markup,",
      "the id is always printed, --action waits only with --wait or spelled -A, and no",
      "answer is status 1. 'suzu notify-send', or a link of that name to suzu, behaves",
      "like notify-send in all four.",
    ],
    examples: [
      "suzu notify 'Tea is ready' --in 4m",
      "suzu notify 'Standup' --every 'Mon..Fri 09:25' --zone Europe/Paris --url https://example.org/room",
      "suzu notify 'Rent' --rule 'FREQ=MONTHLY;BYMONTHDAY=-1' --from '2026-11-30 09:00'",
      "suzu notify 'Get up' --every 'Mon,Tue,Thu 07:30' --style alert --missed skip --grace 30m",
      "suzu notify 'Deploy?' 'Version 2.4 to production' --action yes=Deploy --action no='Not now' --wait",
      "suzu notify 'The minutes are online' --url https://example.org/minutes",
      "suzu notify --file reminders.plist",
      "suzu notify -u critical -t 5000 -i dialog-warning 'Battery low'",
    ]
  ) { arguments, loop in
    try await NotifyCommand(arguments, as: .suzu).run(on: loop)
  }

  static let notifySend = Verb(
    name: NotifyCommand.notifySendName, synopsis: "SUMMARY [BODY] [flags]",
    summary: "show a notification with the flags and output of notify-send",
    flags: NotifyCommand.allNotifySendFlags,
    shownFlags: NotifyCommand.notifySendNames,
    notes: [
      "All flags of 'suzu notify' are accepted, too. The body may contain markup, and \\n starts a new line. Only",
      "--print-id and --action print something; buttons imply --wait; no answer is status 0. The number that --print-id",
      "prints is for --replace-id and 'suzu dismiss', not for the notification server. A link to suzu named notify-send",
      "does the same: ln -s \"$(command -v suzu)\" ~/.local/bin/notify-send",
    ],
    examples: [
      "suzu notify-send -u critical -a 'Backup script' 'Backup failed' 'See <b>the log</b>'",
      "id=$(suzu notify-send -p 'Copying' -h int:value:10); suzu notify-send -r \"$id\" 'Copying' -h int:value:90",
      "suzu notify-send -A yes=Deploy -A 'Not now' 'Deploy?'",
    ]
  ) { arguments, loop in
    try await NotifyCommand(arguments, as: .notifySend).run(on: loop)
  }
}

/// `suzu notify`: flags and files to requests, and requests to the center.
struct NotifyCommand {
  static let name = "notify"
  static let notifySendName = "notify-send"

  /// Whose flags and output the command follows.
  enum Dialect {
    case suzu, notifySend
  }

  let requests: [[String: PlainValue]]
  /// The file of the requests; nil if flags gave the request.
  let file: RequestFile?
  /// Whether the requests came as a list, which is accepted whole or not at all.
  let isList: Bool
  let waits: Bool
  /// Whether to print the id before waiting.
  let printsID: Bool
  let dialect: Dialect
  let isJSON: Bool
  let keys: TypedKeys
  /// The id that `--id` gave, if the request comes from flags alone.
  private let givenID: String?

  init(_ arguments: Arguments, as dialect: Dialect) throws(CommandError) {
    self.dialect = dialect
    if dialect == .suzu {
      if let unquoted = UnquotedTime(arguments)?.problem ?? UnquotedCommand(arguments)?.problem {
        throw .usage(unquoted)
      }
      try Self.refuseTwins(arguments)
      if let number = arguments.value("expire-time").flatMap({ Int($0) }), 1..<100 ~= number {
        let form = arguments.typed("expire-time") ?? "--expire-time"
        Console.warn(
          "notify", "'\(form) \(number)' means \(number) milliseconds; for seconds, write --expires \(number)s")
      }
    } else if let id = arguments.value("replace-id"), Int32(id.drop { $0 == " " }) == nil {
      // In the words of GLib, with the status of notify-send.
      let form = arguments.typed("replace-id") ?? "--replace-id"
      throw CommandError(
        message: "Cannot parse integer value “\(PrintableText.line(id, atMost: 60))” for \(form)", status: 1)
    }
    guard arguments.words.count <= 2 else {
      if dialect == .suzu, let time = FlagWithoutDashes(arguments.words) {
        throw .usage("unexpected argument '\(arguments.words[2])'; did you mean \(time.flag)?")
      }
      throw .usage("unexpected argument '\(arguments.words[2])'; put the title and the body in quotes")
    }
    var words = try Self.words(arguments)
    isJSON = arguments.has("json")
    if let title = arguments.words.first { words["title"] = .text(title) }
    if arguments.words.count > 1 { words["body"] = .text(arguments.words[1]) }
    if dialect == .notifySend {
      Self.behave(&words, hasProgress: arguments.has("progress"))
    } else {
      Self.warnOfFiles(words, by: "notify")
    }
    keys = TypedKeys(arguments, words: ["title", "body"], actions: words["actions"])
    givenID = dialect == .suzu && arguments.value("file") == nil ? arguments.value("id") : nil
    printsID = arguments.has("print-id")
    waits = arguments.has("wait") || arguments.has(letter: "A") || dialect == .notifySend && words["actions"] != nil
    guard let file = arguments.value("file") else {
      if words["title"] == nil || dialect == .notifySend && words["title"] == .text("") {
        throw .usage("a title is missing")
      }
      if dialect == .suzu {
        do throws(RequestError) {
          try TextChecks.check(words)
          try TextChecks.checkVisible(words)
          try TextChecks.checkDate(words)
        } catch {
          throw .data(keys.text(error.description))
        }
      }
      // The center checks the request, so that all clients get the same errors.
      (requests, isList, self.file) = ([words], false, nil)
      return
    }
    let read = try RequestFile(file, words, keys)
    (requests, isList, self.file) = (read.requests, read.isList, read)
    guard isList else { return }
    if waits { throw .usage("'--wait' is for one request; the file has a list") }
    if requests.count > 1, words["id"] != nil { throw .usage("'--id' is for one request; the file has several") }
  }

  func run(on loop: EventLoop) async throws -> Int32 {
    if let status = try await runAtHome(on: loop) { return status }
    if let status = try await runInTerminal(on: loop) { return status }
    let center = try await Center.connect(on: loop)
    if isList {
      let ids = try await named(center) { try await center.notify(requests) }.map(\.text)
      let lines = isJSON ? zip(requests, ids).map { Self.json(Self.app(of: $0), $1) } : ids
      // A single write for all lines.
      Console.print(isJSON ? "[" + lines.joined(separator: "\n,") + "\n]" : lines.joined(separator: "\n"))
      return EX_OK
    }
    if waits { return try await wait(for: center, on: loop) }
    let understood = isJSON ? nil : Self.understood(requests[0])
    let remarks = [await lostKeys(center), midnight, month, summerTime].compactMap(\.self)
    // In flight together with the request.
    async let obstacles = obstacles(center)
    let id = try await named(center) { try await center.notify(requests[0]) }.text
    if let understood { Console.remark(understood) }
    for line in remarks + (await obstacles) + (await unknownCondition(of: id, center, on: loop)) {
      Console.warn("notify", line)
    }
    if isJSON {
      Console.print(Self.json(Self.app(of: requests[0]), id))
    } else if dialect == .suzu || printsID {
      Console.print(id)
    }
    return EX_OK
  }

  /// Describes the first date, for a user who may have meant another. Returns nil if the center will refuse the time.
  static func understood(_ words: [String: PlainValue]) -> String? {
    var search = DateSearch()
    let time = LocalTime.current()
    guard Console.hasReader, let request = try? NotificationRequest(words), !request.schedule.isNow,
      let trigger = try? request.schedule.trigger(made: time.now, rules: time.rules),
      let rules = try? time.rules(trigger.zone), let first = try? trigger.first(in: rules, &search)
    else { return nil }
    return remark(on: first, of: trigger, in: rules, now: time.now)
  }

  static func remark(
    on first: Trigger.Occurrence, of trigger: Trigger, in rules: ZoneRules, now: Instant
  ) -> String {
    (trigger.repeats ? "first on " : "on ") + rules.text(first.instant) + (trigger.zone.map { " (\($0))" } ?? "")
      + ", \(Distance.text(first.instant.seconds - now.seconds))" + (first.note(in: rules).map { "; \($0)" } ?? "")
  }

  /// Runs a call; an error names the flags instead of the keys, and a similar category.
  private func named<Result>(_ center: Center, _ call: () async throws -> Result) async throws -> Result {
    do {
      return try await call()
    } catch let error as SuzuError where error.code == .invalidRequest {
      let message = await CategoryHint(center).message(error.message, for: requests)
      throw file?.complaint(message) ?? .data(keys.text(message))
    } catch {
      throw RequestSize.error(error, of: requests, in: file?.name)
    }
  }

  /// What a pending request with the same id has and the new one lacks; nil if nothing is lost.
  private func lostKeys(_ center: Center) async -> String? {
    guard let givenID else { return nil }
    let search = StoredRequestSearch(center: center)
    guard let row = try? await search.pending(givenID, app: Self.app(of: requests[0])) else { return nil }
    return ReplacedRequest(row).loss(in: requests[0])
  }

  /// A warning about a repetition at midnight whose start names another time.
  private var midnight: String? {
    guard dialect == .suzu, case .text(let every)? = requests[0]["every"], case .text(let from)? = requests[0]["from"]
    else { return nil }
    return CompletedSchedule.warning(every: every, from: from)
  }

  /// A warning about a date that may be meant as hours.
  private var month: String? {
    guard dialect == .suzu, case .text(let every)? = requests[0]["every"] else { return nil }
    return MonthOrHours.warning(every)
  }

  /// A warning about a zone without summer time.
  private var summerTime: String? {
    func text(_ key: String) -> String? { if case .text(let text)? = requests[0][key] { text } else { nil } }
    return dialect == .suzu ? ZoneGuess.warning(zone: text("zone"), every: text("every")) : nil
  }

  /// Scripts written for notify-send expect no further output, unless the notification is lost.
  private func obstacles(_ center: Center) async -> [String] {
    let obstacles = Obstacles(center, environment: ChildProcess.inheritedEnvironment)
    if dialect == .notifySend {
      return waits ? [] : [await obstacles.denial(of: Self.app(of: requests[0]))].compactMap(\.self)
    }
    return await obstacles.lines(for: requests[0], waits: waits, isFromFile: file != nil)
  }

  /// Of an accepted request. It can keep the notification from ever coming, so that a script for notify-send is told,
  /// too.
  private func unknownCondition(of id: String, _ center: Center, on loop: EventLoop) async -> [String] {
    let obstacles = Obstacles(center, environment: ChildProcess.inheritedEnvironment)
    return [await obstacles.unknownCondition(of: id, requests[0], on: loop)].compactMap(\.self)
  }

  // MARK: The answer

  private func wait(for center: Center, on loop: EventLoop) async throws -> Int32 {
    let request = requests[0]
    let app = Self.app(of: request)
    // Listen first: the answer may come before the id.
    let wait = try await AnswerWait(for: center, on: loop)
    let understood = isJSON ? nil : Self.understood(requests[0]).map { $0 + "; waiting until it is answered" }
    let remarks = [await lostKeys(center), midnight, month, summerTime].compactMap(\.self)
    async let obstacles = obstacles(center)
    let id = try await named(center) { try await center.notify(request) }.text
    if let understood { Console.remark(understood) }
    for line in remarks + (await obstacles) + (await unknownCondition(of: id, center, on: loop)) {
      Console.warn("notify", line)
    }
    if printsID && !isJSON { Console.print(id) }
    let answer = await wait.answer(to: id, of: app) {
      await Self.needsDialog($0, in: request, center) ? .text : .nothing
    }
    switch answer {
    case .response(let response) where isJSON:
      Console.print(Self.json(app, id, response))
      return EX_OK
    case .response(let response):
      if dialect == .suzu || offers(response.action) { Console.print(response.action) }
      if let reply = response.reply { Console.print(reply) }
      return EX_OK
    case .dialogMissing(let response, let outcome):
      if isJSON { Console.print(Self.json(app, id)) }
      if response.action == Action.listID, case .failed(let why) = outcome {
        Console.complain("notify: its buttons could not be shown in a list: \(why)")
        return EX_UNAVAILABLE
      }
      let (status, why) = outcome.missingText
      Console.complain("notify: '\(PrintableText.line(response.action, atMost: 60))' was chosen, but \(why)")
      return status == 1 && dialect == .notifySend ? EX_OK : status
    case .ended(let end):
      if isJSON { Console.print(Self.json(app, id)) }
      let status = status(of: end)
      if dialect == .suzu || status != EX_OK, let remark = end.remark(of: app) { Console.complain("notify: \(remark)") }
      return status
    case .centerEnded:
      Console.complain("notify: the center ended before there was an answer")
      return EX_UNAVAILABLE
    case .notDone, .timeLimit, .askerGone: return EX_UNAVAILABLE  // Only `suzu ask` waits for these.
    case .interrupted(let signal):
      // Without the caller, the question has no purpose.
      _ = try? await center.cancel(app: app, ids: [id])
      _ = try? await center.dismiss(app: app, ids: [id])
      Process.end(by: signal)
    }
  }

  /// Whether the action of this id, of the request or of its category, asks for a line of text, or is none of theirs
  /// but the click that opens the list.
  private static func needsDialog(_ id: String, in request: [String: PlainValue], _ center: Center) async -> Bool {
    if case .list(let actions)? = request["actions"] {
      let words = actions.lazy.compactMap { if case .dictionary(let words) = $0 { words } else { nil } }
      return words.first { $0["id"] == .text(id) }.map { $0["input"] != nil } ?? (id == Action.listID)
    }
    guard case .text(let category)? = request["category"],
      let known = try? await center.categories(app: app(of: request))
    else { return false }
    let actions = known.first { $0.category.id.isIdentical(to: category) }?.category.actions ?? []
    return actions.first { $0.id.isIdentical(to: id) }.map { $0.input != nil } ?? (id == Action.listID)
  }

  /// A request that could not be shown, because of an error or a missing permission, is a failure in both dialects.
  func status(of end: RequestEnd) -> Int32 {
    switch end {
    case .notAllowed: EX_NOPERM
    case .failed: EX_UNAVAILABLE
    default: dialect == .suzu ? 1 : EX_OK
    }
  }

  static func app(of request: [String: PlainValue]) -> String {
    if case .text(let app)? = request["app"] { app } else { NotificationRequest.defaultApp }
  }

  static func json(_ app: String, _ id: String, _ response: Response? = nil) -> String {
    var words: [String: PlainValue] = ["app": .text(app), "id": .text(id)]
    words["action"] = response.map { .text($0.action) }
    words["reply"] = response?.reply.map { .text($0) }
    words["due"] = response?.due.map { .text($0) }
    return PlainValue.dictionary(words).json
  }

  /// Whether the action is one of the request's own, not the default click that every server reports.
  func offers(_ action: String) -> Bool {
    guard case .list(let actions)? = requests[0]["actions"] else { return false }
    return actions.contains { one in
      if case .dictionary(let words) = one { words["id"] == .text(action) } else { false }
    }
  }
}
