// SPDX-License-Identifier: Apache-2.0
internal import Launcher
internal import NotificationModel

extension LauncherCommand {
  /// Lists all apps, or the actions of the named ones.
  func list() throws(CommandError) {
    let file = try readFile()
    let catalogue = catalogue(file)
    var apps = arguments.has("on") ? catalogue.enabled(in: file) : catalogue.apps
    if !names.isEmpty {
      var chosen: Set<String> = []
      for name in names {
        switch try catalogue.find(name) {
        case .app(let app): chosen.insert(app.id)
        case .item(let item): chosen.formUnion(catalogue.apps.filter { $0.items.contains(item) }.map(\.id))
        }
      }
      apps = apps.filter { chosen.contains($0.id) }
    }
    if arguments.has("json") {
      Console.print("[" + apps.map { Self.json($0, file) }.joined(separator: ",\n ") + "]")
      return
    }
    guard !apps.isEmpty else {
      if Console.hasReader {
        Console.remark(
          arguments.has("on")
            ? "nothing is enabled; use 'suzu launcher enable'" : "no launchable app is installed")
      }
      return
    }
    Self.show(apps, file, showsActions: !names.isEmpty || arguments.has("on"))
  }

  private static func show(_ apps: [Catalogue.App], _ file: LauncherFile, showsActions: Bool) {
    func plain(_ text: String) -> String { PrintableText.line(text, atMost: 200) }
    let columns: [Table.Column]
    var rows: [[String]] = []
    if showsActions {
      columns = [
        Table.Column("ON", least: 3, rank: 0), Table.Column("APP", least: 10, rank: 2),
        Table.Column("ACTION", least: 12, rank: 0), Table.Column("ID", least: 20, rank: 1),
      ]
      for app in apps {
        rows += app.items.map { item in
          [
            file.isOn(item.key) ? "on" : "off", plain(app.name), item.key == app.id ? "Open" : plain(item.name),
            plain(item.key),
          ]
        }
      }
    } else {
      columns = [
        Table.Column("ON", least: 5, rank: 1), Table.Column("APP", least: 12, rank: 0),
        Table.Column("ID", least: 20, rank: 2),
      ]
      rows = apps.map { app in
        ["\(app.items.count { file.isOn($0.key) }) of \(app.items.count)", plain(app.name), plain(app.id)]
      }
    }
    let table = Table(columns, rows: rows, width: Console.columns)
    Console.print(([table.heading] + rows.map(table.line)).joined(separator: "\n"))
  }

  private static func json(_ app: Catalogue.App, _ file: LauncherFile) -> String {
    let actions = app.items.map { item in
      var words: [String: PlainValue] = [
        "id": .text(item.key), "name": .text(item.name), "on": .flag(file.isOn(item.key)),
      ]
      switch item.effect {
      case .launch(let entry): words["launch"] = .text(entry)
      case .url(let url): words["url"] = .text(url)
      case .run, .http, .snooze, .snoozeUntil: break  // no launcher's item does these
      }
      return PlainValue.dictionary(words)
    }
    var words: [String: PlainValue] = [
      "id": .text(app.id), "name": .text(app.name), "installed": .flag(app.isInstalled), "actions": .list(actions),
    ]
    if let icon = app.icon { words["icon"] = .text(icon) }
    return PlainValue.dictionary(words).json
  }
}
