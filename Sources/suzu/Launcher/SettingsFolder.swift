// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Launcher
internal import SystemFiles

/// The user's settings in `$XDG_CONFIG_HOME/suzu`, with the errors of the command.
struct SettingsFolder {
  private let files: SettingsFiles

  init(environment: [String: String]) throws(CommandError) {
    guard let files = SettingsFiles(environment: environment) else {
      throw CommandError(message: "no settings folder: set HOME or XDG_CONFIG_HOME", status: EX_CONFIG)
    }
    self.files = files
  }

  var path: String { files.path }

  func path(of name: String) -> String { files.path(of: name) }

  /// The file's content; nil if it does not exist.
  func read(_ name: String) throws(CommandError) -> [UInt8]? {
    do throws(FileError) { return try files.read(name) } catch {
      throw CommandError(message: "\(path(of: name)): \(error)", status: EX_NOINPUT)
    }
  }

  /// Waits for the lock of the folder, which is held until the result is released.
  func lock() throws(CommandError) -> FolderLock {
    do throws(UnwritableFolder) { return try files.lock() } catch { throw .notWritten(error.path, error.reason) }
  }
}

extension CommandError {
  init(_ error: LauncherError) {
    self =
      switch error.code {
      case .action: .data("'\(PrintableText.line(error.subject, atMost: 120))'\(error.problem)")
      case .invalidFile(let problem): .data(problem.line(about: error.subject))
      case .unreadable: CommandError(message: error.subject + error.problem, status: EX_NOINPUT)
      case .unwritable: .notWritten(error.subject, error.problem)
      case .noFolder: CommandError(message: "\(error.subject): \(error.problem)", status: EX_CONFIG)
      }
  }
}
