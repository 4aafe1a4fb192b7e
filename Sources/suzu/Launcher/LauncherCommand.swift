// SPDX-License-Identifier: Apache-2.0
internal import CenterClient
internal import EventLoop
internal import Freedesktop
internal import Glibc
internal import Launcher
internal import NotificationModel

extension Verb {
  static let launcher = Verb(
    name: "launcher", synopsis: "list|enable|disable|register|import [NAME…|FILE…] [flags]",
    summary: "show notifications that launch apps: enable apps, then register",
    flags: [
      Flag("on", nil, "list: show only what is enabled"),
      Flag("all", nil, "enable: include every action of the named apps; disable: everything"),
      Flag("delay", "DURATION", "register: show them after this delay (default: 5s)"),
      Flag("each", nil, "register: show one notification per action, not one per app with its actions as buttons"),
      Flag("json", nil, "list: print an array of apps with their 'actions'; register: of requests"),
    ],
    words: [.words(["list", "enable", "disable", "register", "import"]), .launchables],
    examples: [
      "suzu launcher list",
      "suzu launcher list Firefox org.gnome.Calendar",
      "suzu launcher enable Firefox 'Firefox:New Window' org.gnome.Calendar:new-event",
      "suzu launcher import appList.plist schemes.plist",
      "suzu launcher register --delay 10s",
    ]
  ) { arguments, loop in
    let verbs = ["list", "enable", "disable", "register", "import"]
    guard let name = arguments.words.first else {
      throw CommandError.usage("no command given; use list, enable, disable, register or import")
    }
    let command = try LauncherCommand(arguments, names: Array(arguments.words.dropFirst()))
    switch name {
    case "list": try command.list()
    case "enable": try command.enable()
    case "disable": try command.disable()
    case "register": try await command.register(on: loop)
    case "import": try command.importLists()
    default:
      throw CommandError.usage(
        "'\(name)' is not one of list, enable, disable, register and import\(suggestion(for: name, among: verbs))")
    }
    return EX_OK
  }
}

/// `suzu launcher`: lists, enables and registers launchable actions.
struct LauncherCommand {
  let arguments: Arguments
  let names: [String]
  private let settings: LauncherSettings

  init(_ arguments: Arguments, names: [String]) throws(CommandError) {
    self.arguments = arguments
    self.names = names
    do throws(LauncherError) {
      settings = try LauncherSettings(environment: ChildProcess.inheritedEnvironment())
    } catch {
      throw CommandError(error)
    }
  }

  func readFile() throws(CommandError) -> LauncherFile {
    do throws(LauncherError) { return try settings.file() } catch { throw CommandError(error) }
  }

  func catalogue(_ file: LauncherFile) -> Catalogue { settings.catalogue(file) }

  private func change(_ body: (inout LauncherFile) throws -> Void) throws {
    do { try settings.change(body) } catch let error as LauncherError { throw CommandError(error) }
  }

  // MARK: Enabling

  func enable() throws {
    if names.isEmpty { throw CommandError.usage("a name is missing; see 'suzu launcher list'") }
    try change { file in
      let catalogue = catalogue(file)
      var items: [Catalogue.Item] = []
      for name in names {
        switch try catalogue.find(name) {
        case .item(let item): items.append(item)
        // A group has no action of its own: it stands for all of its items.
        case .app(let app): items += app.isInstalled && !arguments.has("all") ? Array(app.items.prefix(1)) : app.items
        }
      }
      report(try settings.allow(items.compactMap { if case .url(let url) = $0.effect { (url, $0.key) } else { nil } }))
      file.set(true, items.map(\.key))
    }
  }

  func disable() throws {
    if names.isEmpty != arguments.has("all") {
      throw CommandError.usage(
        names.isEmpty ? "a name or '--all' is missing" : "'--all' and '\(names[0])' cannot be combined")
    }
    try change { file in
      let catalogue = catalogue(file)
      var keys: [String] = names.isEmpty ? file.on : []
      for name in names {
        // Keys of uninstalled apps can be disabled too.
        if file.isOn(name) && !catalogue.apps.contains(where: { $0.id == name }) {
          keys.append(name)
          continue
        }
        switch try catalogue.find(name) {
        case .item(let item): keys.append(item.key)
        case .app(let app): keys += app.items.map(\.key)
        }
      }
      file.set(false, keys)
    }
  }

  // MARK: Import

  func importLists() throws {
    if names.isEmpty { throw CommandError.usage("a file is missing, such as schemes.plist (- is standard input)") }
    let lists = try names.map { name in try ImportedList(name) }
    do { report(try settings.add(lists)) } catch let error as LauncherError { throw CommandError(error) }
  }

  /// Says which schemes clicks may open now, and could not before.
  private func report(_ new: [String]) {
    if new.isEmpty { return }
    let names = new.map { PrintableText.line($0, atMost: 60) + ":" }.joined(separator: ", ")
    Console.remark("clicks may now open \(names); see \(settings.files.path(of: AddedSchemes.name))")
  }
}

extension ImportedList {
  /// Reads a file, or standard input; errors name the position.
  fileprivate init(_ name: String) throws(CommandError) {
    let bytes = try Console.read(name)
    do throws(DocumentError) { try self.init(bytes) } catch {
      if error.meansUnknownFormat {
        throw .data("\(name == "-" ? "standard input" : name) is no property list, which 'suzu launcher import' reads")
      }
      throw .data(error.line(about: name == "-" ? "standard input" : name))
    }
  }
}

extension DocumentError {
  /// The error on one line, beginning with the file's name.
  func line(about file: String) -> String {
    // A problem of the whole file begins with its verb.
    if problem.hasPrefix("is ") { return "\(file) \(problem)" + (place.map { " (\($0))" } ?? "") }
    return file + (place == nil ? ": " : ", ") + description
  }
}
