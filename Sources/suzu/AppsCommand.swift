// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Freedesktop
internal import Glibc
internal import NotificationModel

extension Verb {
  static let apps = Verb(
    name: "apps", synopsis: "[list|allow|deny|deliver|away|previews|reset] [APP] [KIND…|TIMES|…]",
    summary: "show and change which apps may notify you, when and how",
    flags: [Flag("json", nil, "print an array of objects with 'app', 'asked', 'allowed', 'decided'")],
    words: [.words(AppsCommand.verbs), .apps, .words(NoticeKind.allCases.map(\.rawValue))],
    examples: [
      "suzu apps",
      "suzu apps deny org.example.Chatter sound         (shown, but not heard)",
      "suzu apps deny org.example.Chatter               (nothing at all)",
      "suzu apps allow org.example.Chatter alert badge",
      "suzu apps deliver org.example.News 12:30,17:00   (its passive ones together, then)",
      "suzu apps deliver org.example.News now",
      "suzu apps away org.example.Chatter hold          (its banners wait until you are back)",
      "suzu apps away org.example.Mail keep             (they come, and stay until then)",
      "suzu apps previews org.example.Chatter unlocked  (no texts while the session is locked)",
      "suzu apps reset org.example.Chatter              (as if you had never decided)",
      "suzu apps allow org.example.Chatter places       (it may wait for places)",
    ]
  ) { arguments, loop in
    let words = arguments.words
    switch words.first ?? "list" {
    case "list":
      if words.count > 1 { throw CommandError.usage("unexpected argument '\(words[1])'") }
      try await AppsCommand.list(isJSON: arguments.has("json"), on: loop)
    case "allow", "deny":
      let isKnown =
        words[0] == "allow"
        ? try await AppsCommand.change(words.dropFirst(), on: loop) { $0.union($1) }
        : try await AppsCommand.change(words.dropFirst(), all: Set(NoticeKind.allCases), on: loop) {
          $0.subtracting($1)
        }
      let isAlert = words.count == 2 || words.dropFirst(2).contains(NoticeKind.alert.rawValue)
      if words[0] == "deny", isAlert, words[1] == NotificationRequest.defaultApp {
        Console.warn(
          "apps",
          "this is the app of every request without --app, so nothing that 'suzu notify' sends is shown now; to take it "
            + "back, run 'suzu apps reset \(words[1])'")
      }
      // Probably a typing error, although an app may come later.
      if !isKnown {
        let app = PrintableText.line(words[1], atMost: 60)
        Console.warn(
          "apps",
          "stored, but no app '\(app)' is installed or has sent anything; see 'suzu launcher list', or take it back with "
            + CommandWords.shown("suzu apps reset \(CommandWords.quoted(words[1]))"))
      }
    case "deliver", "away", "previews": try await AppsCommand.configure(words, on: loop)
    case "reset":
      guard words.count > 1 else { throw CommandError.usage("an app is missing") }
      if words.count > 2 {
        throw CommandError.usage("unexpected argument '\(PrintableText.line(words[2], atMost: 60))'")
      }
      try await Center.connect(on: loop).reset(app: words[1])
    default:
      let near = suggestion(for: words[0], among: AppsCommand.verbs)
      throw CommandError.usage(
        "'\(words[0])' is not one of list, allow, deny, deliver, away, previews and reset\(near)")
    }
    return EX_OK
  }
}

/// `suzu apps`: shows and changes what apps may do.
enum AppsCommand {
  static let verbs = ["list", "allow", "deny", "deliver", "away", "previews", "reset"]

  static func list(isJSON: Bool, on loop: EventLoop) async throws {
    let apps = try await Center.connect(on: loop).apps()
    if isJSON { return Console.print(json(apps)) }
    guard !apps.isEmpty else {
      if Console.hasReader { Console.remark("no app has asked for permission yet; all may notify you") }
      return
    }
    Console.print(table(apps, width: Console.columns, .output))
  }

  static func table(_ apps: [AppSettings], width: Int?, _ ink: Ink = .none) -> String {
    let isAnyHeld = apps.contains { !comes($0).isEmpty }
    let rows = apps.map { one in
      [PrintableText.line(one.app, atMost: 200), text(one.allowed), text(one.asked), one.isDecided ? "you" : ""]
        + (isAnyHeld ? [comes(one)] : [])
    }
    let columns =
      [
        Table.Column("APP", least: 13, rank: 0), Table.Column("ALLOWED", least: 7, rank: 1),
        Table.Column("ASKED FOR", least: 9, rank: 2), Table.Column("DECIDED BY", least: 3, rank: 3),
      ] + (isAnyHeld ? [Table.Column("COMES", least: 8, rank: 2)] : [])
    return Table(columns, rows: rows, width: width).text(rows, ink)
  }

  static func json(_ apps: [AppSettings]) -> String {
    "[" + apps.map { json($0) }.joined(separator: ",\n ") + "]"
  }

