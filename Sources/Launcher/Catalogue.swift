// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
package import NotificationModel

/// Everything that the launcher can launch: installed apps and imported schemes.
package struct Catalogue: Sendable {
  /// An action that a click can run.
  package struct Item: Hashable, Sendable {
    /// The id for `enable`: `org.gnome.Calendar` for the app itself, `org.gnome.Calendar:new-event`,
    /// `org.gnome.Evolution:mailto:` for a scheme, `settings:settings_wifi` for an imported one.
    package let key: String
    /// The displayed name.
    package let name: String
    package let icon: String?
    package let effect: Action.Effect

    package init(key: String, name: String, icon: String?, effect: Action.Effect) {
      (self.key, self.name, self.icon, self.effect) = (key, name, icon, effect)
    }
  }

  /// An installed app, or a group of imported schemes.
  package struct App: Hashable, Sendable {
    package let id: String
    package let name: String
    package let icon: String?
    package let isInstalled: Bool
    package var items: [Item]

    package init(id: String, name: String, icon: String?, isInstalled: Bool, items: [Item]) {
      (self.id, self.name, self.icon) = (id, name, icon)
      (self.isInstalled, self.items) = (isInstalled, items)
    }
  }

  /// The apps, sorted by name.
  package private(set) var apps: [App]

  /// - Parameter environment: provides the folders of desktop entries, the languages and the desktop.
  package init(environment: [String: String], _ file: LauncherFile) {
    let languages = MessageLanguages(environment: environment)
    let installed = InstalledApplications(environment: environment).shown(environment: environment)
    self.init(installed.map { App($0, languages) } + Self.groups(of: file))
  }

  package init(_ apps: [App]) {
    // Merge a group with the installed app of the same name.
    var merged: [String: App] = [:]
    for app in apps {
      guard let known = merged[app.id] else {
        merged[app.id] = app
        continue
      }
      let keys = Set(app.items.map(\.key))
      merged[app.id]?.items = known.items.filter { !keys.contains($0.key) } + app.items
    }
    self.apps = merged.values.map { (name: $0.name.lowercased(), app: $0) }
      .sorted { ($0.name, $0.app.id) < ($1.name, $1.app.id) }.map(\.app)
  }

  private static func groups(of file: LauncherFile) -> [App] {
    var names = file.groups
    for scheme in file.schemes where !names.contains(scheme.category) { names.append(scheme.category) }
    return names.map { name in
      let items = file.schemes.filter { $0.category == name }.map { scheme in
        Item(key: scheme.key, name: scheme.name, icon: nil, effect: .url(scheme.url))
      }
      return App(id: name, name: name, icon: nil, isInstalled: false, items: items)
    }
  }

  /// The enabled actions, grouped by app.
  package func enabled(in file: LauncherFile) -> [App] {
    apps.compactMap { app in
      var app = app
      app.items.removeAll { !file.isOn($0.key) }
      return app.items.isEmpty ? nil : app
    }
  }
}

extension Catalogue.App {
  fileprivate init(_ application: InstalledApplication, _ languages: MessageLanguages) {
    let (id, entry) = (application.id, application.entry)
    let name = entry.name?.text(in: languages) ?? id
    let icon = entry.icon?.text(in: languages)
    var items = [Catalogue.Item(key: id, name: name, icon: icon, effect: .launch(id))]
    for action in entry.actions where entry.isBusActivatable || action.exec?.isEmpty == false {
      items.append(
        Catalogue.Item(
          key: "\(id):\(action.id)", name: action.name?.text(in: languages) ?? action.id,
          icon: action.icon?.text(in: languages) ?? icon, effect: .launch("\(id):\(action.id)")))
    }
    for scheme in entry.schemes where Self.isOfUse(scheme) && !items.contains(where: { $0.key == "\(id):\(scheme):" }) {
      items.append(Catalogue.Item(key: "\(id):\(scheme):", name: scheme + ":", icon: icon, effect: .url(scheme + ":")))
    }
    self.init(id: id, name: name, icon: icon, isInstalled: true, items: items)
  }

  /// Whether opening the bare scheme is useful: a browser needs an address, and forbidden schemes need not be listed.
  private static func isOfUse(_ scheme: String) -> Bool {
    !["http", "https"].contains(scheme) && !URLPolicy.forbiddenSchemes.contains(scheme)
      && !URLPolicy.remoteSchemes.contains(scheme)
  }
}
