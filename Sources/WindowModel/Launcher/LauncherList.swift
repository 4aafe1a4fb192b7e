// SPDX-License-Identifier: Apache-2.0
package import Launcher

/// A row of the page *Launcher*: an app, or a group of imported actions, and how many of its actions are enabled.
package struct LauncherRow: DayRow {
  package let app: Catalogue.App
  private let enabled: Int

  init(_ app: Catalogue.App, _ file: LauncherFile) {
    self.app = app
    enabled = app.items.count { file.isOn($0.key) }
  }

  package var time: String { "" }

  package var title: String { ShownText.line(app.name, atMost: 120) }

  package func isVersion(of other: LauncherRow) -> Bool { app.id == other.app.id }

  package func subtitle(_ clock: LocalClock) -> String { remarks.joined(separator: " · ") }

  package func spoken(_ clock: LocalClock) -> String { ([title] + remarks).joined(separator: ", ") }

  private var remarks: [String] {
    let actions = app.items.count == 1 ? "1 action" : "\(app.items.count) actions"
    return [enabled == 0 ? actions : "\(enabled) of \(actions) on"] + (app.isInstalled ? [] : ["imported"])
  }
}

/// The page *Launcher*: everything that can be launched, by name, and what of it is enabled.
package struct LauncherList: Sendable {
  package private(set) var entries: [DayEntry<LauncherRow>] = []
  private var catalogue = Catalogue([])
  private var file = LauncherFile()
  private var search = ""

  package init() {}

  /// The apps with enabled actions, as they are registered.
  package var enabled: [Catalogue.App] { catalogue.enabled(in: file) }

  package var isEmpty: Bool { entries.isEmpty }

  package mutating func show(_ catalogue: Catalogue, _ file: LauncherFile) -> ListChange? {
    (self.catalogue, self.file) = (catalogue, file)
    return arrange()
  }

  /// Shows only the apps that have this text in their name, in their id or in the name of an action.
  package mutating func find(_ text: String) -> ListChange? {
    search = text.lowercased()
    return arrange()
  }

  /// `3 actions of 2 apps are on`, and what is on but no longer installed.
  package var summary: String {
    let enabled = enabled
    let count = enabled.reduce(0) { $0 + $1.items.count }
    let apps = enabled.count == 1 ? "1 app" : "\(enabled.count) apps"
    let text = count == 0 ? "No action is on" : count == 1 ? "1 action is on" : "\(count) actions of \(apps) are on"
    let missing = file.on.count - count
    return missing <= 0 ? text : "\(text); \(missing) more \(missing == 1 ? "is" : "are") no longer installed"
  }

  private mutating func arrange() -> ListChange? {
    let old = entries
    let found = catalogue.apps.filter { app in
      search.isEmpty || ([app.id, app.name] + app.items.map(\.name)).contains { $0.lowercased().contains(search) }
    }
    entries = found.map { DayEntry(heading: nil, row: LauncherRow($0, file)) }
    return ListChange(from: old, to: entries)
  }
}
