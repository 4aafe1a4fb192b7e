// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Glibc
internal import Launcher
internal import NotificationModel

extension Verb {
  static let category = Verb(
    name: "category", synopsis: "list|show|set|remove|check [ID…|FILE…] [flags]",
    summary: "manage categories: named sets of buttons for 'suzu notify --category'",
    flags: [
      Flag(
        "app", "APP", completing: .apps,
        "name the app that owns them (default: \(NotificationRequest.defaultApp); list: all apps)"),
      Flag("action", letter: "A", "ID=TITLE", isList: true, "set: add a button; may be repeated"),
      Flag("run", "ID=COMMAND", isList: true, "set: run a program for the button ID"),
      Flag("url", "ID=URL", isList: true, "set: open a URL for the button ID"),
      Flag("launch", "ID=APP", completing: .apps, isList: true, "set: launch an app for the button ID"),
      Flag(
        "http", "ID=URL", isList: true,
        "set: call a server for the button ID; 'PUT URL' for another method than POST"),
      Flag("http-header", "ID=HEADER", isList: true, "set: send this with the call: 'NAME: VALUE'"),
      Flag("http-body", "ID=TEXT", isList: true, "set: send this text with the call, or JSON"),
      Flag(
        "snooze", "ID=DURATION,…", isList: true,
        "set: show the notification again after this time, for the button ID"),
      Flag(
        "reply", "ID=TEXT", isList: true,
        "set: ask for a line of text for the button ID; TEXT says what to type"),
      Flag("default", "IDS", "set: choose up to four actions for alerts; without it, the first four"),
      Flag("minimal", "IDS", "set: choose up to two actions for banners; without it, the first two"),
      Flag(
        "type", "TYPE", completing: .words(CompletionCommand.standardCategories),
        "set: send the notification server a standard type, such as im.received"),
      Flag("hidden", "TEXT", "set: show this text while the texts of the app are hidden"),
      Flag("summary", "TEXT", "set: say this of several in a digest: '{count} more from {names}'"),
      Flag("custom-dismiss", nil, "set: tell the app when the user dismisses the notification"),
      Flag("local-answers", nil, "set: keep answers on this machine, also those to messages of a link with --answers"),
      Flag(
        "file", "FILE", completing: .file,
        "set: read one category or a list from a JSON or property list file (- is standard input)"),
      Flag("json", nil, "list, show: print JSON, which 'set --file' accepts"),
    ],
    words: [.words(CategoryCommand.names), .registeredCategories],
    examples: [
      "suzu category set invite --action accept=Accept --action decline=Decline --action later='Ask me later'",
      "suzu category set backup --action now='Back up now' --run now='backup --all' --action later=Later --snooze later=1h",
      "suzu category set door --action open=Open --http open='PUT https://home.example.com/door/{userInfo.door}'",
      "suzu category set --file categories.json",
      "suzu category list",
      "suzu category show invite --json",
      "suzu category remove invite",
      "suzu category check ~/.config/suzu/categories.d/*.json",
    ]
  ) { arguments, loop in
    guard let name = arguments.words.first else {
      throw CommandError.usage("no command given; use list, show, set, remove or check")
    }
    let command = CategoryCommand(arguments, ids: Array(arguments.words.dropFirst()))
    switch name {
    case "list": try await command.list(on: loop)
    case "show": try await command.show(on: loop)
    case "set": try await command.set(on: loop)
    case "remove": try await command.remove(on: loop)
    case "check": return try CategoryCheck.run(Array(arguments.words.dropFirst()))
    default:
      let guesses = ["add": "set", "create": "set", "new": "set", "edit": "set", "delete": "remove", "rm": "remove"]
      let near = guesses[name].map { "; did you mean '\($0)'?" } ?? suggestion(for: name, among: CategoryCommand.names)
      throw CommandError.usage("'\(name)' is not one of list, show, set, remove and check\(near)")
    }
    return EX_OK
  }
}

/// `suzu category`: an app's categories are one set, which is replaced as a whole.
struct CategoryCommand {
  /// The first word after the verb.
  static let names = ["list", "show", "set", "remove", "check"]

  private let arguments: Arguments
  private let ids: [String]

  init(_ arguments: Arguments, ids: [String]) {
    self.arguments = arguments
    self.ids = ids
  }