  /// Without kinds, changes `all`. Returns whether the app is installed, or known to the center.
  static func change(
    _ words: ArraySlice<String>, all: Set<NoticeKind> = NoticeKind.ways, on loop: EventLoop,
    _ change: @Sendable (Set<NoticeKind>, Set<NoticeKind>) -> Set<NoticeKind>
  ) async throws -> Bool {
    guard let app = words.first else { throw CommandError.usage("an app is missing") }
    let kinds = try words.dropFirst().map { word throws(CommandError) in
      guard let kind = NoticeKind(rawValue: word) else {
        let known = NoticeKind.allCases.map(\.rawValue)
        throw .usage("'\(word)' is not one of \(known.joined(separator: ", "))\(suggestion(for: word, among: known))")
      }
      return kind
    }
    do throws(RequestError) { try AppID.checkAsNew(app) } catch {
      throw CommandError.data("'\(PrintableText.line(app, atMost: 60))' \(error.problem)")
    }
    let center = try await Center.connect(on: loop)
    let before = try await center.settings(app: app)
    // The center asks about what was never in question, even if the user denies it here in advance.
    let senses = NoticeKind.senses.intersection(kinds).subtracting(before.asked)
    if !senses.isEmpty { _ = try await center.register(app: app, for: senses) }
    try await center.allow(app: app, change(before.allowed, kinds.isEmpty ? all : Set(kinds)))
    if before.isDecided || !before.asked.isEmpty || app == NotificationRequest.defaultApp { return true }
    let applications = InstalledApplications(environment: ChildProcess.inheritedEnvironment())
    // An entry that cannot be read is installed all the same. The name of an app need not be that of an entry.
    if (try? applications.entry(app)) != .some(nil) { return true }
    return try await !center.history(app: app, limit: 1).isEmpty
  }

  /// When its notifications and their texts come; empty for at once.
  private static func comes(_ one: AppSettings) -> String {
    let times = one.delivery.map { ["passive at " + $0.texts.joined(separator: ", ")] } ?? []
    let texts = [Previews.unlocked: ["texts when unlocked"], .never: ["without texts"]][one.previews] ?? []
    let banners: [String] =
      switch one.away {
      case .show: []
      case .keep: ["banners stay until you are back"]
      case .hold: ["banners when you are back"]
      }
    return (times + banners + texts).joined(separator: "; ")
  }

  /// Changes when the notifications of an app come.
  static func configure(_ words: [String], on loop: EventLoop) async throws {
    guard words.count > 1 else { throw CommandError.usage("an app is missing") }
    let (verb, app) = (words[0], words[1])
    let values = words.dropFirst(2).flatMap { $0.split(whereSeparator: { ", ".contains($0) }).map(String.init) }
    do throws(RequestError) { try AppID.checkAsNew(app) } catch {
      throw CommandError.data("'\(PrintableText.line(app, atMost: 60))' \(error.problem)")
    }
    if verb == "previews" { return try await setPreviews(app, values, on: loop) }
    let change: (inout AppSettings) -> Void
    if verb == "away" {
      guard values.count == 1, let rule = AwayRule(rawValue: values[0]) else {
        throw CommandError.usage(
          "'away' needs hold, keep or show: suzu apps away \(CommandWords.quoted(app)) hold")
      }
      change = { $0.away = rule }
    } else if values == ["now"] {
      change = { $0.delivery = nil }
    } else {
      guard !values.isEmpty else {
        throw CommandError.usage(
          "times are missing: suzu apps deliver \(CommandWords.quoted(app)) 12:30,17:00; or 'now'")
      }
      let times: DeliveryTimes
      do throws(RequestError) { times = try DeliveryTimes(values) } catch {
        throw CommandError.data(error.problem)
      }
      change = { $0.delivery = times }
    }
    let center = try await Center.connect(on: loop)
    var settings = try await center.settings(app: app)
    change(&settings)
    try await center.configure(app: app, delivery: settings.delivery, away: settings.away)
  }

  private static func setPreviews(_ app: String, _ values: [String], on loop: EventLoop) async throws {
    let known = Previews.allCases.map(\.rawValue)
    guard values.count == 1, let previews = Previews(rawValue: values[0]) else {
      let near = values.count == 1 ? suggestion(for: values[0], among: known) : ""
      let example = near.isEmpty ? ": suzu apps previews \(CommandWords.quoted(app)) unlocked" : near
      throw CommandError.usage("'previews' needs always, unlocked or never\(example)")
    }
    try await Center.connect(on: loop).configure(app: app, previews: previews)
  }

  private static func text(_ kinds: Set<NoticeKind>) -> String {
    kinds.isEmpty ? "nothing" : NoticeKind.texts(kinds).joined(separator: " ")
  }

  private static func json(_ one: AppSettings) -> String {
    func list(_ kinds: Set<NoticeKind>) -> PlainValue {
      .list(NoticeKind.texts(kinds).map { .text($0) })
    }
    var words: [String: PlainValue] = [
      "app": .text(one.app), "asked": list(one.asked), "allowed": list(one.allowed), "decided": .flag(one.isDecided),
    ]
    if let delivery = one.delivery { words["deliver"] = .list(delivery.texts.map { .text($0) }) }
    if one.away != .show { words["away"] = .text(one.away.rawValue) }
    if one.previews != .always { words["previews"] = .text(one.previews.rawValue) }
    return PlainValue.dictionary(words).json
  }
}
