// SPDX-License-Identifier: Apache-2.0
internal import CenterContract
internal import DBus
internal import EventLoop
internal import Glibc
internal import Launcher
internal import NotificationModel
internal import Zoneinfo

extension Verb {
  /// Called by shell completions as `suzu __complete WORD…`, with the words after `suzu` up to the cursor. Prints a
  /// candidate and its description per line, separated by a tab; `:files` asks the shell to add file names.
  static let complete = Verb(
    name: CompletionCommand.name, synopsis: "WORD…", summary: "complete a command line, for shells",
    examples: ["suzu __complete notify --le"]
  ) { arguments, loop in
    var completer = Completer(arguments.words, verbs: Command.verbs)
    let verb = completer.words.first
    let isFile =
      completer.rest == .file || completer.rest == .launchables && verb == "import"
      || completer.rest == .registeredCategories && verb == "check"
    // If `--user` fails, offer no ids: ours would belong to another user.
    if completer.user.map({ (try? OtherUser.become($0)) != nil }) ?? true {
      completer.offer(await CompletionCommand(on: loop).candidates(for: completer))
    }
    var lines = completer.candidates.map { candidate in
      let help = PrintableText.line(candidate.help, atMost: 120)
      return help.isEmpty ? candidate.text : candidate.text + "\t" + help
    }
    if isFile { lines.append(":files") }
    if !lines.isEmpty { Console.print(lines.joined(separator: "\n")) }
    return EX_OK
  }
}

/// Queries candidates from the center and the system. Completion must never start a program or print an error.
struct CompletionCommand {
  static let name = "__complete"

  private let center: RunningCenter

  init(on loop: EventLoop) {
    center = RunningCenter(loop: loop)
  }

  /// The maximum number of rows per query.
  private static let most: UInt32 = 200

  func candidates(for completer: Completer) async -> [Completer.Candidate] {
    let app = completer.app ?? NotificationRequest.defaultApp
    let found: [Completer.Candidate] =
      switch completer.rest {
      case .nothing, .words, .file: []
      case .users: Self.users()
      case .launchables: launchables(for: completer.words.first ?? "")
      case .zones: ZoneDatabase.system.names().map { Completer.Candidate(text: $0) }
      case .pendingIDs: await ids(of: app, in: [CenterMethods.pending])
      case .shownIDs: await ids(of: app, in: [CenterMethods.delivered])
      case .ids: await ids(of: app, in: [CenterMethods.delivered, CenterMethods.pending])
      // The history is of all apps.
      case .pastIDs: await ids(of: completer.app ?? "", in: [CenterMethods.history])
      case .apps: await apps()
      case .registeredCategories: completer.words.first == "check" ? [] : await categories(of: completer.app)
      case .categories:
        await categories(of: completer.app) + Self.standardCategories.map { Completer.Candidate(text: $0) }
      case .actions: await actions(of: completer.words.first ?? "", app)
      }
    var seen: Set<String> = []
    // Skip ids with control characters: a line is one candidate, and a tab ends it.
    return found.filter { one in
      !one.text.isEmpty && !one.text.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }
        && seen.insert(one.text).inserted
    }
  }

  // MARK: The center

  private func rows(of app: String, in lists: [CenterMethods.Listing]) async -> [[String: Value]] {
    var rows: [[String: Value]] = []
    for list in lists {
      rows += await center.ask(list, app, ["limit": .uint32(Self.most)])?.0.map(\.values) ?? []
    }
    return rows
  }

  private func ids(of app: String, in lists: [CenterMethods.Listing]) async -> [Completer.Candidate] {
    await rows(of: app, in: lists).map { Self.candidate($0, "id", "title") }
  }

  private func apps() async -> [Completer.Candidate] {
    let asked = await center.ask(CenterMethods.apps) ?? []
    let listed = await rows(of: "", in: [CenterMethods.delivered, CenterMethods.pending])
    return (asked + listed).map { Self.candidate($0, "app", nil) }
  }

  private func actions(of id: String, _ app: String) async -> [Completer.Candidate] {
    let shown = await rows(of: app, in: [CenterMethods.delivered])
    guard let row = shown.first(where: { $0["id"]?.string == id }) else { return [] }
    let actions = row["actions"]?.elements?.compactMap(\.properties) ?? []
    return actions.map { Self.candidate($0, "id", "title") }
      + [Completer.Candidate(text: "default", help: "a click on the notification itself")]
  }

  // MARK: The system

  /// Users with a login: UID_MIN in login.defs is 1000, and 65534 is the user nobody.
  private static func users() -> [Completer.Candidate] {
    var users: [Completer.Candidate] = []
    setpwent()
    defer { endpwent() }
    while users.count < most, let user = getpwent()?.pointee {
      guard (1000..<65534).contains(user.pw_uid) else { continue }
      users.append(Completer.Candidate(text: String(cString: user.pw_name), help: String(cString: user.pw_gecos)))
    }
    return users
  }

  private func launchables(for verb: String) -> [Completer.Candidate] {
    guard ["list", "enable", "disable"].contains(verb),
      let command = try? LauncherCommand(Arguments([], flags: []), names: []), let file = try? command.readFile()
    else { return [] }
    let apps = command.catalogue(file).apps
    if verb == "disable" { return file.on.map { Completer.Candidate(text: $0) } }
    return apps.flatMap { app in
      [Completer.Candidate(text: app.id, help: app.name)]
        + app.items.filter { verb == "enable" && $0.key != app.id }
        .map { Completer.Candidate(text: $0.key, help: $0.name) }
    }
  }

  private func categories(of app: String?) async -> [Completer.Candidate] {
    (await center.ask(CenterMethods.categories, app ?? NotificationRequest.defaultApp) ?? [])
      .map { Self.candidate($0, "id", nil) }
  }

  private static func candidate(_ row: [String: Value], _ text: String, _ help: String?) -> Completer.Candidate {
    Completer.Candidate(text: row[text]?.string ?? "", help: help.flatMap { row[$0]?.string } ?? "")
  }

  /// From the Desktop Notifications Specification, "Categories".
  static let standardCategories = [
    "call.ended", "call.incoming", "call.unanswered", "device.added", "device.error", "device.removed",
    "email.arrived", "email.bounced", "im.error", "im.received", "network.connected", "network.disconnected",
    "network.error", "presence.offline", "presence.online", "transfer.complete", "transfer.error",
  ]
}
