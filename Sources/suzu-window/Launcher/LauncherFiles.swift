// SPDX-License-Identifier: Apache-2.0
internal import CAdwaita
internal import EventLoop
internal import Launcher

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