  private var app: String { arguments.value("app") ?? NotificationRequest.defaultApp }

  private static func plain(_ text: String) -> String { PrintableText.line(text, atMost: 200) }

  // MARK: Listing

  func list(on loop: EventLoop) async throws {
    if let word = ids.first { throw CommandError.usage("unexpected argument '\(word)'") }
    let center = try await Center.connect(on: loop)
    let known = try await center.categories(app: arguments.value("app"))
    if arguments.has("json") { return Console.print(Self.json(known)) }
    guard !known.isEmpty else {
      if Console.hasReader { Console.remark("no categories yet; create one with 'suzu category set'") }
      return
    }
    Console.print(Self.table(known, width: Console.columns, .output))
  }

  static func table(_ known: [RegisteredCategory], width: Int?, _ ink: Ink = .none) -> String {
    let rows = known.map { one in
      [
        one.category.id, one.app ?? "(any)", one.category.actions.map(\.id).joined(separator: " "), one.file ?? "",
      ].map { Self.plain($0) }
    }
    let columns = [
      Table.Column("ID", least: 8, rank: 0), Table.Column("APP", least: 13, rank: 2),
      Table.Column("ACTIONS", least: 12, rank: 1), Table.Column("FILE", least: 12, rank: 3),
    ]
    return Table(columns, rows: rows, width: width).text(rows, ink)
  }

  static func json(_ known: [RegisteredCategory]) -> String {
    "[" + known.map { json($0) }.joined(separator: ",\n ") + "]"
  }

  func show(on loop: EventLoop) async throws {
    if ids.isEmpty { throw CommandError.usage("an id is missing") }
    let center = try await Center.connect(on: loop)
    let known = try await center.categories(app: app)
    let shown = try ids.map { id in
      guard let one = known.first(where: { $0.category.id.isIdentical(to: id) }) else { throw missing(id, known) }
      return one
    }
    if arguments.has("json") {
      return Console.print(shown.count == 1 ? Self.json(shown[0]) : Self.json(shown))
    }
    Console.print(shown.map(Self.description).joined(separator: "\n\n"))
  }

  static func json(_ one: RegisteredCategory) -> String { one.category.plain.json }

  static func description(_ one: RegisteredCategory) -> String {
    let category = one.category
    var lines = [plain(category.id) + (category.type.map { " (\(plain($0)))" } ?? "")]
    lines.append("  on alerts:  " + category.actions(in: .alert).map { plain($0.title) }.joined(separator: ", "))
    lines.append(
      "  on banners: " + category.actions(in: .banner).map { plain($0.title) }.joined(separator: ", "))
    for action in category.actions {
      lines.append("  \(plain(action.id)): \(plain(Self.effect(of: action, app: one.app)))")
    }
    if category.localAnswers { lines.append("  answers stay on this machine") }
    if category.customDismiss { lines.append("  the app is told when the user dismisses it") }
    if let text = category.hidden?.body?.text { lines.append("  while texts are hidden: \(plain(text))") }
    if let summary = category.summary { lines.append("  in a digest: \(plain(summary.text))") }
    if let file = one.file { lines.append("  from \(plain(file))") }
    return lines.joined(separator: "\n")
  }

  private static func effect(of action: Action, app: String?) -> String {
    var words: [String] = []
    switch action.effect {
    case .run(let program): words.append("runs \(program.joined(separator: " "))")
    case .url(let url): words.append("opens \(url)")
    case .launch(let entry): words.append("launches \(entry)")
    case .http(let call): words.append("calls \(call.method.rawValue) \(call.url)")
    case .snooze(let delay): words.append("shows it again after \(delay.text)")
    case .snoozeUntil(let times):
      words.append("shows it again at one of these: \(times.map(\.text).joined(separator: ", "))")
    case nil where app == NotificationRequest.defaultApp:
      words.append("answers --wait, and otherwise only closes the notification")
    case nil: words.append("is passed to the app")
    }
    if action.input != nil { words.append("asks for a line of text") }
    if action.foreground { words.append("brings the app to the front") }
    if action.destructive { words.append("is destructive") }
    if action.authenticationRequired { words.append("waits for the session to be unlocked") }
    return words.joined(separator: ", ")
  }

  // MARK: Changing

