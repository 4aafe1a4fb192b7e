// SPDX-License-Identifier: Apache-2.0
internal import Launcher

/// The installed app that a user may mean by a name that is no id: `firefox` for `org.mozilla.firefox`, or a
/// misspelling.
enum AppGuess {
  /// The end of an error or a warning about the name.
  static func hint(for name: String, environment: [String: String]) -> String {
    let apps = Catalogue(environment: environment, LauncherFile()).apps.filter(\.isInstalled)
    let typed = name.lowercased()
    let named = apps.first { app in
      app.name.lowercased() == typed || app.id.split(separator: ".").last.map { $0.lowercased() } == typed
    }
    if let named { return "; did you mean '\(PrintableText.line(named.id, atMost: 120))'?" }
    let near = suggestion(for: name, among: apps.map(\.id))
    return near.isEmpty ? "; 'suzu launcher list' shows the ids" : near
  }
}
