// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import EventLoop
internal import Launcher
internal import WindowModel

/// The files of the launcher, which the command changes as well: read and written away from the main loop.
@MainLoop final class LauncherFiles {
  private let settings: Result<LauncherSettings, LauncherError>
  private var monitors: [ObjectReference] = []

  /// - Parameter changed: called when an app is installed or removed, or an action is enabled elsewhere.
  init(changed: @escaping @MainLoop () -> Void) {
    settings = Result { () throws(LauncherError) in
      try LauncherSettings(environment: ChildProcess.inheritedEnvironment())
    }
    watch(ObjectReference(taking: g_app_info_monitor_get()), changed)
    guard case .success(let settings) = settings else { return }
    for name in [LauncherFile.name, AddedSchemes.name] {
      let file = ObjectReference(taking: g_file_new_for_path(settings.files.path(of: name)))
      guard let monitor = g_file_monitor_file(file.to(), G_FILE_MONITOR_WATCH_MOVES, nil, nil) else { continue }
      g_file_monitor_set_rate_limit(monitor, 30)
      watch(ObjectReference(taking: monitor), changed)
    }
  }

  private func watch(_ monitor: ObjectReference, _ changed: @escaping @MainLoop () -> Void) {
    monitor.on("changed", changed)
    monitors.append(monitor)
  }

  func read() async throws(LauncherError) -> (catalogue: Catalogue, file: LauncherFile) {
    try await Self.read(try settings.get())
  }

  /// Enables or disables actions; returns the URL schemes that clicks may open now, and could not before.
  func set(_ isOn: Bool, _ items: [Catalogue.Item]) async throws(LauncherError) -> [String] {
    try await Self.set(isOn, items, try settings.get())
  }

  /// What an import of these lists would add.
  func preview(_ paths: [String]) async throws(LauncherError) -> ImportPreview {
    try await Self.preview(paths, try settings.get())
  }

  /// Imports lists, all or none; returns what was added.
  func add(_ paths: [String]) async throws(LauncherError) -> ImportPreview {
    try await Self.add(paths, try settings.get())
  }

  @concurrent private static func preview(
    _ paths: [String], _ settings: LauncherSettings
  ) async throws(LauncherError) -> ImportPreview {
    let lists = try lists(paths)
    return ImportPreview(lists, into: try settings.file(), allowing: try settings.refusedSchemes(of: lists))
  }

  @concurrent private static func add(
    _ paths: [String], _ settings: LauncherSettings
  ) async throws(LauncherError) -> ImportPreview {
    // Read again: they may have changed since they were shown.
    let lists = try lists(paths)
    let before = try settings.file()
    do {
      return ImportPreview(lists, into: before, allowing: try settings.add(lists))
    } catch let error as LauncherError {
      throw error
    } catch {
      throw LauncherError(.unwritable, settings.files.path, ": \(error)")
    }
  }

  private nonisolated static func lists(_ paths: [String]) throws(LauncherError) -> [ImportedList] {
    var lists: [ImportedList] = []
    for path in paths { lists.append(try ImportedList(path: path)) }
    return lists
  }

  @concurrent private static func read(
    _ settings: LauncherSettings
  ) async throws(LauncherError) -> (catalogue: Catalogue, file: LauncherFile) {
    let file = try settings.file()
    return (settings.catalogue(file), file)
  }

  @concurrent private static func set(
    _ isOn: Bool, _ items: [Catalogue.Item], _ settings: LauncherSettings
  ) async throws(LauncherError) -> [String] {
    do { return try settings.set(isOn, items) } catch let error as LauncherError { throw error } catch {
      throw LauncherError(.unwritable, settings.files.path, ": \(error)")
    }
  }
}

extension LauncherError {
  /// One line for the user.
  var text: String {
    switch code {
    case .action: "'\(subject)'\(problem)"
    case .unwritable, .noFolder: "\(subject): \(problem)"
    case .invalidFile, .unreadable: subject + problem
    }
  }
}