  func set(on loop: EventLoop) async throws {
    let new = try categories()
    let center = try await Center.connect(on: loop)
    let names = Set(new.map(\.id))
    let lock = Self.lock()
    defer { withExtendedLifetime(lock) {} }
    let kept = try await own(center).filter { !names.contains($0.id) }
    try await center.setCategories(kept + new, app: app)
  }

  func remove(on loop: EventLoop) async throws {
    if ids.isEmpty { throw CommandError.usage("an id is missing") }
    let center = try await Center.connect(on: loop)
    let lock = Self.lock()
    defer { withExtendedLifetime(lock) {} }
    let known = try await center.categories(app: app)
    for id in ids {
      guard let one = known.first(where: { $0.category.id.isIdentical(to: id) }) else { throw missing(id, known) }
      if let file = one.file { throw CommandError.data("'\(id)' is defined in \(file); remove it there") }
    }
    try await center.setCategories(
      known.filter { $0.file == nil }.map(\.category).filter { !ids.contains($0.id) }, app: app)
  }

  /// Keeps two commands at the same time from losing one's change, because each replaces the whole set that it has
  /// read. Returns nil where there can be no settings folder, such as with a home that cannot be written.
  private static func lock() -> FolderLock? {
    (try? SettingsFolder(environment: ChildProcess.inheritedEnvironment()))
      .flatMap { folder in try? folder.lock() }
  }

  private func own(_ center: Center) async throws -> [Category] {
    try await center.categories(app: app).filter { $0.file == nil }.map(\.category)
  }

  private func missing(_ id: String, _ known: [RegisteredCategory]) -> CommandError {
    let near = suggestion(for: id, among: known.map(\.category.id))
    return .data(
      "no category is called '\(Self.plain(id))' (app \(Self.plain(app)))\(near.isEmpty ? "; see 'suzu category list'" : near)"
    )
  }

  /// Whether the word names a file; an id may look like one, so it must be there or have a usual ending.
  private static func isFile(_ word: String) -> Bool {
    word == "-" || word.hasSuffix(".json") || word.hasSuffix(".plist") || word.contains("/") || access(word, F_OK) == 0
  }

  private func categories() throws -> [Category] {
    if let name = arguments.value("file") {
      if let word = ids.first { throw CommandError.usage("'\(word)' and '--file' cannot be combined") }
      let bytes = try Console.read(name)
      let document: CategoryDocument
      do throws(DocumentError) { document = try CategoryDocument(bytes) } catch {
        let file = name == "-" ? "standard input" : name
        throw CommandError.data(error.line(about: file))
      }
      if let owner = document.app, owner != app {
        let owner = Self.plain(owner)
        throw CommandError.data("the file's categories belong to '\(owner)'; use --app \(owner)")
      }
      return document.categories
    }
    if let file = ids.first, !arguments.has("action"), Self.isFile(file) {
      throw CommandError.usage("a file is given by '--file': suzu category set --file \(CommandWords.quoted(file))")
    }
    guard ids.count == 1 else {
      throw CommandError.usage(ids.isEmpty ? "an id or '--file' is missing" : "unexpected argument '\(ids[1])'")
    }
    if !["action", "type", "custom-dismiss", "hidden", "summary"].contains(where: arguments.has) {
      throw CommandError.usage("a button is missing: --action ID=TITLE")
    }
    var words: [String: PlainValue] = ["id": .text(ids[0])]
    words["actions"] = try ButtonFlags(arguments, mustHaveIDs: true).value ?? .list([])
    for name in ["default", "minimal"] {
      guard let text = arguments.value(name) else { continue }
      words[name] = .list(text.split(separator: ",").map { .text(String($0.drop { $0 == " " })) })
    }
    if let type = arguments.value("type") { words["type"] = .text(type) }
    if let text = arguments.value("hidden") { words["hidden"] = .dictionary(["body": .text(text)]) }
    if let text = arguments.value("summary") { words["summary"] = .text(text) }
    if arguments.has("local-answers") { words["localAnswers"] = .flag(true) }
    if arguments.has("custom-dismiss") { words["customDismiss"] = .flag(true) }
    do throws(RequestError) { return [try Category(.dictionary(words))] } catch {
      throw CommandError.data(TypedKeys(arguments, words: ["id"], actions: words["actions"]).text(error.description))
    }
  }
}
