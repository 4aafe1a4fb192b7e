// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import NotificationModel
internal import Triggers
internal import Zoneinfo

extension Verb {
  static let quiet = Verb(
    name: "quiet", synopsis: "[show|on|off|until|for|add|remove|pass|desktop|after] [WORD…]",
    summary: "hold notifications during quiet hours",
    flags: [
      Flag("app", "APP", completing: .apps, "set quiet hours of this app alone (default: of all apps)"),
      Flag("json", nil, "with show: print an object with 'quiet', 'until', 'hours', 'pass', 'held', 'apps'"),
    ],
    words: [.words(QuietCommand.verbs), .words(QuietLimit.allCases.map(\.rawValue) + ["default", "on", "off"])],
    notes: [
      "Held notifications are shown when quiet hours end. 'pass LEVEL' sets the lowest level that is shown during quiet",
      "hours: all, active, timeSensitive (the default), critical or nothing; an app may have its own. An alarm that you",
      "have set with 'suzu notify' counts as timeSensitive: one with a time, and with --sound, --wake or --style alert.",
      "'off' also skips the hours that are on, until they begin again.",
    ],
    examples: [
      "suzu quiet",
      "suzu quiet on",
      "suzu quiet for 2h",
      "suzu quiet until 'tomorrow 07:00'",
      "suzu quiet off",
      "suzu quiet add 'Mon..Fri 22:00..07:00'",
      "suzu quiet add 'Sun *-*-1..7 14:00 for 3h'      (on the first Sunday of a month)",
      "suzu quiet remove 'Mon..Fri 22:00..07:00'",
      "suzu quiet pass critical",
      "suzu quiet pass all --app org.example.Medication",
      "suzu quiet add 09:00..17:00 --app org.example.Chatter",
      "suzu quiet desktop on                          (also while its 'Do not disturb' is on)",
      "suzu quiet after each                          (not as one notification)",
    ]
  ) { arguments, loop in
    let words = arguments.words
    let verb = words.first ?? "show"
    if verb == "show" {
      try arguments.refuseWords(after: 1)
      try await QuietCommand.show(arguments, on: loop)
      return EX_OK
    }
    if arguments.has("json") { throw CommandError.usage("'--json' is for 'suzu quiet show'") }
    try await QuietCommand(verb, Array(words.dropFirst()), app: arguments.value("app")).run(on: loop)
    return EX_OK
  }
}

/// `suzu quiet`: shows and changes quiet hours.
struct QuietCommand {
  static let verbs = ["show", "on", "off", "until", "for", "add", "remove", "pass", "desktop", "after"]

  private let app: String?
  private var edit = QuietEdit()
  /// Removes all hours.
  private var removesAll = false

  init(
    _ verb: String, _ words: [String], app: String?, time: LocalTime = .current()
  ) throws(CommandError) {
    self.app = app
    if let app {
      do throws(RequestError) { try AppID.checkAsNew(app) } catch {
        throw .data("'\(PrintableText.line(app, atMost: 60))' \(error.problem)")
      }
    }
    switch verb {
    case "on", "off":
      try Self.refuse(words, after: 0)
      edit.turn = verb == "on" ? .on : .off
    case "until", "for":
      guard let text = words.first else {
        throw .usage(verb == "for" ? "a duration is missing, such as 2h" : "a time is missing, such as 07:00")
      }
      try Self.refuse(words, after: 1)
      let end = try TypedEnd.moment(
        text, time, mustBe: verb == "for" ? "a duration such as 2h" : "a time such as 07:00 or 'tomorrow 08:00'",
        durationsOnly: verb == "for")
      edit.turn = .until(end.seconds)
    case "add":
      guard !words.isEmpty else { throw .usage("hours are missing, such as 'Mon..Fri 22:00..07:00'") }
      for text in words { try Self.check(text) }
      edit.add = words
    case "remove":
      guard !words.isEmpty else { throw .usage("hours are missing; see 'suzu quiet', or use 'suzu quiet remove all'") }
      removesAll = words == ["all"]
      if !removesAll { edit.remove = words }
    case "pass": edit.limit = try Self.limit(words, app)
    case "desktop":
      guard words.count == 1, ["on", "off"].contains(words[0]) else { throw .usage("'desktop' needs on or off") }
      edit.followsDesktop = words[0] == "on"
    case "after":
      guard words.count == 1, ["digest", "each"].contains(words[0]) else {
        throw .usage("'after' needs digest or each")
      }
      edit.comesOneByOne = words[0] == "each"
    default:
      let near = suggestion(for: verb, among: Self.verbs)
      let shown = PrintableText.line(verb, atMost: 60)
      throw .usage("'\(shown)' is not one of \(Self.verbs.joined(separator: ", "))\(near)")
    }
    if app != nil, verb == "desktop" || verb == "after" { throw .usage("'\(verb)' is for all apps together") }
  }

  private static func refuse(_ words: [String], after count: Int) throws(CommandError) {
    guard words.count > count else { return }
    throw .usage("unexpected argument '\(PrintableText.line(words[count], atMost: 60))'")
  }

  private static func check(_ text: String) throws(CommandError) {
    do throws(TriggerError) { _ = try QuietSpan.parse(text) } catch {
      throw .data("'\(PrintableText.line(text, atMost: 60))': \(TypedKeys.inFlags(error.about("").description))")
    }
  }

  private static func limit(_ words: [String], _ app: String?) throws(CommandError) -> QuietLimit? {
    let known = QuietLimit.allCases.map(\.rawValue) + ["default"]
    guard let word = words.first else { throw .usage("a level is missing: one of \(known.joined(separator: ", "))") }
    try refuse(words, after: 1)
    if word == "default" { return nil }
    guard let limit = QuietLimit(rawValue: word) else {
      let shown = PrintableText.line(word, atMost: 60)
      throw .data("'\(shown)' is not one of \(known.joined(separator: ", "))\(suggestion(for: word, among: known))")
    }
    return limit
  }

  // MARK: Changing

  func run(on loop: EventLoop) async throws {
    let center = try await Center.connect(on: loop)
    var edit = edit
    if removesAll { edit.remove = try await center.quiet(app: app).hours.hours }
    try await center.setQuiet(edit, app: app)
    guard Console.hasReader, edit.turn != nil else { return }
    let report = try await center.quiet(app: app)
    let text = QuietText(time: .current())
    if edit.turn == .off {
      Console.remark(text.remark(off: report))
    } else if let end = report.end {
      Console.remark("quiet \(text.until(end))")
    }
  }

  // MARK: Showing

  static func show(_ arguments: Arguments, on loop: EventLoop) async throws {
    let center = try await Center.connect(on: loop)
    let app = arguments.value("app")
    let report = try await center.quiet(app: app)
    let apps = app == nil ? try await center.quietApps() : []
    let text = QuietText(time: .current())
    if arguments.has("json") { return Console.print(text.json(report, apps)) }
    for line in text.lines(report, apps) { Console.print(line) }
    if report.hours.isUnset, apps.isEmpty, Console.hasReader {
      Console.remark("no quiet hours are set; see 'suzu quiet --help'")
    }
  }
}
