// SPDX-License-Identifier: Apache-2.0

/// The apps that are registered for URL schemes, by the [MIME Applications
/// Specification](https://specifications.freedesktop.org/mime-apps-spec/1.0/), as GLib reads them: an entry that
/// declares a scheme counts only once `update-desktop-database` has put it into the cache of its folder.
public struct SchemeHandlers {
  private let applications: InstalledApplications
  /// The files of the user's and the system's choices, and the caches, with the groups that name apps.
  private let files: [(path: String, groups: [String])]

  /// Searches the folders of an environment.
  public init(environment: [String: String]) {
    applications = InstalledApplications(environment: environment)
    func paths(_ name: String) -> [String] {
      environment[name]?.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") } ?? []
    }
    let home = paths("HOME").first.map { $0 + "/.config" }
    let own = [paths("XDG_CONFIG_HOME").first ?? home].compactMap(\.self)
    let shared = paths("XDG_CONFIG_DIRS")
    let folders = own + (shared.isEmpty ? ["/etc/xdg"] : shared) + applications.folders
    let desktops = (environment["XDG_CURRENT_DESKTOP"] ?? "").lowercased().split(separator: ":").map { $0 + "-" }
    files =
      folders.flatMap { folder in
        (desktops + [""]).map { ("\(folder)/\($0)mimeapps.list", ["Default Applications", "Added Associations"]) }
      } + applications.folders.map { ("\($0)/mimeinfo.cache", ["MIME Cache"]) }
  }

  /// Whether an installed app is registered for a scheme.
  public func hasHandler(of scheme: String) -> Bool {
    files.contains { path, groups in
      guard let file = KeyFile(path) else { return false }
      return groups.contains { group in
        file[group, "x-scheme-handler/\(scheme)"]?.split(separator: ";").contains { isInstalled(String($0)) } == true
      }
    }
  }

  private func isInstalled(_ name: String) -> Bool { ((try? applications.entry(name)) ?? nil) != nil }
}
