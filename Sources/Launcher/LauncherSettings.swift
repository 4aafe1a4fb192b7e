// SPDX-License-Identifier: Apache-2.0
internal import Freedesktop
internal import NotificationModel
internal import SystemFiles

/// What the launcher offers and what of it is enabled: the installed apps, and the files `launcher.json` and `schemes`.
package struct LauncherSettings: Sendable {
  package let files: SettingsFiles
  private let environment: [String: String]

  /// - Parameter environment: provides the folders of settings and of desktop entries, the languages and the desktop.
  package init(environment: [String: String]) throws(LauncherError) {
    guard let files = SettingsFiles(environment: environment) else {
      throw LauncherError(.noFolder, "no settings folder", "set HOME or XDG_CONFIG_HOME")
    }
    self.files = files
    self.environment = environment
  }

  /// What is enabled and imported.
  package func file() throws(LauncherError) -> LauncherFile {
    guard let bytes = try read(LauncherFile.name) else { return LauncherFile() }
    do throws(DocumentError) { return try LauncherFile(bytes) } catch {
      throw LauncherError(
        .invalidFile(error), files.path(of: LauncherFile.name), (error.place == nil ? ": " : ", ") + "\(error)")
    }
  }

  /// Everything that can be launched.
  package func catalogue(_ file: LauncherFile) -> Catalogue { Catalogue(environment: environment, file) }

  /// Changes the file, while no other process does.
  package func change<Failure: Error>(_ body: (inout LauncherFile) throws(Failure) -> Void) throws {
    let lock: FolderLock
    do throws(UnwritableFolder) { lock = try files.lock() } catch { throw LauncherError(error) }
    defer { withExtendedLifetime(lock) {} }
    var file = try file()
    let before = file
    try body(&file)
    if file != before { try write(file.text, to: LauncherFile.name) }
  }

  /// Enables or disables actions, and lets clicks open the schemes of what is enabled; returns the schemes that were
  /// added.
  @discardableResult
  package func set(_ isOn: Bool, _ items: [Catalogue.Item]) throws -> [String] {
    var added: [String] = []
    try change { file throws(LauncherError) in
      if isOn {
        added = try allow(items.compactMap { if case .url(let url) = $0.effect { (url, $0.key) } else { nil } })
      }
      file.set(isOn, items.map(\.key))
    }
    return added
  }

  /// Adds imported lists, all or none; returns the schemes that clicks may open now, and could not before.
  package func add(_ lists: [ImportedList]) throws -> [String] {
    var added: [String] = []
    try change { file throws(LauncherError) in
      // Check all before storing any.
      added = try allow(lists.flatMap(\.urls))
      for list in lists { file.add(groups: list.groups, schemes: list.schemes) }
    }
    return added
  }

  /// Adds the schemes that the center would refuse to open; returns those. Call it within ``change(_:)``.
  package func allow(_ urls: [(url: String, key: String)]) throws(LauncherError) -> [String] {
    let schemes = try schemes(allowing: urls)
    if !schemes.new.isEmpty { try write(schemes.text, to: AddedSchemes.name) }
    return schemes.new
  }

  /// The schemes that ``add(_:)`` would let clicks open, which they cannot yet.
  package func refusedSchemes(of lists: [ImportedList]) throws(LauncherError) -> [String] {
    try schemes(allowing: lists.flatMap(\.urls)).new
  }

  private func schemes(allowing urls: [(url: String, key: String)]) throws(LauncherError) -> AddedSchemes {
    var schemes = AddedSchemes(String(decoding: try read(AddedSchemes.name) ?? [], as: UTF8.self))
    if urls.isEmpty { return schemes }
    let declared = InstalledApplications(environment: environment).declaredSchemes()
    for (url, key) in urls {
      do throws(URLRefusal) { try schemes.allow(url, declared) } catch {
        throw LauncherError(
          .action, key,
          " cannot be opened: \(error); add schemes to allow to \(files.path(of: AddedSchemes.name))")
      }
    }
    return schemes
  }

  private func read(_ name: String) throws(LauncherError) -> [UInt8]? {
    do throws(FileError) { return try files.read(name) } catch {
      throw LauncherError(.unreadable, files.path(of: name), ": \(error)")
    }
  }

  private func write(_ text: String, to name: String) throws(LauncherError) {
    do throws(FileError) { try files.write(text, to: name) } catch {
      throw LauncherError(.unwritable, files.path(of: name), "\(error)")
    }
  }
}
